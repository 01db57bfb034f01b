"""What a person does with a client built on tweepy; prints one JSON object for test/clients/clients.test.ts."""

import json
import os
import sys

import tweepy

place = json.loads(os.environ["HUBBUB_CLIENT"])


class Handler(tweepy.OAuth1UserHandler):
    def _get_oauth_url(self, endpoint):
        return f"https://{place['host']}/oauth/{endpoint}"


def log_in():
    """The dance with a PIN: the address goes out, the PIN comes in by a line each."""
    handler = Handler(place["key"], place["secret"], callback="oob")
    print(handler.get_authorization_url(), flush=True)
    handler.get_access_token(sys.stdin.readline().strip())
    host = f"{place['host']}/api"
    return tweepy.API(handler, host=host, upload_host=host)


def paged(api):
    return [status.id for status in tweepy.Cursor(api.home_timeline, count=3).items(200)]


api = log_in()
said = {"login": api.verify_credentials().screen_name}
posts = [api.update_status(f"tweepy {number} é 😀 & <b>") for number in range(7)]
said["posted"] = [post.id for post in posts]
said["text"] = posts[0].text
said["paged"] = paged(api)
said["since"] = [status.id for status in api.home_timeline(since_id=posts[4].id)]

media = api.media_upload(place["picture"])
api.create_media_metadata(media.media_id, "A test picture")
whole = api.media_upload(place["picture"], chunked=True)
pictured = api.update_status("tweepy with pictures", media_ids=[media.media_id, whole.media_id])
said["pictures"] = [picture["type"] for picture in pictured.extended_entities["media"]]
said["alt"] = pictured.extended_entities["media"][0]["ext_alt_text"]
said["at_once"] = len(api.update_status_with_media("tweepy at once", place["picture"]).entities["media"])

reply = api.update_status("tweepy answers", in_reply_to_status_id=place["friends_post"])
said["reply_to"] = reply.in_reply_to_status_id
said["favorited"] = api.create_favorite(place["friends_post"]).favorited
said["favorites"] = [status.id for status in api.get_favorites()]
said["unfavorited"] = api.destroy_favorite(place["friends_post"]).favorited
shared = api.retweet(place["friends_post"])
said["retweeted"] = shared.retweeted_status.id
said["retweeters"] = [user.screen_name for user in api.lookup_users(user_id=api.get_retweeter_ids(place["friends_post"]))]
said["search"] = [status.id for status in api.search_tweets("tweepy answers")]

group = api.create_list("Tweepy's circle")
api.add_list_member(list_id=group.id, screen_name=place["friend"])
said["members"] = [user.screen_name for user in api.get_list_members(list_id=group.id)]
said["list"] = [status.id for status in api.list_timeline(list_id=group.id)]
said["lists"] = [one.name for one in api.get_lists()]
api.remove_list_member(list_id=group.id, screen_name=place["friend"])
said["left"] = [user.screen_name for user in api.get_list_members(list_id=group.id)]
api.destroy_list(list_id=group.id)

said["friends"] = [user.screen_name for user in tweepy.Cursor(api.get_friends, count=1).items()]
said["followers"] = [user.screen_name for user in tweepy.Cursor(api.get_followers, count=1).items()]
said["friend_ids"] = api.get_friend_ids() == [api.get_user(screen_name=place["friend"]).id]
said["follows"] = api.get_friendship(target_screen_name=place["friend"])[0].following
said["about"] = api.update_profile(description="Drives by tweepy").description
api.update_profile_image(place["picture"])
said["settings"] = api.get_settings()["screen_name"]
said["limits"] = "/statuses/home_timeline" in api.rate_limit_status()["resources"]["statuses"]
api.destroy_status(posts[0].id)
try:
    api.get_status(posts[0].id)
except tweepy.NotFound as error:
    said["gone"] = error.response.json()["error"]
print(json.dumps(said))
