import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { microblogFace } from "../src/faces/microblog/face.ts";
import { rowsOf } from "../src/http/face.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Answer } from "./support/client.ts";

/** The table of the microblog API against a list of its endpoints, and what every row promises under every path. */

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
});
afterAll(() => world.close());

/** Every endpoint once more: its name, methods, and whether it needs a log-in; at the end what decision 31 added. */
const index = `
account/rate_limit_status | * | yes
account/settings | GET, POST | yes
account/update_profile | POST | yes
account/update_profile_image | POST | yes
account/verify_credentials | * | yes
application/rate_limit_status | GET | yes
blocks/create | POST, PUT | yes
blocks/destroy | POST, DELETE | yes
blocks/ids | GET | yes
blocks/list | * | yes
compat/config | * | no
compat/conversation[/:id] | * | yes
compat/version | * | no
conversation/show[/:id] | * | yes
direct_messages | * | yes
direct_messages/all | * | yes
direct_messages/conversation | * | yes
direct_messages/destroy[/:id] | POST, DELETE | yes
direct_messages/new | POST, PUT | yes
direct_messages/sent | * | yes
direct_messages/show[/:id] | GET | yes
externalprofile/show | * | no
favorites | * | yes
favorites/list | GET | yes
favorites/create[/:id] | POST, PUT | yes
favorites/destroy[/:id] | POST, DELETE | yes
followers/ids | * | yes
followers/list | GET | yes
friends/ids | * | yes
friends/list | GET | yes
friendships/create[/:id] | POST, PUT | yes
friendships/destroy[/:id] | POST, PUT, DELETE | yes
friendships/exists | GET | yes
friendships/incoming | * | yes
friendships/lookup | GET, POST | yes
friendships/outgoing | GET | yes
friendships/show | GET | yes
help/configuration | GET | no
help/test | * | no
lists/create | POST | yes
lists/destroy | POST | yes
lists/list | GET | yes
lists/subscriptions | GET | yes
lists/members | GET | yes
lists/members/create | POST | yes
lists/members/create_all | POST | yes
lists/members/destroy | POST | yes
lists/members/destroy_all | POST | yes
lists/members/show | GET | yes
lists/memberships | GET | yes
lists/ownerships | * | yes
lists/show | GET | yes
lists/statuses | * | yes
lists/update | POST | yes
media/metadata/create | POST | yes
media/upload | POST, PUT | yes
oauth/access_token | * | no
oauth/request_token | * | no
saved_searches/list | * | yes
saved_searches/create | POST | yes
saved_searches/show/:id | GET | yes
saved_searches/destroy/:id | POST, DELETE | yes
search | * | yes
search/tweets | * | yes
statuses/destroy[/:id] | POST, DELETE | yes
statuses/followers | * | yes
statuses/friends | * | yes
statuses/friends_timeline | * | yes
statuses/home_timeline | * | yes
statuses/lookup | GET, POST | yes
statuses/mediap | POST, PUT | yes
statuses/mentions | * | yes
statuses/mentions_timeline | * | yes
statuses/networkpublic_timeline | * | yes
statuses/public_timeline | * | yes
statuses/replies | * | yes
statuses/retweet[/:id] | POST, PUT | yes
statuses/retweeters/ids | GET | yes
statuses/retweets/:id | GET | yes
statuses/retweets_of_me | GET | yes
statuses/show[/:id] | * | yes
statuses/unretweet/:id | POST | yes
statuses/update | POST, PUT | yes
statuses/update_with_media | POST, PUT | yes
statuses/user_timeline[/:id] | * | yes
svc/activity/:verb | POST, PUT | yes
svc/direct_messages_search | GET | yes
svc/direct_messages_setseen | GET | yes
svc/group_create | POST, PUT | yes
svc/group_delete | POST, DELETE | yes
svc/group_show | * | yes
svc/group_update | POST | yes
svc/notifications | GET | yes
svc/notifications/seen | POST | yes
svc/photo | * | yes
svc/photo/create | POST | yes
svc/photo/update | POST | yes
svc/photo/delete | DELETE | yes
svc/photoalbum/delete | POST, DELETE | yes
svc/photoalbum/update | POST, PUT | yes
svc/photoalbum | GET | yes
svc/photoalbums | GET | yes
svc/photos/list | * | yes
svc/profile/show | GET | yes
users/lookup | * | yes
users/search | * | no
users/show[/:id] | * | no
svc/events | GET | yes
svc/event_create | POST | yes
svc/event_delete | POST, DELETE | yes
svc/statuses/:id/dislike | POST | yes
svc/statuses/:id/undislike | POST | yes
svc/statuses/:id/disliked_by | GET | yes
svc/whoami | * | yes
whoami | * | yes`
  .trim()
  .split("\n")
  .map((line) => {
    const [endpoint = "", methods = "", access = ""] = line.split(" | ");
    const [, name = "", id] = /^(.*?)(\[\/:id\]|\/:\w+$)?$/.exec(endpoint)!;
    return { name, takesId: id !== undefined, methods, isPublic: access === "no" };
  });

