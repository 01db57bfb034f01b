import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { readXml, textAt } from "./support/microblog.ts";
import { befriend } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";

/** Every refusal of the tables in microblog contract 3.5, 8 and 9: status and text, by every method, in JSON and XML and below 1.1. */

let world: TestApp;
const people = new Map<string, Client>();
const ids: Record<string, string | number> = { NONE: 987_654 };

beforeAll(async () => {
  world = await openTestApp();
  const [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  for (const person of [ann, bob, cara]) people.set(person.nick, person);
  people.set("nobody", world.anonymous);
  await befriend(world.hub, ann.channel, bob.channel);
  await make(ann, bob);
  ids["CARA"] = cara.channel.xchan_id;
  ids["BOB"] = bob.channel.xchan_id;
});
afterAll(() => world.close());

/** Something of each kind that belongs to Ann, of which Cara may see the public status only. */
async function make(ann: Person, bob: Person): Promise<void> {
  const bytes = await picture(40, 30).png().toBuffer();
  const file = () => [["media", bytes, "a.png", "image/png"]] as [string, Buffer, string, string][];
  const cid = (await ann.get("/api/users/show/bob")).json.cid;
  ids["PUBLIC"] = (await ann.post("/api/statuses/update", { status: "Public", group_allow: "" })).json.id;
  ids["SECRET"] = (await ann.post("/api/statuses/update", { status: "Secret", contact_allow: cid })).json.id;
  ids["LIST"] = (await ann.post("/api/lists/create", { name: "Choir" })).json.id;
  ids["MESSAGE"] = (await ann.post("/api/direct_messages/new", { screen_name: "bob", text: "Hi" })).json.id;
  ids["PHOTO"] = (await ann.send("POST", "/api/svc/photo/create", formWith({ album: "Cats" }, file()))).json.id;
  await bob.post("/api/direct_messages/new", { screen_name: "ann", text: "Hi" });
  await world.work();
  ids["NOTE"] = (await ann.get("/api/svc/notifications")).json[0].id;
}

const noStatus = "There is no status with this id.";

/** Who, methods, endpoint with its parameters, status, text. */
const rows = `
nobody | GET POST PUT | statuses/home_timeline | 401 | This API requires login
nobody | GET | users/show | 401 | This API requires login
nobody | GET | svc/profile/show | 403 | Forbidden
ann | GET | statuses/home_timeline?channel=bob | 403 | Forbidden
ann | POST | account/update_profile?name=%20%20 | 400 | Invalid name
ann | POST | account/update_profile_image | 400 | no media data submitted
ann | GET | statuses/user_timeline?user_id=NONE | 404 | User ID NONE not found.
ann | GET | statuses/user_timeline?screen_name=who | 404 | User not found.
ann | GET | statuses/user_timeline?profileurl=https://x.example/who | 404 | User https://x.example/who not found.
ann | GET | statuses/user_timeline?user_id=https://x.example/who | 404 | User https://x.example/who not found.
ann | GET POST | statuses/show | 400 | An id is missing.
ann | GET | statuses/show?id=0 | 400 | An id is missing.
ann | GET POST | statuses/show?id=NONE | 404 | ${noStatus}
cara | GET | statuses/show?id=SECRET | 404 | ${noStatus}
ann | POST PUT | statuses/update | 400 | Empty post discarded.
ann | POST PUT | statuses/update?status=x&in_reply_to_status_id=NONE | 404 | ${noStatus}
ann | POST PUT | statuses/update?status=x&in_reply_to_status_id=none@x.example | 404 | ${noStatus}
cara | POST PUT | statuses/update?status=x&in_reply_to_status_id=SECRET | 404 | ${noStatus}
ann | POST PUT | statuses/update?status=x&contact_allow=NONE | 400 | acl data invalid
ann | POST PUT | statuses/update?status=x&contact_deny=NONE | 400 | acl data invalid
ann | POST PUT | statuses/update?status=x&group_allow=NONE | 400 | acl data invalid
ann | POST PUT | statuses/update?status=x&circle_deny=NONE | 400 | acl data invalid
ann | POST PUT | statuses/update_with_media?status=x&media_ids=NONE | 400 | Media not found.
ann | POST DELETE | statuses/destroy | 400 | An id is missing.
ann | POST DELETE | statuses/destroy?id=NONE | 404 | ${noStatus}
cara | POST DELETE | statuses/destroy?id=SECRET | 404 | ${noStatus}
ann | POST PUT | statuses/retweet | 400 | An id is missing.
ann | POST PUT | statuses/retweet?id=NONE | 404 | ${noStatus}
cara | POST PUT | statuses/retweet?id=SECRET | 404 | ${noStatus}
ann | POST PUT | statuses/retweet?id=SECRET | 403 | Forbidden
ann | POST | statuses/unretweet?id=NONE | 404 | ${noStatus}
bob | POST | statuses/unretweet?id=PUBLIC | 404 | ${noStatus}
ann | GET | statuses/retweets?id=NONE | 404 | ${noStatus}
ann | GET | statuses/retweeters/ids?id=NONE | 404 | ${noStatus}
ann | POST PUT | favorites/create | 400 | Item id not specified
ann | POST PUT | favorites/create?id=NONE | 404 | Invalid item.
cara | POST PUT | favorites/create?id=SECRET | 404 | Invalid item.
ann | POST DELETE | favorites/destroy | 400 | Item id not specified
ann | POST DELETE | favorites/destroy?id=NONE | 404 | Invalid item.
cara | POST DELETE | favorites/destroy?id=SECRET | 404 | Invalid item.
ann | GET POST | conversation/show | 400 | An id is missing.
ann | GET POST | conversation/show?id=NONE | 404 | ${noStatus}
cara | GET | conversation/show?id=SECRET | 404 | ${noStatus}
ann | GET | compat/conversation | 400 | An id is missing.
cara | GET | statusnet/conversation?id=SECRET | 404 | ${noStatus}
ann | GET POST | search | 400 | q parameter is required.
ann | GET | search/tweets?q=%20 | 400 | q parameter is required.
nobody | GET | users/show?user_id=NONE | 404 | User ID NONE not found.
nobody | GET | users/show?screen_name=who | 404 | User not found.
ann | GET POST | externalprofile/show | 400 | Wrong parameters.
nobody | GET | externalprofile/show?profileurl=https://x.example/who | 404 | User https://x.example/who not found.
nobody | GET POST | users/search | 400 | No search term specified.
ann | GET POST | users/lookup?user_id=NONE | 404 | Not Found
ann | POST PUT | friendships/create | 400 | no user_id specified
ann | POST PUT | friendships/create?user_id=NONE | 404 | no contact found to given ID
ann | POST PUT | friendships/create?screen_name=ann | 403 | Forbidden
ann | POST PUT DELETE | friendships/destroy | 400 | no user_id specified
ann | POST PUT DELETE | friendships/destroy?screen_name=who | 404 | no contact found to given ID
ann | POST PUT DELETE | friendships/destroy?screen_name=cara | 404 | Not following Contact
ann | GET | friendships/show?source_screen_name=who&target_screen_name=bob | 404 | Source not found
ann | GET | friendships/show?target_id=NONE | 404 | Target not found
ann | POST PUT | blocks/create?user_id=NONE | 404 | User ID NONE not found.
ann | POST DELETE | blocks/destroy?screen_name=who | 404 | User not found.
ann | POST | lists/create | 400 | group name not specified
ann | POST | lists/create?name=Choir | 400 | group name already exists
ann | POST | lists/update?name=x | 400 | gid not specified
ann | POST | lists/update?list_id=LIST&name= | 400 | group name not specified
bob | POST | lists/update?list_id=LIST&name=x | 404 | gid not available
ann | POST | lists/destroy | 400 | gid not specified
bob | POST | lists/destroy?list_id=LIST | 404 | gid not available
ann | GET POST | lists/statuses | 400 | list_id not specified
bob | GET POST | lists/statuses?list_id=LIST | 404 | gid not available
ann | GET | lists/statuses?slug=choir&owner_screen_name=bob | 404 | gid not available
bob | GET | lists/show?list_id=LIST | 404 | gid not available
bob | GET | lists/members?list_id=LIST | 404 | gid not available
ann | POST | lists/members/create?user_id=BOB | 400 | gid not specified
ann | POST | lists/members/create?list_id=LIST&user_id=CARA | 400 | User ID CARA not found.
bob | POST | lists/members/destroy_all?list_id=LIST&user_id=BOB | 404 | gid not available
ann | POST PUT | media/upload | 400 | No media.
ann | POST | media/metadata/create | 400 | No post data
ann | POST PUT | direct_messages/new?text=x | 400 | text or recipient not specified
ann | POST PUT | direct_messages/new?screen_name=bob | 400 | text or recipient not specified
ann | POST PUT | direct_messages/new?text=x&user_id=NONE | 404 | Recipient not found
ann | POST PUT | direct_messages/new?text=x&screen_name=cara | 403 | Permission denied.
ann | POST PUT | direct_messages/new?text=x&screen_name=bob&replyto=NONE | 400 | message id not in database
cara | GET | direct_messages/show?id=MESSAGE | 404 | Not Found
ann | POST DELETE | direct_messages/destroy | 400 | Message id not specified
ann | POST DELETE | direct_messages/destroy?id=NONE | 400 | message id not in database
cara | POST DELETE | direct_messages/destroy?id=MESSAGE | 400 | message id not in database
ann | POST DELETE | direct_messages/destroy?id=MESSAGE&svc_parenturi=x | 400 | message id not in database
ann | POST PUT | svc/activity/like | 400 | Item id not found
ann | POST PUT | svc/activity/unattendno?id=NONE | 400 | Item id not found
cara | POST PUT | svc/activity/dislike?id=SECRET | 400 | Item id not found
ann | POST PUT | svc/activity/poke?id=PUBLIC | 400 | Unknown activity verb
bob | GET POST | svc/group_show?gid=LIST | 400 | gid not available
ann | POST PUT | svc/group_create | 400 | group name not specified
ann | POST PUT | svc/group_create?name=Choir | 400 | group name already exists
ann | POST PUT | svc/group_create?name=x&json=%7B | 400 | json data invalid
ann | POST | svc/group_update?gid=LIST&json=%5B%5D | 400 | group name not specified
ann | POST | svc/group_update?name=Choir&json=%5B%5D | 400 | gid not specified
bob | POST | svc/group_update?gid=LIST&name=Choir&json=%5B%5D | 400 | gid not available
ann | POST | svc/group_update?gid=LIST&name=Other&json=%5B%5D | 400 | wrong group name
ann | POST | svc/group_update?gid=LIST&name=Choir | 400 | json data invalid
ann | POST DELETE | svc/group_delete?gid=LIST | 400 | gid or name not specified
ann | POST DELETE | svc/group_delete?name=Choir | 400 | gid or name not specified
bob | POST DELETE | svc/group_delete?gid=LIST&name=Choir | 400 | gid not available
ann | POST DELETE | svc/group_delete?gid=LIST&name=choir | 400 | wrong group name
ann | POST | svc/notifications/seen | 400 | Invalid argument
ann | POST | svc/notifications/seen?id=NONE | 400 | Invalid argument
bob | POST | svc/notifications/seen?id=NOTE | 400 | Invalid argument
ann | GET POST | svc/photo | 400 | No photo id.
ann | GET | svc/photo?photo_id=none | 404 | Not Found
bob | GET | svc/photo?photo_id=PHOTO | 404 | Not Found
ann | GET | svc/photo?photo_id=PHOTO&scale=5 | 404 | Not Found
ann | GET | svc/photo?photo_id=PHOTO&scale=x | 400 | Invalid scale
ann | POST | svc/photo/create | 400 | no albumname specified
ann | POST | svc/photo/update?photo_id=PHOTO | 400 | no albumname specified
ann | POST | svc/photo/create?album=Cats | 400 | no media data submitted
ann | POST | svc/photo/update?album=Cats&photo_id=none | 400 | photo not available
ann | POST | svc/photo/update?album=Dogs&photo_id=PHOTO | 400 | photo not available
bob | POST | svc/photo/update?album=Cats&photo_id=PHOTO | 400 | photo not available
ann | POST | svc/photo/update?album=Cats&photo_id=PHOTO&deny_gid=NONE | 400 | acl data invalid
ann | DELETE | svc/photo/delete | 400 | no photo_id specified
bob | DELETE | svc/photo/delete?photo_id=PHOTO | 400 | photo not available
ann | POST DELETE | svc/photoalbum/delete | 400 | no albumname specified
bob | POST DELETE | svc/photoalbum/delete?album=Cats | 400 | album not available
ann | POST PUT | svc/photoalbum/update | 400 | no albumname specified
ann | POST PUT | svc/photoalbum/update?album=Cats | 400 | no new albumname specified
bob | POST PUT | svc/photoalbum/update?album=Cats&album_new=x | 400 | album not available
ann | GET | svc/photoalbum | 400 | No album name specified.
ann | GET | svc/profile/show?profile_id=NONE | 400 | profile_id not available`
  .trim()
  .split("\n")
  .map((line) => {
    const [who = "", methods = "", call = "", status = "", text = ""] = line.split(" | ");
    const [path = "", query] = call.split("?");
    return { call, who, methods: methods.split(" "), path, query, status: Number(status), text };
  });

const filled = (text: string): string => text.replace(/\b[A-Z]{3,}\b/g, (word) => String(ids[word] ?? word));

test.each(rows)("$who: $methods $call", async ({ who, methods, path, query, status, text }) => {
  const client = people.get(who)!;
  const search = query === undefined ? "" : `?${filled(query)}`;
  for (const method of methods) {
    for (const place of [path, `${path}.json`, `1.1/${path}.json`]) {
      const answer = await client.send(method, `/api/${place}${search}`);
      const expected = { error: filled(text), code: status, request: `api/${place}` };
      expect([method, answer.status, answer.json]).toEqual([method, status, expected]);
    }
    const answer = await client.send(method, `/api/${path}.xml${search}`);
    const root = readXml(answer);
    expect([answer.status, root.name, root.children.map(({ name }) => name)]).toEqual([
      status,
      "status",
      ["error", "code", "request"],
    ]);
    expect(["error", "code", "request"].map((name) => textAt(root, name))).toEqual([
      filled(text),
      String(status),
      `api/${path}.xml`,
    ]);
  }
});
