import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../../test/support/actors.ts";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { oracleSees } from "../../../../test/support/permission-oracle.ts";
import { foreigner } from "../../../../test/support/random-world.ts";
import type { World, WorldItem } from "../../../../test/support/random-world.ts";
import { readsAs } from "../../../../test/support/reads-as.ts";
import { outOf } from "../../../../test/support/sent.ts";
import type { Sent } from "../../../../test/support/sent.ts";
import { keys, now, pemOf } from "../../../../test/support/signed-requests.ts";
import { size } from "../../../../test/support/size.ts";
import { receiveFollow } from "../../../domain/connections/connections.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import { meetActor } from "../../../domain/peers/meet-actor.ts";

/**
 * Posts for random audiences, with answers, edits and deletions, and people of three hubs who are connected in any way: no byte
 * reaches a hub that has nobody for whom it is, by the rules of who may see what said once more without any SQL. By the same rules
 * they read, when they sign for themselves; those who sign for a whole server read what is for everybody.
 */

let world: TestApp;
let sent: () => Promise<Sent[]>;
let alma: Person;
let bruno: Person;
let everyone: Xchan[];
/** Follows alma, and reads for all of its hub. */
let server: Xchan;
let groups: { id: number; members: Set<number> }[];

/** Two hubs with an inbox for all, one without. */
const hosts = [
  "far.example",
  "far.example",
  "far.example",
  "near.example",
  "near.example",
  "small.example",
  "small.example",
];
const people = hosts.map((_, index) => index);

type State = "stranger" | "follower" | "followed" | "pending" | "blocked" | "archived";
type Connected = { state: State; granted: boolean };
type Case = {
  limit: keyof typeof limits;
  connected: Connected[];
  members: number[][];
  lists: { allowPeople: number[]; allowGroups: number[]; denyPeople: number[]; denyGroups: number[] };
  policy: string;
  mentioned: number[];
  later: { person: number; state: State };
};

const states = fc.constantFrom<State>(
  "stranger",
  "follower",
  "follower",
  "follower",
  "followed",
  "pending",
  "blocked",
  "archived",
);
const some = fc.subarray(people, { maxLength: 4 });
const someGroups = fc.subarray([0, 1], { maxLength: 1 });
const nobody = { allowPeople: [], allowGroups: [], denyPeople: [], denyGroups: [] };

const cases: fc.Arbitrary<Case> = fc.record({
  limit: fc.constantFrom<Case["limit"]>(
    "public",
    "public",
    "authenticated",
    "contacts",
    "specific",
    "anyConnections",
    "network",
    "self",
  ),
  connected: fc.tuple(...people.map(() => fc.record({ state: states, granted: fc.boolean() }))),
  members: fc.tuple(some, some),
  lists: fc.oneof(
    fc.constant(nobody),
    fc.record({ allowPeople: some, allowGroups: someGroups, denyPeople: some, denyGroups: someGroups }),
  ),
  policy: fc.constantFrom(
    "",
    "",
    "contacts",
    "any connections",
    "authenticated",
    "network: red",
    "site: hub.example",
    "self",
  ),
  mentioned: some,
  later: fc.record({ person: fc.constantFrom(...people), state: states }),
});

beforeAll(async () => {
  world = await openTestApp({ clock: now });
  sent = outOf(world);
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  await befriend(world.hub, alma.channel, bruno.channel);
  everyone = [];
  for (const [index, host] of hosts.entries()) {
    const actor = actorOf(`person${index}`);
    const moved = JSON.parse(JSON.stringify(actor).replaceAll("far.example", host)) as typeof actor;
    const own = [{ ...moved.keys[0]!, key: pemOf(keys.ann.publicKey) }];
    everyone.push(
      await meetActor(world.hub, { ...moved, keys: own, ...(host === "small.example" && { sharedInbox: "" }) }),
    );
  }
  const machine = actorOf("server", { type: "Application" });
  const key = { ...machine.keys[0]!, key: pemOf(keys.ann.publicKey) };
  server = await meetActor(world.hub, { ...machine, keys: [key] });
  groups = [];
  for (const n of [0, 1]) {
    const { json } = await alma.post("/api/friendica/group_create", {
      name: `Secrets${n}`,
      json: JSON.stringify({ name: `Secrets${n}`, gid: 0, user: [] }),
    });
    groups.push({ id: Number(json.gid), members: new Set() });
  }
});
afterAll(() => world.close());

