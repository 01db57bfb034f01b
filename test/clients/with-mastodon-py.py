"""What a person does with a client built on Mastodon.py; prints one JSON object for test/clients/mastodon.test.ts."""

import json
import os
import sys
import threading
from datetime import datetime, timedelta, timezone

from mastodon import Mastodon, MastodonNotFoundError, StreamListener

seat = json.loads(os.environ["HUBBUB_CLIENT"])


def log_in():
    """The address goes out, the code comes in by a line each."""
    client_id, client_secret = Mastodon.create_app("Python", api_base_url=seat["url"], website="https://client.example/")
    client = Mastodon(client_id=client_id, client_secret=client_secret, api_base_url=seat["url"])
    print(client.auth_request_url(), flush=True)
    token = client.log_in(code=sys.stdin.readline().strip())
    return Mastodon(client_id=client_id, client_secret=client_secret, access_token=token, api_base_url=seat["url"])


class Ears(StreamListener):
    def __init__(self):
        self.heard = []
        self.beat = threading.Event()
        self.news = threading.Event()

    def handle_heartbeat(self):
        self.beat.set()

    def on_update(self, status):
        self.heard.append(status.content)
        self.news.set()

    def on_abort(self, error):
        self.heard.append(repr(error))
        self.news.set()


def stream(client, text):
    ears = Ears()
    client.stream_user(ears, run_async=True)
    ears.beat.wait(30)
    client.status_post(text)
    ears.news.wait(30)
    return ears.heard[0]


client = log_in()
said = {"login": client.me().username, "version": client.mastodon_major}
said["app"] = client.app_verify_credentials().name
said["limited"] = client.ratelimit_limit
posts = [client.status_post(f"python {number} é 😀 & <b>") for number in range(5)]
said["posted"] = [str(post.id) for post in posts]
said["text"] = posts[0].content
said["created"] = posts[0].created_at.tzinfo is not None
said["once"] = client.status_post("python once", idempotency_key="once").id == client.status_post("python once", idempotency_key="once").id
page = client.timeline_home(limit=3, max_id=posts[4].id + 1)
first = page
said["paged"] = []
while page:
    said["paged"] += [str(post.id) for post in page]
    page = client.fetch_next(page)
said["above"] = len(client.fetch_previous(first))

media = client.media_post(seat["picture"], description="A test picture", focus=(0.5, -0.5))
pictured = client.status_post("python with a picture", media_ids=[media], spoiler_text="Trees", visibility="unlisted")
said["pictures"] = [[picture.type, picture.description] for picture in pictured.media_attachments]
said["warning"] = [pictured.sensitive, pictured.spoiler_text, pictured.visibility]

friends = int(seat["friends_post"])
reply = client.status_reply(client.status(friends), "python answers")
said["reply_to"] = str(reply.in_reply_to_id)
said["favourited"] = client.status_favourite(friends).favourited
said["unfavourited"] = client.status_unfavourite(friends).favourited
said["bookmarked"] = client.status_bookmark(friends).bookmarked
said["bookmarks"] = [str(post.id) for post in client.bookmarks()]
said["reblogged"] = str(client.status_reblog(friends).reblog.id)
said["unreblogged"] = client.status_unreblog(friends).reblogged
said["context"] = [str(post.id) for post in client.status_context(reply.id).ancestors]

changed = client.status_update(posts[2], "python has changed", media_ids=[])
said["edited"] = [changed.content, changed.edited_at is not None]
said["source"] = client.status_source(posts[2]).text
said["history"] = len(client.status_history(posts[2]))
said["pinned"] = [client.status_pin(posts[2]).pinned, client.status_unpin(posts[2]).pinned]
said["conversations"] = len(client.conversations())

friend = client.account(int(seat["friend_id"]))
said["friend"] = friend.acct
said["found"] = client.account_lookup(seat["friend"]).id == friend.id
said["following"] = client.account_relationships(friend)[0].following
said["notified"] = [[one.type, one.account.acct] for one in client.notifications(types=["mention"])]
choir = client.list_create("Choir")
client.list_accounts_add(choir, [friend])
said["listed"] = [str(post.id) for post in client.timeline_list(choir, limit=1)]
narrow = client.filter_create("good news", ["home"])
said["filters"] = [one.phrase for one in client.filters()]
client.filter_delete(narrow)
said["searched"] = [one.acct for one in client.search_v2(seat["friend"], result_type="accounts").accounts]
said["poll"] = [option.title for option in client.status_post("Tea?", poll=client.make_poll(["Tea", "Coffee"], 3600)).poll.options]
waiting = client.status_post("python waits", scheduled_at=datetime.now(timezone.utc) + timedelta(hours=1))
said["scheduled"] = [one.id == waiting.id for one in client.scheduled_statuses()]
client.scheduled_status_delete(waiting)
_, public = client.push_subscription_generate_keys()
said["told"] = client.push_subscription_set("https://push.example/device", public, mention_events=True).alerts.mention
client.push_subscription_delete()
said["announced"] = isinstance(client.announcements(), list)
said["streamed"] = stream(client, "Heard by python")
client.status_delete(posts[1])
try:
    client.status(posts[1])
except MastodonNotFoundError as error:
    said["gone"] = error.args[1:]
# It waits so long between calls that the limit is never reached.
client.ratelimit_method = "pace"
said["paced"] = client.me().username
client.revoke_access_token()
print(json.dumps(said), flush=True)
# Closing the stream would wait for its next beat.
os._exit(0)
