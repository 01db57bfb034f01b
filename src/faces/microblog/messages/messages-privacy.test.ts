import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { befriend, mark } from "../../../../test/support/people.ts";
import { accountRoles } from "../../../domain/identity/accounts/accounts.ts";
import { createProfile } from "../../../domain/identity/channels/profiles.ts";

/**
 * Messages, groups, notices and profiles are their owner's alone: whoever else names one by its number gets exactly what an
 * unknown number gets, in every dialect, and nothing has changed afterwards.
 */

const never = 987_654_321;
const secret = "xyzzy";

let world: TestApp;
let ann: Person;
let bob: Person;
let outsiders: Person[];
let ids: { sent: number; received: number; group: number; note: number; profile: number };
let uri: string;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  const [friend, blocked, stranger, boss] = [
    await world.person("friend"),
    await world.person("blocked"),
    await world.person("stranger"),
    await world.person("boss"),
  ];
  const { hub } = world;
  for (const other of [bob, friend, blocked]) await befriend(hub, ann.channel, other.channel);
  await befriend(hub, bob.channel, friend.channel);
  await mark(hub, ann.channel, blocked.channel, { blocked: true });
  await hub.db
    .updateTable("account")
    .set({ account_roles: accountRoles.administrator })
    .where("account_id", "=", boss.channel.channel_account_id)
    .execute();
  outsiders = [friend, blocked, stranger, boss];
  const sent = await ann.post("/api/direct_messages/new", {
    text: `${secret} body`,
    title: `${secret} title`,
    screen_name: "bob",
  });
  uri = sent.json.svc_parent_uri;
  const [received] = (await bob.get("/api/direct_messages")).json;
  const members = JSON.stringify([{ id: bob.channel.xchan_id }, { id: friend.channel.xchan_id }]);
  const [group] = (await ann.post("/api/svc/group_create", { name: secret, json: members })).json;
  await bob.post("/api/direct_messages/new", { text: "answer", screen_name: "ann", replyto: received.id });
  const [note] = (await ann.get("/api/svc/notifications")).json;
  const profile = await createProfile(hub, ann.channel, secret);
  ids = { sent: sent.json.id, received: received.id, group: group.gid, note: note.id, profile: profile.id };
});
afterAll(() => world.close());

type Door = [method: string, path: string];

const messageDoors: Door[] = [
  ["GET", "direct_messages/show/ID"],
  ["GET", "direct_messages/show.xml?id=ID"],
  ["POST", "direct_messages/destroy/ID"],
  ["DELETE", "direct_messages/destroy?id=ID"],
  ["POST", "direct_messages/destroy?id=ID&svc_verbose=true"],
  ["POST", "direct_messages/destroy?id=ID&friendica_verbose=true"],
  ["POST", "direct_messages/destroy?id=ID&svc_parenturi=URI"],
  ["GET", "svc/direct_messages_setseen?id=ID"],
  ["POST", "friendica/direct_messages_setseen?id=ID"],
  ["POST", "direct_messages/new?text=hello&screen_name=bob&replyto=ID"],
  ["POST", "direct_messages/new?text=hello&screen_name=ann&replyto=ID"],
];
const groupDoors: Door[] = [
  ["GET", "svc/group_show?gid=ID"],
  ["GET", "friendica/circle_show.xml?gid=ID"],
  ["POST", `svc/group_update?gid=ID&name=${secret}&json=[]`],
  ["PUT", `friendica/group_update?gid=ID&name=${secret}&json=[]`],
  ["POST", `svc/group_update?gid=ID&name=wrong&json=[]`],
  ["POST", `svc/group_delete?gid=ID&name=${secret}`],
  ["DELETE", `friendica/circle_delete?gid=ID&name=wrong`],
];
const noteDoors: Door[] = [
  ["POST", "svc/notifications/seen?id=ID"],
  ["POST", "friendica/notification/seen.xml?id=ID"],
];
const profileDoors: Door[] = [
  ["GET", "svc/profile/show?profile_id=ID"],
  ["GET", "friendica/profile/show.xml?profile_id=ID"],
];