/** Brings one person into this state with alma, whatever it was before. */
async function relate(person: number, { state, granted }: Connected): Promise<void> {
  const { hub } = world;
  const uid = alma.channel.channel_id;
  const { xchan_hash } = everyone[person]!;
  await hub.db.deleteFrom("abook").where("abook_channel", "=", uid).where("abook_xchan", "=", xchan_hash).execute();
  await hub.db.deleteFrom("abconfig").where("chan", "=", uid).where("xchan", "=", xchan_hash).execute();
  if (state === "stranger") return;
  await receiveFollow(hub, alma.channel, everyone[person]!, `${xchan_hash}/follow`);
  const changes = {
    abook_pending: state === "pending" ? 1 : 0,
    abook_blocked: state === "blocked" ? 1 : 0,
    abook_archived: state === "archived" ? 1 : 0,
    follow_in: state === "pending" ? "pending" : state === "follower" || state === "archived" ? "accepted" : "none",
    follow_out: state === "followed" ? "accepted" : "none",
  } as const;
  await hub.db
    .updateTable("abook")
    .set(changes)
    .where("abook_channel", "=", uid)
    .where("abook_xchan", "=", xchan_hash)
    .execute();
  await hub.db.deleteFrom("abconfig").where("chan", "=", uid).where("xchan", "=", xchan_hash).execute();
  const grant = { chan: uid, xchan: xchan_hash, cat: "my_perms", k: "view_stream", v: "1" };
  if (granted) await hub.db.insertInto("abconfig").values(grant).execute();
}

async function fill(group: number, members: number[]): Promise<void> {
  const { hub } = world;
  await hub.db.deleteFrom("pgrp_member").where("gid", "=", groups[group]!.id).execute();
  for (const member of members)
    await hub.db
      .insertInto("pgrp_member")
      .values({ uid: alma.channel.channel_id, gid: groups[group]!.id, xchan: everyone[member]!.xchan_hash })
      .execute();
}

/** May this person see alma's post? By the oracle, which knows one person of elsewhere. */
function sees({ limit, connected, members, lists }: Case, policy: string, person: number): boolean {
  const { state, granted } = connected[person]!;
  const among = (list: number[]): number[] => (list.includes(person) ? [foreigner] : []);
  const one: World = {
    channels: [{ removed: false, moved: false, limits: { view_stream: limits[limit] } }],
    connections:
      state === "stranger"
        ? []
        : [
            {
              from: 0,
              to: foreigner,
              pending: state === "pending",
              blocked: state === "blocked",
              ignored: false,
              profile: "",
              grants: granted ? ["view_stream"] : [],
            },
          ],
    groups: members.map((list) => ({ uid: 0, deleted: false, members: among(list) })),
    items: [],
    guests: [],
    blockPublic: false,
  };
  const listed = Object.values(lists).some((list) => list.length > 0);
  const item: WorldItem = {
    uid: 0,
    kind: "conversation",
    wall: true,
    private: listed || policy !== "" ? 1 : 0,
    policy: listed ? "" : policy,
    // Somebody else's name stands for all others.
    allowPeople: lists.allowPeople.length > 0 ? [...among(lists.allowPeople), 1] : [],
    allowGroups: lists.allowGroups.map((group) => `g${group}`),
    denyPeople: lists.denyPeople.length > 0 ? [...among(lists.denyPeople), 1] : [],
    denyGroups: lists.denyGroups.map((group) => `g${group}`),
    flaw: "",
    said: "",
  };
  return oracleSees(one, item, foreigner, "view_stream");
}

/** What each of them finds at the address of a post, and at last whoever reads for a whole server. */
async function statusesAt(mid: string): Promise<number[]> {
  const path = new URL(mid).pathname;
  const answers = [...everyone, server].map(({ xchan_hash }) => readsAs(world.anonymous, path, xchan_hash));
  return (await Promise.all(answers)).map(({ status }) => status);
}

const hostsOf = (inboxes: string[]): string[] => [...new Set(inboxes.map((inbox) => new URL(inbox).host))].toSorted();
const hashes = (list: number[]): string[] => list.map((person) => everyone[person]!.xchan_hash);
const ids = (list: number[]): string[] => list.map((group) => String(groups[group]!.id));