/** Alias paths, microblog contract 2.4: primary and others. */
const aliases = `
statuses/mentions: statuses/replies statuses/mentions_timeline
statuses/home_timeline: statuses/friends_timeline
search: search/tweets
statuses/update_with_media: statuses/mediap
lists/list: lists/subscriptions
compat/config: statusnet/config gnusocial/config
compat/version: statusnet/version gnusocial/version
compat/conversation: statusnet/conversation gnusocial/conversation
svc/notifications: svc/notification friendica/notifications friendica/notification
svc/notifications/seen: svc/notification/seen friendica/notifications/seen friendica/notification/seen
svc/group_show: friendica/group_show friendica/circle_show
svc/group_create: friendica/group_create friendica/circle_create
svc/group_update: friendica/group_update friendica/circle_update
svc/group_delete: friendica/group_delete friendica/circle_delete
svc/activity: friendica/activity
svc/photo: friendica/photo
svc/photo/create: friendica/photo/create
svc/photo/update: friendica/photo/update
svc/photo/delete: friendica/photo/delete
svc/photos/list: friendica/photos/list
svc/photoalbum: friendica/photoalbum
svc/photoalbums: friendica/photoalbums
svc/photoalbum/delete: friendica/photoalbum/delete
svc/photoalbum/update: friendica/photoalbum/update
svc/profile/show: friendica/profile/show
svc/direct_messages_setseen: friendica/direct_messages_setseen
svc/direct_messages_search: friendica/direct_messages_search
svc/events: friendica/events
svc/event_create: friendica/event_create
svc/event_delete: friendica/event_delete
svc/statuses/:id/dislike: friendica/statuses/:id/dislike
svc/statuses/:id/undislike: friendica/statuses/:id/undislike
svc/statuses/:id/disliked_by: friendica/statuses/:id/disliked_by
svc/whoami: friendica/whoami`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [primary = "", others = ""] = line.split(": ");
    return others.split(" ").map((other) => ({ primary, other }));
  });

/** Methods that an alias path takes besides those of its primary path (microblog contract 2.5). */
const moreMethods: Record<string, string> = {
  "friendica/photo/delete": "DELETE, POST",
  "friendica/direct_messages_setseen": "GET, POST",
  "friendica/group_update": "POST, PUT",
  "friendica/circle_update": "POST, PUT",
};

const every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Every path of the face, with the methods that its rows take there. */
const spots = new Map<string, { rows: Endpoint[]; methods: string[] }>();
for (const row of await rowsOf(microblogFace)) {
  for (const { path, alias } of microblogFace.paths(row)) {
    const spot = spots.get(path) ?? { rows: [], methods: [] };
    spot.rows.push(row);
    spot.methods.push(...methodsOf(row, alias));
    spots.set(path, spot);
  }
}

function listed(methods: string): string[] {
  if (methods === "*") return every.toSorted();
  const named = methods.split(", ");
  return (named.includes("GET") ? [...named, "HEAD"] : named).toSorted();
}

/** Where an endpoint is, with its twin below 1.1. */
function twins(name: string): string[] {
  return [`/api/${name}`, `/api/1.1/${name}`];
}

