import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { password } from "../../../../test/support/hub.ts";
import { findConnectionTo, updateConnection } from "../../../domain/connections/connections.ts";

/** What happens out of somebody's sight changes nothing of what they see: not a count, not a date, not an order. */

let world: TestApp;
let ann: Person;
let member: Person;
let others: Record<string, Person | TestApp["anonymous"]>;
let browsers: Record<string, Visitor>;
let open: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, member] = [await world.person("ann"), await world.person("member")];
  const [friend, stranger, blocked] = [
    await world.person("friend"),
    await world.person("stranger"),
    await world.person("blocked"),
  ];
  for (const person of [member, friend, blocked]) await befriend(world.hub, ann.channel, person.channel);
  await befriend(world.hub, member.channel, friend.channel);
  const { abook_id: cid } = (await findConnectionTo(world.hub, ann.channel.channel_id, blocked.channel.channel_hash))!;
  await updateConnection(world.hub, ann.channel, cid, { blocked: true });
  open = (await ann.post("/api/statuses/update", { status: "open door #bread" })).json.id;
  await world.work();
  others = { friend, stranger, blocked, anonymous: world.anonymous };
  browsers = Object.fromEntries(
    ["friend", "stranger", "blocked", "anonymous"].map((nick) => [nick, visitorOf(world.app)]),
  );
  for (const [nick, browser] of Object.entries(browsers)) if (nick !== "anonymous") await browser.logIn(nick, password);
});
afterAll(() => world.close());

const answers: readonly string[] = [
  "statuses/home_timeline",
  "statuses/public_timeline",
  "statuses/networkpublic_timeline",
  "statuses/mentions_timeline",
  "statuses/user_timeline?screen_name=ann",
  "statuses/user_timeline?screen_name=member",
  "statuses/replies",
  "statuses/retweets_of_me",
  "favorites?screen_name=ann",
  "favorites?screen_name=member",
  "search?q=open",
  "search?q=from:ann",
  "search?q=%23bread",
  "search?q=since:2000-01-01&count=1",
  "users/show?screen_name=ann",
  "users/show?screen_name=member",
  "users/lookup?screen_name=ann,member",
  "users/search?q=ann",
  "friends/list?screen_name=ann",
  "followers/list?screen_name=member",
  "statuses/friends",
  "friendships/show?source_screen_name=ann&target_screen_name=member",
  "lists/memberships?screen_name=member",
  "lists/ownerships?screen_name=ann",
  "svc/notifications",
  "svc/photos/list",
  "direct_messages",
  "direct_messages/sent",
  "trends/place?id=1",
  "account/rate_limit_status",
];
const pages: readonly string[] = [
  "/channel/ann",
  "/channel/member",
  "/profile/ann",
  "/photos/ann",
  "/cloud/ann",
  "/feed/ann",
  "/feed/ann.rss",
  "/feed/member",
  "/search?search=open",
  "/search?search=from:ann&order=best",
  "/search?tag=bread",
  "/directory",
  "/network",
  "/notifications",
  "/mail",
  "/connections",
  "/viewconnections/ann",
];

async function everything(): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const [nick, who] of Object.entries(others)) {
    for (const path of answers)
      seen[`${nick} ${path}`] = (await who.get(`/api/${path.replace(/(\?|$)/, ".json$1")}`)).text;
    for (const form of ["xml", "rss", "atom"]) {
      const path = `/api/statuses/user_timeline.${form}?screen_name=ann`;
      seen[`${nick} ${path}`] = (await who.get(path)).text;
    }
    seen[`${nick} retweets`] = (await who.get(`/api/statuses/retweets/${open}.json`)).text;
    seen[`${nick} conversation`] = (await who.get(`/api/statusnet/conversation/${open}.json`)).text;
    for (const path of pages) seen[`${nick} ${path}`] = withoutTokens((await browsers[nick]!.get(path)).text);
  }
  return seen;
}

test("a post for one person, with all that follows, leaves no trace for others", async () => {
  const before = await everything();
  const allow = { contact_allow: [member.channel.channel_hash] };
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const media = (await ann.post("/api/media/upload", { media_data: pixel })).json.media_id_string;
  const status = "for member alone #bread open @friend";
  const made = await ann.post("/api/statuses/update", { status, title: "open", media_ids: media, ...allow });
  expect(made.status).toBe(200);
  await world.work();
  const { id } = (await member.get("/api/statuses/home_timeline.json")).json.find((one: any) =>
    one.text.includes("alone"),
  );
  const reply = await member.post("/api/statuses/update", {
    status: "open answer @ann @friend",
    in_reply_to_status_id: id,
  });
  expect(reply.status).toBe(200);
  expect((await member.post("/api/favorites/create", { id })).status).toBe(200);
  expect((await member.post(`/api/statuses/retweet/${id}`)).status).toBeGreaterThanOrEqual(400);
  await member.post("/api/svc/activity/like", { id });
  await ann.post("/api/direct_messages/new", { screen_name: "member", text: "open secret" });
  await ann.post("/api/lists/create", { name: "open list" });
  await ann.post("/api/lists/members/create", { slug: "open list", screen_name: "member" });
  await member.post("/api/saved_searches/create", { query: "open" });
  await world.work();
  const after = await everything();
  const differing = Object.keys(before).filter((name) => before[name] !== after[name]);
  for (const name of differing) expect([name, after[name]]).toEqual([name, before[name]]);
  await ann.post(`/api/statuses/destroy/${made.json.id}`);
  await world.work();
  expect(await everything()).toEqual(before);
});
