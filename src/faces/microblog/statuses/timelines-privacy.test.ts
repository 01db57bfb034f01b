import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend, mark } from "../../../../test/support/people.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import { updateChannel } from "../../../domain/identity/channels/channels.ts";

/**
 * A thread for a group, and a public one whose author has blocked somebody: timelines, shares and lists show others nothing,
 * and by its ids they get what an unknown id gets (microblog contract 1.2).
 */

const secret = "xyzzy";

let world: TestApp;
let ann: Person;
let member: Person;
let friend: Person;
let blocked: Person;
let stranger: Person;
/** Every id under which somebody has anything of the secret thread. */
let ids: number[];
let open: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, member, friend, blocked, stranger] = [
    await world.person("ann"),
    await world.person("member"),
    await world.person("friend"),
    await world.person("blocked"),
    await world.person("stranger"),
  ];
  for (const other of [member, friend, blocked]) await befriend(world.hub, ann.channel, other.channel);
  await befriend(world.hub, member.channel, friend.channel);
  for (const owner of [ann, member, friend, stranger]) {
    const everybody = await createGroup(world.hub, owner.channel.channel_id, "Everybody");
    for (const one of [ann, member, friend, blocked, stranger])
      await addMembers(world.hub, owner.channel.channel_id, everybody.id, [one.channel.channel_hash]).catch(() => 0);
  }
  await mark(world.hub, ann.channel, blocked.channel, { blocked: true });
  const choir = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, choir.id, [member.channel.channel_hash]);
  const form = { status: `${secret} for the choir @friend @blocked`, group_allow: [choir.id] };
  const top = (await ann.post("/api/statuses/update", form)).json.id;
  await world.work();
  const [seen] = (await member.get("/api/statuses/home_timeline")).json;
  await member.post("/api/statuses/update", { status: `${secret} answer`, in_reply_to_status_id: seen.id });
  await member.post("/api/svc/activity/like", { id: seen.id });
  await member.post("/api/favorites/create", { id: seen.id });
  await world.work();
  const copies = await Promise.all(
    [ann, member].map(async (person) => (await person.get("/api/statuses/home_timeline")).json),
  );
  ids = [...new Set([top, ...copies.flat().map((status: any) => status.id as number)])];
  open = (await ann.post("/api/statuses/update", { status: "open to all but one" })).json.id;
  await world.work();
});
afterAll(() => world.close());

const lists = [
  "statuses/home_timeline",
  "statuses/public_timeline",
  "statuses/networkpublic_timeline",
  "statuses/user_timeline/ann",
  "statuses/user_timeline/member",
  "statuses/mentions",
  "statuses/retweets_of_me",
  "lists/statuses?slug=everybody&owner_screen_name=NICK",
  "favorites",
  "favorites/list",
];

describe.each(["json", "xml"])("lists in %s", (format) => {
  test.each(lists)("%s", async (path) => {
    for (const person of [friend, blocked, stranger]) {
      const [name, query = ""] = path.replace("NICK", person.nick).split("?");
      const answer = await person.get(`/api/${name}.${format}?${query}`, { count: 200 });
      // Whom ann has blocked finds no list with her name either.
      expect([person.nick, answer.text.includes(secret)]).toEqual([person.nick, false]);
      if (!query) expect([person.nick, answer.status]).toEqual([person.nick, 200]);
      for (const conversation_id of ids) {
        const { status, text } = await person.get(`/api/${name}.${format}?${query}`, { conversation_id });
        expect([person.nick, status < 500, text.includes(secret)]).toEqual([person.nick, true, false]);
      }
    }
    const { status } = await world.anonymous.get(`/api/${path.split("?")[0]}.${format}`);
    expect(status).toBe(401);
  });
});

test("whom the author has blocked sees nothing of what is open to everybody else", async () => {
  for (const path of ["public_timeline", "networkpublic_timeline", "user_timeline/ann"]) {
    const texts = async (person: Person) => (await person.get(`/api/statuses/${path}`, { count: 200 })).text;
    expect([path, (await texts(stranger)).includes("open to all but one")]).toEqual([path, true]);
    expect([path, (await texts(blocked)).includes("open to all but one")]).toEqual([path, false]);
  }
});

const byId: [method: string, path: string][] = [
  ["GET", "statuses/show/ID"],
  ["GET", "statuses/show/ID?conversation=true"],
  ["GET", "statuses/lookup?id=ID"],
  ["GET", "conversation/show/ID"],
  ["GET", "compat/conversation/ID"],
  ["GET", "statusnet/conversation/ID"],
  ["GET", "gnusocial/conversation/ID"],
  ["POST", "statuses/retweet/ID"],
  ["POST", "statuses/unretweet/ID"],
  ["GET", "statuses/retweets/ID"],
  ["GET", "statuses/retweeters/ids?id=ID"],
  ["POST", "favorites/create/ID"],
  ["POST", "favorites/destroy/ID"],
  ["POST", "svc/activity/like?id=ID"],
  ["POST", "friendica/activity/attendyes.xml?id=ID"],
  ["POST", "svc/activity/unlike?id=ID"],
  ["POST", "statuses/update?status=hello&in_reply_to_status_id=ID"],
  ["POST", "statuses/destroy/ID"],
];

test.each(byId)("%s %s is as for an unknown id", async (method, path) => {
  const call = (person: Person, id: number) => person.send(method, `/api/${path.replace("ID", String(id))}`);
  const said = (answer: { status: number; text: string }) => [
    answer.status,
    answer.text.replace(/(?<=api\/[^<"]*\/)\d+/, "ID"),
  ];
  for (const person of [friend, blocked, stranger]) {
    const hidden = person === blocked ? [...ids, open] : ids;
    const unknown = said(await call(person, 987_654));
    for (const id of hidden) expect([person.nick, said(await call(person, id))]).toEqual([person.nick, unknown]);
  }
  const anonymous = await world.anonymous.send(method, `/api/${path.replace("ID", String(ids[0]))}`);
  expect(anonymous.status).toBe(401);
});

test("a reshare for few is known to these few alone", async () => {
  const { json } = await ann.post("/api/statuses/update", { status: "shared among friends" });
  await world.work();
  const audience = { allowCid: `<${friend.channel.channel_hash}>`, allowGid: "", denyCid: "", denyGid: "" };
  await updateChannel(world.hub, member.channel.channel_id, { audience });
  const seen = (await member.get("/api/statuses/home_timeline")).json.find(
    (s: any) => s.text === "shared among friends",
  );
  const share = (await member.post("/api/statuses/retweet", { id: seen.id })).json;
  expect(share.svc_private).toBe(true);
  await world.work();
  for (const person of [ann, stranger]) {
    const ofAll = await person.get("/api/statuses/retweets", { id: json.id });
    expect([person.nick, ofAll.status, ofAll.json]).toEqual([person.nick, 200, []]);
    expect((await person.get("/api/statuses/retweeters/ids", { id: json.id })).json).toMatchObject({
      ids: [],
      total_count: 0,
    });
    expect((await person.get(`/api/statuses/show/${json.id}`)).json.retweet_count).toBe(0);
  }
  expect((await ann.get("/api/statuses/retweets_of_me")).json).toEqual([]);
  expect((await friend.get("/api/statuses/retweets", { id: json.id })).json.length).toBe(1);
});