async function isPublic(id: number): Promise<{ policy: string; private: number }> {
  const row = await world.hub.db
    .selectFrom("item")
    .select(["public_policy", "item_private"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { policy: row.public_policy, private: row.item_private };
}

/**
 * No hub gets anything for which it has nobody, or learns of anybody else; and what is for followers as such no hub that has one who is
 * not meant, because it would show it to them all.
 */
function check(all: Sent[], allowed: readonly number[], isForAll: boolean, { connected }: Case): void {
  const permitted = new Set(allowed.map((person) => hosts[person]!));
  for (const { inbox, bytes, people: to } of all) {
    const { host } = new URL(inbox);
    expect([...permitted]).toContain(host);
    const named = to.map((id) => everyone.findIndex((person) => person.xchan_id === id));
    expect(named.filter((person) => hosts[person] !== host || !allowed.includes(person))).toEqual([]);
    expect(bytes).not.toMatch(/Secrets|"(?:bto|bcc)"|\/group\//);
    if (isForAll) continue;
    const { to: addressed, cc } = JSON.parse(bytes) as { to: string[]; cc: string[] };
    if ([...addressed, ...cc].some((id) => id.endsWith("/followers/alma"))) {
      const follow = people.filter((person) => ["follower", "archived"].includes(connected[person]!.state));
      expect(follow.filter((person) => hosts[person] === host && !allowed.includes(person))).toEqual([]);
    }
    for (const other of new Set(hosts)) if (other !== host) expect(bytes).not.toContain(`https://${other}`);
  }
}

test("nothing reaches a hub that has nobody for whom it is", async () => {
  let privately = 0;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      await setPermissionLimits(world.hub, alma.channel.channel_id, { view_stream: limits[one.limit] });
      for (const person of people) await relate(person, one.connected[person]!);
      for (const [group, members] of one.members.entries()) await fill(group, members);
      await sent();
      const secret = `secret-${++count}-`;
      const { lists } = one;
      const mentions = one.mentioned.map((person) => `@person${person}@${hosts[person]}`).join(" ");
      const listed = Object.values(lists).some((list) => list.length > 0);
      const answer = await alma.post("/api/z/1.0/item/update", {
        body: listed || one.policy !== "" || one.limit !== "public" ? secret : `${secret} ${mentions}`,
        ...(one.policy !== "" && { public_policy: one.policy }),
        contact_allow: hashes(lists.allowPeople),
        group_allow: ids(lists.allowGroups),
        contact_deny: hashes(lists.denyPeople),
        group_deny: ids(lists.denyGroups),
      });
      expect(answer.status).toBe(200);
      const { id, mid } = answer.json.item as { id: number; mid: string };
      const { policy, private: isPrivate } = await isPublic(id);
      if (isPrivate) privately += 1;
      const readers = people.filter(
        (person) => sees(one, policy, person) && one.connected[person]!.state !== "archived",
      );
      const posted = await sent();
      check(posted, readers, isPrivate === 0, one);
      // Whoever is named, or follows, gets it.
      const follows = readers.filter((person) => one.connected[person]!.state === "follower");
      const names = lists.allowPeople.length + lists.allowGroups.length > 0;
      const silent = ["self", "network: red", "site: hub.example"].includes(policy);
      const meant = names ? readers : silent ? [] : follows;
      const reached = new Set(posted.flatMap(({ people: to }) => to));
      expect(meant.filter((person) => !reached.has(everyone[person]!.xchan_id))).toEqual([]);
      const isOpen = one.limit === "public" && isPrivate === 0;
      const read = () => {
        const mayRead = [...people.map((person) => sees(one, policy, person)), false];
        return mayRead.map((may) => (may || isOpen ? 200 : 404));
      };
      expect(await statusesAt(mid)).toEqual(read());
      // Somebody leaves, or comes: from now on they get no more, or nothing that others got before.
      one.connected[one.later.person] = { state: one.later.state, granted: false };
      await relate(one.later.person, one.connected[one.later.person]!);
      await sent();
      expect(await statusesAt(mid)).toEqual(read());
      const still = people.filter((person) => sees(one, policy, person) && one.connected[person]!.state !== "archived");
      await bruno.post("/api/z/1.0/item/update", { body: `${secret} as well`, parent_mid: mid });
      const answers = await sent();
      await alma.post("/api/z/1.0/item/update", { post_id: id, body: `${secret} again` });
      const edits = await sent();
      if (isPrivate) {
        check([...answers, ...edits], still, false, one);
        const had = new Set(posted.flatMap(({ people: to }) => to));
        expect([...answers, ...edits].flatMap(({ people: to }) => to).filter((person) => !had.has(person))).toEqual([]);
      }
      await alma.post("/api/statuses/destroy", { id });
      const gone = await sent();
      const own = gone.filter(({ activity }) => activity.object.id === mid).map(({ inbox }) => inbox);
      expect(posted.map(({ inbox }) => inbox).filter((inbox) => !own.includes(inbox))).toEqual([]);
      if (isPrivate) expect(hostsOf(own)).toEqual(hostsOf(posted.map(({ inbox }) => inbox)));
      for (const { bytes } of gone) expect(bytes).not.toContain(secret);
      if (isPrivate) for (const { bytes } of gone) expect(bytes).not.toMatch(/https:\/\/(?:far|near|small)\.example/);
    }),
    { numRuns: size(25, 400) },
  );
  expect(privately).toBeGreaterThan(5);
});
