"""What a person does with a client built on python-twitter; prints one JSON object for test/clients/clients.test.ts."""

import json
import os

import twitter

place = json.loads(os.environ["HUBBUB_CLIENT"])
base = f"{place['url']}/api/1.1"
api = twitter.Api(
    consumer_key=place["key"],
    consumer_secret=place["secret"],
    access_token_key=place["token"],
    access_token_secret=place["token_secret"],
    base_url=base,
    upload_url=base,
)


def paged():
    found, last = [], None
    while True:
        page = api.GetHomeTimeline(count=3, max_id=last)
        if not page:
            return found
        found += [status.id for status in page]
        last = found[-1] - 1


said = {"login": api.VerifyCredentials().screen_name}
posts = [api.PostUpdate(f"python-twitter {number} é 😀 & <b>") for number in range(7)]
said["posted"] = [post.id for post in posts]
said["text"] = posts[0].text
said["paged"] = paged()
said["since"] = [status.id for status in api.GetHomeTimeline(since_id=posts[4].id)]
said["mine"] = [status.id for status in api.GetUserTimeline(screen_name=said["login"], count=200)]

media = api.UploadMediaSimple(open(place["picture"], "rb"))
api.PostMediaMetadata(media, "A test picture")
pictured = api.PostUpdate("python-twitter with a picture", media=[media])
said["pictures"] = [picture.type for picture in pictured.media]
said["at_once"] = len(api.PostMedia("python-twitter at once", place["picture"]).media)

sent = api.PostDirectMessage("python-twitter writes", screen_name=place["friend"])
said["message"] = sent.text
said["sent"] = [message.id for message in api.GetSentDirectMessages()] == [sent.id]
said["received"] = [message.text for message in api.GetDirectMessages()]
api.DestroyDirectMessage(sent.id)
said["left"] = [message.id for message in api.GetSentDirectMessages()]

said["reply_to"] = api.PostUpdate(
    "python-twitter answers", in_reply_to_status_id=place["friends_post"]
).in_reply_to_status_id
said["favorited"] = api.CreateFavorite(status_id=place["friends_post"]).favorited
said["favorites"] = [status.id for status in api.GetFavorites()]
said["retweeted"] = api.PostRetweet(place["friends_post"]).retweeted_status.id
said["search"] = [status.id for status in api.GetSearch(term="python-twitter answers")]
said["mentions"] = [status.user.screen_name for status in api.GetMentions()]

group = api.CreateList("Python's circle")
api.CreateListsMember(list_id=group.id, screen_name=place["friend"])
said["members"] = [user.screen_name for user in api.GetListMembers(list_id=group.id)]
said["list"] = [status.id for status in api.GetListTimeline(list_id=group.id)]
said["lists"] = [one.name for one in api.GetLists()]
api.DestroyList(list_id=group.id)

said["friends"] = [user.screen_name for user in api.GetFriends()]
said["followers"] = [user.screen_name for user in api.GetFollowers()]
said["friend_ids"] = api.GetFriendIDs() == [api.GetUser(screen_name=place["friend"]).id]
said["looked_up"] = [user.screen_name for user in api.UsersLookup(screen_name=[place["friend"]])]
said["blocked"] = api.CreateBlock(screen_name=place["foe"]).screen_name
said["blocks"] = [user.screen_name for user in api.GetBlocks()]
said["unblocked"] = api.DestroyBlock(screen_name=place["foe"]).screen_name
api.DestroyStatus(posts[0].id)
try:
    api.GetStatus(posts[0].id)
except twitter.TwitterError as error:
    said["gone"] = str(error)
print(json.dumps(said))
