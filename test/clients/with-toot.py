"""What a person does with toot, one command after the other; prints one JSON object for test/clients/mastodon.test.ts."""

import contextlib
import io
import json
import os
import re
import sys

from toot import config
from toot.console import main

seat = json.loads(os.environ["HUBBUB_CLIENT"])
host = re.sub("^https?://", "", seat["url"])


def toot(*args):
    """What the command prints, also where it fails."""
    printed = io.StringIO()
    sys.argv = ["toot", *args, "--no-color"]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
        main()
    return printed.getvalue()


def posted(*args):
    return re.search(r"Toot posted: (\S+)", toot("post", *args)).group(1)


def ids(printed):
    return re.findall(r"ID (\d+)", printed)


# The address goes out, "n" (no browser here) and the code come in.
sys.argv = ["toot", "login", "--disable-https", "-i", host]
main()
print()
said = {"login": config.load_config()["active_user"].split("@")[0]}
said["auth"] = toot("auth")
said["whoami"] = toot("whoami").splitlines()[0]
said["instance"] = toot("instance", "--disable-https").splitlines()[:2]
said["url"] = posted("toot é 😀 & <b>")
posted("toot warns", "--spoiler-text", "Trees", "--sensitive", "--visibility", "unlisted")
posted("toot answers", "--reply-to", seat["friends_post"])
said["home"] = ids(toot("timeline", "--count", "10", "--once"))
said["public"] = ids(toot("timeline", "--public", "--local", "--count", "20", "--once"))
own = said["home"][0]
said["thread"] = ids(toot("thread", own))
for command in ["favourite", "unfavourite", "reblog", "reblogged_by", "unreblog", "bookmark"]:
    said[command] = toot(command, seat["friends_post"]).strip()
for command in ["pin", "unpin"]:
    said[command] = toot(command, said["home"][2]).strip()
said["bookmarks"] = ids(toot("bookmarks", "--once"))
said["unbookmark"] = toot("unbookmark", seat["friends_post"]).strip()
said["notifications"] = toot("notifications")
said["search"] = toot("search", seat["friend"]).strip()
said["whois"] = toot("whois", seat["friend"]).splitlines()[0]
said["following"] = toot("following", "toot").strip()
for command in ["mute", "unmute", "block", "unblock", "follow"]:
    said[command] = toot(command, seat["friend"]).strip()
said["upload"] = "type 'image'" in toot("upload", seat["picture"], "--description", "A test picture")
said["scheduled"] = toot("post", "toot waits", "--scheduled-in", "1 hour").startswith("Toot scheduled")
said["tags"] = [toot("tags_follow", "tea").strip(), toot("tags_followed").strip()]
posted("toot shows", "--media", seat["picture"], "--description", "A test picture", "--language", "de")
said["shown"] = toot("timeline", "--count", "1", "--once")
said["deleted"] = toot("delete", own).strip()
said["gone"] = toot("thread", own).strip()
# It asks for a password, which no application gets.
sys.stdin = io.StringIO("secret\n")
said["login_cli"] = toot("login_cli", "--disable-https", "-i", host, "-e", "toot@example.org").strip()
print(json.dumps(said))