describe("the index (11)", () => {
  test.each(index)("$name: $methods", ({ name, takesId, methods, isPublic }) => {
    for (const path of twins(name)) {
      const spot = spots.get(path);
      expect([path, spot?.methods.toSorted()]).toEqual([path, listed(methods)]);
      expect(spot!.rows.map((row) => row.access === "public")).toEqual(spot!.rows.map(() => isPublic));
      if (takesId) expect(spot!.rows.some((row) => row.pathId !== undefined)).toBe(true);
    }
  });

  test("the face has nothing that the contract does not name", () => {
    const promised = new Set([...index.map(({ name }) => name), ...aliases.map(({ other }) => other)].flatMap(twins));
    const unknown = [...spots.keys()].filter((path) => !promised.has(path) && !path.startsWith("/oauth/"));
    expect(unknown).toEqual([]);
  });
});

describe("the aliases (2.4)", () => {
  test.each(aliases)("$other reaches $primary", ({ primary, other }) => {
    const [at, also] = twins(other);
    for (const path of [at!, also!]) {
      const methods = moreMethods[other] ?? index.find(({ name }) => name === primary)!.methods;
      expect([path, spots.get(path)?.methods.toSorted()]).toEqual([path, listed(methods)]);
    }
    // The two searches answer in two shapes below 1.1, and an alias may answer in another form, but the work is one.
    expect(new Set([spots.get(at!)!.rows[0]!.path, spots.get(also!)!.rows[0]!.path]).size).toBe(1);
  });

  test.each(["request_token", "access_token"])("oauth/%s is at the root of the host too", (name) => {
    for (const path of [`/oauth/${name}`, `/api/oauth/${name}`, `/api/1.1/oauth/${name}`])
      expect([path, spots.get(path)?.methods.toSorted()]).toEqual([path, every.toSorted()]);
  });
});

/** Not offered (microblog contract 11): whatever the method, and 404 like every unknown endpoint. */
const notOffered =
  `mutes/ids mutes/list mutes/users/list mutes/users/create geo/search geo/id/1 trends/place trends/available
  statuses/oembed statuses/sample statuses/filter collections/list collections/show direct_messages/events/list
  direct_messages/events/new direct_messages/welcome_messages/list users/suggestions users/suggestions/twitter
  users/report_spam users/profile_banner account/update_profile_banner account/remove_profile_banner
  account/update_profile_background_image account/end_session account/logout compat/groups/list compat/groups/join
  compat/tags/timeline/x statusnet/groups/list statusnet/tags/timeline
  svc/remoteauth friendica/remoteauth client/register oauth/token
  oauth/revoke oauth2/token oauth2/authorize`.split(/\s+/);

test.each(notOffered)("%s is not there", async (name) => {
  for (const path of twins(name)) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
      for (const client of [world.anonymous, ann]) {
        const { status, json } = await client.send(method, `${path}.json`);
        const request = `${path.slice(1)}.json`;
        expect([method, status, json]).toEqual([
          method,
          404,
          { error: `API endpoint ${method} ${request} is not implemented`, code: 404, request },
        ]);
      }
    }
    const xml = await ann.get(`${path}.xml`);
    expect([xml.status, read(xml)]).toEqual([404, "status"]);
  }
});

const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: "" });
/** Roots without namespaces (microblog contract 10.2); of the others all carry them. */
const plainRoots = "ids id_list notes photos hash config version ok albums".split(" ");

