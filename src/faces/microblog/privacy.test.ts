import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { befriend } from "../../../test/support/people.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { shareItem } from "../../domain/items/posting/share.ts";

/** A post to a group is for its members, whatever endpoint is asked, and nobody else learns that it exists. */

const secret = "xyzzy";

let world: TestApp;
let ann: Person;
let member: Person;
let friend: Person;
let stranger: Person;
let top: number;
let comment: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, member, friend, stranger] = [
    await world.person("ann"),
    await world.person("member"),
    await world.person("friend"),
    await world.person("stranger"),
  ];
  await befriend(world.hub, ann.channel, member.channel);
  await befriend(world.hub, ann.channel, friend.channel);
  await befriend(world.hub, member.channel, friend.channel);
  const group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [member.channel.channel_hash]);
  const form = { status: `${secret} for the choir @friend`, title: `${secret} title`, group_allow: [group.id] };
  top = (await ann.post("/api/statuses/update", form)).json.id;
  await world.work();
  const [seen] = (await member.get("/api/statuses/home_timeline")).json;
  comment = (await member.post("/api/statuses/update", { status: `${secret} answer`, in_reply_to_status_id: seen.id }))
    .json.id;
  await member.post("/api/svc/activity/like", { id: seen.id });
  await member.post("/api/favorites/create", { id: seen.id });
  await world.work();
});
afterAll(() => world.close());

const lists = [
  "statuses/home_timeline",
  "statuses/public_timeline",
  "statuses/user_timeline/ann",
  "statuses/user_timeline/member",
  "statuses/mentions",
  "favorites",
  "account/verify_credentials",
  "users/show/ann",
  "users/show/member",
];

describe.each([".json", ".xml"])("in %s", (format) => {
  test.each(lists)("%s shows nothing of it to others", async (path) => {
    for (const person of [friend, stranger]) {
      const { status, text } = await person.get(`/api/${path}${format}`, { count: 200 });
      expect([person.nick, status, text.includes(secret)]).toEqual([person.nick, 200, false]);
    }
  });

  test("members have it in their timelines", async () => {
    for (const path of ["statuses/home_timeline", "statuses/user_timeline/ann", "favorites"]) {
      expect((await member.get(`/api/${path}${format}`)).text).toContain(secret);
    }
  });
});

test("it is in no public place, for its author neither", async () => {
  for (const path of ["statuses/public_timeline", "account/verify_credentials", "users/show/ann"]) {
    expect((await ann.get(`/api/${path}`)).text).not.toContain(secret);
  }
  expect((await world.anonymous.get("/api/users/show/ann")).text).not.toContain(secret);
  expect((await ann.get("/api/users/show/ann")).json.statuses_count).toBe(0);
});

const byId: [method: string, path: string][] = [
  ["GET", "statuses/show/ID"],
  ["GET", "conversation/show/ID"],
  ["GET", "statusnet/conversation/ID"],
  ["GET", "gnusocial/conversation/ID"],
  ["POST", "statuses/destroy/ID"],
  ["POST", "favorites/create/ID"],
  ["POST", "favorites/destroy/ID"],
  ["POST", "svc/activity/like?id=ID"],
  ["POST", "svc/activity/unlike?id=ID"],
  ["POST", "statuses/update?status=hello&in_reply_to_status_id=ID"],
];

test.each(byId)("%s %s answers others as if it did not exist", async (method, path) => {
  const memberCopies = (await member.get("/api/statuses/home_timeline")).json.map((status: any) => status.id);
  for (const person of [friend, stranger]) {
    const unknown = await person.send(method, `/api/${path.replace("ID", "987654")}`);
    for (const id of [top, comment, ...memberCopies]) {
      const unseen = await person.send(method, `/api/${path.replace("ID", String(id))}`);
      expect([person.nick, id, unseen.status]).toEqual([person.nick, id, unknown.status]);
      expect(unseen.text.replaceAll(String(id), "ID")).toBe(unknown.text.replaceAll("987654", "ID"));
    }
  }
});

test("nobody was told who had no business with it, and nothing was changed", async () => {
  const { json } = await ann.get(`/api/statuses/show/${top}`);
  expect(json).toMatchObject({
    svc_private: true,
    svc_comments: 1,
    favorite_count: 1,
    user: { protected: true },
    svc_owner: { protected: false },
  });
  expect(json.svc_activities.like.map((user: any) => user.screen_name)).toEqual(["member"]);
});

test("members reach it by any copy's id", async () => {
  for (const id of [top, comment]) {
    expect((await member.get(`/api/statuses/show/${id}`)).text).toContain(secret);
    expect((await member.get(`/api/statusnet/conversation/${id}`)).json).toHaveLength(2);
  }
});

test("it cannot be carried out by a share", async () => {
  await expect(shareItem(world.hub, member.channel, { id: top })).rejects.toMatchObject({ kind: "denied" });
});

test("a conversation filter with its id tells others nothing", async () => {
  for (const path of ["statuses/home_timeline", "statuses/public_timeline", "statuses/user_timeline/ann"]) {
    expect((await friend.get(`/api/${path}`, { conversation_id: top })).json).toEqual([]);
  }
});