/** What the door answers, without the number that was named in the path. */
async function ask(client: Client, [method, path]: Door, id: number): Promise<[number, string]> {
  const named = path.replace("ID", String(id)).replace("URI", uri);
  const [name] = path.split("/ID");
  const { status, text } = await client.send(method, `/api/${named}`);
  return [status, text.replace(`/${name}/${id}`, `/${name}/ID`)];
}

/** Everything that belongs to the two. */
async function state() {
  const { db } = world.hub;
  const uids = [ann.channel.channel_id, bob.channel.channel_id];
  return {
    mail: await db.selectFrom("mail").selectAll().where("channel_id", "in", uids).orderBy("id").execute(),
    conv: await db.selectFrom("conv").selectAll().where("uid", "in", uids).orderBy("id").execute(),
    groups: await db.selectFrom("pgrp").selectAll().where("uid", "in", uids).orderBy("id").execute(),
    members: await db.selectFrom("pgrp_member").selectAll().where("uid", "in", uids).orderBy("id").execute(),
    notices: await db.selectFrom("notify").selectAll().where("uid", "in", uids).orderBy("id").execute(),
  };
}

describe.each([
  ["a message", messageDoors, () => [ids.sent, ids.received]],
  ["a group", groupDoors, () => [ids.group]],
  ["a notice", noteDoors, () => [ids.note]],
  ["a profile", profileDoors, () => [ids.profile]],
] as const)("%s of others", (_, doors, numbers) => {
  test.each(doors)("%s %s", async (...door) => {
    const before = await state();
    for (const person of [...outsiders, world.anonymous]) {
      const unknown = await ask(person, door, never);
      expect(unknown[1]).not.toContain(secret);
      for (const id of numbers()) expect(await ask(person, door, id)).toEqual(unknown);
    }
    expect(await state()).toEqual(before);
  });
});

test.each(messageDoors.filter(([, path]) => !path.includes("URI")))(
  "%s %s: the number of the other side's copy",
  async (...door) => {
    const before = await state();
    for (const [person, foreign] of [
      [bob, ids.sent],
      [ann, ids.received],
    ] as const)
      expect(await ask(person, door, foreign)).toEqual(await ask(person, door, never));
    expect(await state()).toEqual(before);
  },
);

const lists = [
  "direct_messages",
  "direct_messages/sent",
  "direct_messages/all",
  "direct_messages/conversation?uri=URI",
  "direct_messages/all?screen_name=ann",
  "direct_messages/all?screen_name=bob",
  `svc/direct_messages_search?searchstring=${secret}`,
  "svc/group_show",
  "svc/notifications",
  "svc/profile/show",
  "friendica/profile/show",
];

test.each(lists)("%s holds nothing of it for others", async (path) => {
  for (const person of outsiders)
    for (const format of ["", ".xml"]) {
      const [name, query = ""] = path.split("?");
      const { status, text } = await person.send("GET", `/api/${name}${format}?${query.replace("URI", uri)}`);
      expect([person.nick, status]).toEqual([person.nick, 200]);
      expect(text.replace(`searchstring=${secret}`, "")).not.toContain(secret);
    }
});

test("the address of a conversation is like any other", async () => {
  for (const person of outsiders) {
    const shown = await person.get("/api/direct_messages/conversation", { uri, svc_verbose: "true" });
    const unknown = await person.get("/api/direct_messages/conversation", { uri: "unknown", svc_verbose: "true" });
    expect([shown.status, shown.text]).toEqual([unknown.status, unknown.text]);
  }
});

test("members of a group do not learn of it, and people who see a profile not of its name", async () => {
  for (const path of ["svc/group_show", "svc/profile/show", "lists/memberships", "lists/ownerships"])
    expect((await bob.get(`/api/${path}`)).text).not.toContain(secret);
});

test("who is blocked cannot write, and is refused like anybody whose messages are not taken", async () => {
  const [, blocked, stranger] = outsiders;
  const before = await state();
  const answers = await Promise.all(
    [blocked!, stranger!].map((person) => person.post("/api/direct_messages/new", { text: "x", screen_name: "ann" })),
  );
  expect(answers[0]!.status).toBe(403);
  expect(answers[0]!.text).toBe(answers[1]!.text);
  expect(await state()).toEqual(before);
});