/** The name of the root, when the answer is what it says it is. */
function read(answer: Answer): string {
  const type = answer.headers.get("content-type")!;
  if (type === "application/json; charset=utf-8") {
    expect(answer.json).not.toBeUndefined();
    expect(["null", "false", ""]).not.toContain(answer.text);
    return "";
  }
  if (type === "application/x-www-form-urlencoded; charset=utf-8") return "";
  expect(type).toMatch(/^application\/((rss|atom)\+)?xml; charset=utf-8$/);
  expect(answer.text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')).toBe(true);
  expect(XMLValidator.validate(answer.text)).toBe(true);
  const root = (parser.parse(answer.text) as Record<string, unknown>[]).find((node) => !("?xml" in node))!;
  const name = Object.keys(root).find((key) => key !== ":@")!;
  if (type.startsWith("application/xml")) {
    const attributes = Object.keys(root[":@"] ?? {}).filter((key) => key.startsWith("xmlns"));
    const isPlain =
      (plainRoots.includes(name) && !answer.text.includes("<photos xmlns")) ||
      /^<status>[^<]*<\/status>$/.test(answer.text.split("\n")[1] ?? "");
    expect([name, attributes]).toEqual([name, isPlain ? [] : ["xmlns:statusnet", "xmlns:svc", "xmlns:georss"]]);
  }
  return name;
}

/** An answer that is no success: an error of the caller, in the form of microblog contract 5.1. */
function isRefusal({ status, json, text }: Answer): void {
  expect(status).toBeLessThan(500);
  if (json) {
    expect(json).toMatchObject({ error: expect.stringMatching(/./), code: status, request: expect.any(String) });
    expect(Object.values(json).some((value) => typeof value === "object")).toBe(false);
  } else if (!text.startsWith("error=")) expect(text).toContain(`<code>${status}</code>`);
}

const walked = [...spots].flatMap(([path, spot]) => spot.rows.map((row) => ({ path, row, methods: spot.methods })));

describe.each(walked)("$path ($row.methods)", ({ path, row, methods }) => {
  const method = () => methodsOf(row, aliasAt(row, path))[0]!;

  test("checks the method before it asks who calls", async () => {
    for (const wrong of every.filter((one) => !methods.includes(one))) {
      const answer = await world.anonymous.send(wrong, `${path}.json`);
      expect([wrong, answer.status]).toEqual([wrong, 405]);
      expect(answer.headers.get("allow")!.split(", ").toSorted()).toEqual(
        [...new Set([...methods, "OPTIONS"])].toSorted(),
      );
      if (wrong !== "HEAD") expect(answer.json.error).toBe("Method Not Allowed");
      const wrongLogIn = await clientOf(world.app, "ann:wrong").send(wrong, `${path}.json`);
      expect(wrongLogIn.status).toBe(405);
    }
  });

  test("asks who calls", async () => {
    if (row.access === "public") return;
    const answer = await world.anonymous.send(method(), `${path}.json`);
    // Clients of the alias send credentials only when they are asked (microblog contract 2.5; 12, trap 1).
    const isForbidden = row.path === "svc/profile/show" && aliasAt(row, path) === "svc";
    expect([answer.status, answer.json.error]).toEqual(
      isForbidden ? [403, "Forbidden"] : [401, "This API requires login"],
    );
    if (!isForbidden) expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
  });

  test("is well-formed in JSON and XML", async () => {
    for (const format of ["json", "xml"])
      for (const query of [{}, unknownIds(row)]) await ask(`${path}.${format}`, method(), query);
  });

  test("refuses or ignores what no parameter is meant for", async () => {
    // Other names lead to the same work.
    if (path !== microblogFace.paths(row)[0]!.path) return;
    for (const [at, name] of Object.keys(row.input.shape).entries())
      for (const value of odd)
        await ask(`${path}.${at % 2 === 0 ? "json" : "xml"}`, method(), { ...unknownIds(row), [name]: value });
  });
});

async function ask(path: string, method: string, query: Record<string, unknown>): Promise<void> {
  const answer = await ann.send(method, path, undefined, { query });
  read(answer);
  if (answer.status !== 200) isRefusal(answer);
  else if (answer.json && !Array.isArray(answer.json)) expect(Object.keys(answer.json)).not.toContain("error");
}

function aliasAt(row: Endpoint, path: string): string {
  return microblogFace.paths(row).find((place) => place.path === path)!.alias;
}

const odd = [
  "",
  "0",
  "-1",
  "987654",
  "x",
  "\u0000",
  "<a>&]]>",
  "99999999999999999999",
  "%",
  "😀".repeat(50),
  ["a", "b"],
];

/** Every id that the row takes, as one that nothing has. */
function unknownIds(row: Endpoint): Record<string, unknown> {
  const names = Object.keys(row.input.shape).filter((name) => /(^|_)id$/.test(name));
  return Object.fromEntries(names.map((name) => [name, 987_654]));
}
