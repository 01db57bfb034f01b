import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  block,
  connect,
  receiveAccept,
  receiveFollow,
  updateConnection,
} from "../src/domain/connections/connections.ts";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { setPermissionLimits } from "../src/domain/identity/channels/permission-limits.ts";
import { limits } from "../src/domain/identity/channels/roles.ts";
import type { Xchan } from "../src/domain/identity/xchans/xchans.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { shareItem } from "../src/domain/items/posting/share.ts";
import { keepSketch } from "../src/domain/items/posting/sketches.ts";
import type { Item } from "../src/domain/items/types.ts";
import { sendMessage } from "../src/domain/messages/send.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { momentIn } from "../src/hub.ts";
import { zeroDate } from "../src/storage/sql.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Answer, Client } from "./support/client.ts";
import { comparable, doors, native, pages } from "./support/doors.ts";
import type { Names } from "./support/doors.ts";
import { password } from "./support/hub.ts";
import { arrivesIn } from "./support/incoming.ts";
import type { Arrives } from "./support/incoming.ts";
import { bearerFor, mastodonPerson } from "./support/mastodon.ts";
import { befriend, connectionId, copyOf, nobody } from "./support/people.ts";
import { readsAs } from "./support/reads-as.ts";
import { outOf } from "./support/sent.ts";
import type { Sent } from "./support/sent.ts";
import { keys, now, pemOf } from "./support/signed-requests.ts";

/**
 * What reaches people by somebody else than its author: groups of elsewhere that hand on what is posted to them, owners of threads who say
 * who reads an answer, messages to several, shares, exports. It is for those alone whom that names. A new way gets a row here.
 */

const nicks = ["ben", "cleo", "dora", "emil"] as const;
type Nick = (typeof nicks)[number];

let world: TestApp;
let arrives: Arrives;
let sent: () => Promise<Sent[]>;
/** Ben and Cleo are members of the club; Emil follows its hub's people and not the club; Dora nobody there. */
let people: Record<Nick, Person>;
let carla: Xchan;
let club: Xchan;
let count = 0;

const here = (nick: Nick): string => `http://hub.example/channel/${nick}`;

async function meet(nick: string, type: "Person" | "Group" = "Person"): Promise<Xchan> {
  const actor = actorOf(nick, { type });
  return meetActor(world.hub, { ...actor, keys: [{ ...actor.keys[0]!, key: pemOf(keys.ann.publicKey) }] });
}

beforeAll(async () => {
  // Everything is taken there, and nothing is found.
  const answer: typeof fetch = (_, how) =>
    Promise.resolve(new Response("", { status: how?.method === "POST" ? 202 : 404 }));
  world = await openTestApp({ clock: now, fetch: answer });
  [arrives, sent] = [arrivesIn(world.hub), outOf(world)];
  const made = await Promise.all(nicks.map((nick) => world.person(nick, { role: "feed" })));
  people = Object.fromEntries(nicks.map((nick, index) => [nick, made[index]!])) as Record<Nick, Person>;
  [carla, club] = [await meet("carla"), await meet("club", "Group")];
  const { ben, cleo, dora, emil } = people;
  for (const [one, other] of [
    [ben, cleo],
    [ben, dora],
    [ben, emil],
  ] as const)
    await befriend(world.hub, one.channel, other.channel);
  for (const [member, other] of [
    [ben, carla],
    [cleo, carla],
    [emil, carla],
    [ben, club],
    [cleo, club],
  ] as const) {
    await connect(world.hub, member.channel, other);
    await receiveAccept(world.hub, member.channel, other);
  }
  await sent();
});
afterAll(() => world.close());

const word = (): string => `marmalade${++count}x`;

/** What Ben posts for the club alone, and the club announces to its members here. */
async function postToClub(body: string): Promise<Names> {
  const { ben } = people;
  const { id, mid, uuid } = await postItem(world.hub, ben.channel, {
    body,
    audience: { ...nobody, allow_cid: [club.xchan_hash] },
  });
  await world.work();
  await arrives({
    id: `${club.xchan_hash}/tells/${++count}`,
    type: "Announce",
    actor: club.xchan_hash,
    to: [`${club.xchan_hash}/followers`],
    object: { id: `http://hub.example/activity/${uuid}`, type: "Create", actor: here("ben"), object: mid },
  });
  await world.work();
  return { id, mid, uuid };
}

/** What Ben answers in Carla's thread for himself and Cleo, and Carla's hub hands back for Cleo. */
async function handedBack(body: string): Promise<Names> {
  const id = `https://far.example/notes/${++count}`;
  const to = [here("ben"), here("cleo")];
  const note = {
    id,
    type: "Note",
    attributedTo: carla.xchan_hash,
    to,
    content: "<p>top</p>",
    context: `${id}/context`,
  };
  await arrives({ id: `${id}/create`, type: "Create", actor: carla.xchan_hash, to, object: note });
  const item = await postItem(world.hub, people.ben.channel, { body, parent: { mid: id } });
  await world.work();
  await arrives({
    id: `${carla.xchan_hash}/tells/${++count}`,
    type: "Add",
    actor: carla.xchan_hash,
    to: [here("cleo")],
    object: {
      id: `http://hub.example/activity/${item.uuid}`,
      type: "Create",
      actor: here("ben"),
      object: item.mid,
    },
    target: { id: `${carla.xchan_hash}/history/${count}`, type: "OrderedCollection", attributedTo: carla.xchan_hash },
  });
  await world.work();
  return { id: item.id, mid: item.mid, uuid: item.uuid };
}

const never = 987_654_321;
const neverUuid = "00000000-0000-4000-8000-000000000000";
const nothing = (): Names => ({ id: never, mid: `http://hub.example/item/${neverUuid}`, uuid: neverUuid });

async function listsSay(client: Client): Promise<string> {
  const found = await Promise.all(
    [
      `${native}/network/stream?records=50`,
      `${native}/network/stream?search=marmalade`,
      `${native}/channel/stream?records=50`,
      "/api/statuses/home_timeline?count=50",
      "/api/statuses/public_timeline?count=50",
      "/api/statuses/networkpublic_timeline?count=50",
      "/api/statuses/user_timeline?screen_name=ben&count=50",
      "/api/statuses/mentions?count=50",
      "/api/direct_messages/all?count=50",
      "/api/search?q=marmalade",
      "/channel/ben",
      "/outbox/ben?page=first",
      "/search?q=marmalade",
    ].map((path) => client.get(path)),
  );
  return found.map(({ text }) => text).join("\n");
}

describe.each([
  ["a post for a group of elsewhere, which hands it on", postToClub],
  ["an answer that the owner of a thread of elsewhere hands back", handedBack],
])("%s", (_, make) => {
  let secret: string;
  let names: Names;

  beforeAll(async () => {
    secret = word();
    names = await make(`${secret} #preserves`);
  });

  test.each(["ben", "cleo"] as const)("is read by %s", async (nick) => {
    expect(await listsSay(people[nick])).toContain(secret);
    expect((await people[nick].get(`${native}/item/full`, { mid: names.mid })).text).toContain(secret);
  });

  test.each(["dora", "emil"] as const)("does not exist for %s at any door", async (nick) => {
    expect(await listsSay(people[nick])).not.toContain(secret);
    for (const [name, open] of [...doors, ...pages]) {
      const [real, none] = [await open(people[nick], names), await open(people[nick], nothing())];
      expect([name, comparable(real, names)]).toEqual([name, comparable(none, nothing())]);
      expect(real.text).not.toContain(secret);
    }
  });

  test("does not exist for strangers, and for hubs of whoever signs and is not meant", async () => {
    expect(await listsSay(world.anonymous)).not.toContain(secret);
    for (const [name, open] of pages) {
      const [real, none] = [await open(world.anonymous, names), await open(world.anonymous, nothing())];
      expect([name, comparable(real, names)]).toEqual([name, comparable(none, nothing())]);
    }
    const dave = await meet("dave");
    for (const path of [`/item/${names.uuid}`, `/activity/${names.uuid}`, `/item/${names.uuid}/replies`])
      expect([path, (await readsAs(world.anonymous, path, dave.xchan_hash)).status]).toEqual([path, 404]);
  });
});

describe("what is in a forum of this hub", () => {
  const [open, closed] = [word(), word()];
  /** A forum for everybody and one for its members alone: Ben here, and Carla elsewhere. */
  let board: Person;
  let guild: Person;
  /** Whoever signs and is no member of the guild: unknown, waiting to be let in, and let in and blocked since. */
  let outsiders: Record<string, Xchan>;
  const posted: Record<"own" | "members" | "answer" | "public", Item> = {} as never;

  beforeAll(async () => {
    const { hub } = world;
    [board, guild] = [
      await world.person("board", { role: "forum" }),
      await world.person("guild", { role: "forum_private" }),
    ];
    outsiders = { unknown: await meet("dave"), waiting: await meet("wanda"), blocked: await meet("frank") };
    const { waiting, blocked } = outsiders;
    for (const person of [carla, waiting!, blocked!])
      await receiveFollow(hub, guild.channel, person, `${person.xchan_hash}/follow/guild`);
    for (const person of [carla, blocked!]) await connect(hub, guild.channel, person);
    await block(hub, guild.channel, blocked!);
    for (const forum of [board, guild]) await befriend(hub, forum.channel, people.ben.channel);
    posted.own = await postItem(hub, guild.channel, { body: closed, publicPolicy: "contacts" });
    const audience = { ...nobody, allow_cid: [guild.channel.channel_hash] };
    posted.members = await postItem(hub, people.ben.channel, { body: closed, audience });
    posted.public = await postItem(hub, people.ben.channel, { body: `${open} for @board` });
    await world.work();
    posted.answer = await postItem(hub, people.ben.channel, { body: closed, parent: { mid: posted.members.mid } });
    await world.work();
  });

  const kinds = ["item/*", "activity/*", "item/*/replies", "item/*/likes", "item/*/shares"];
  const threads = ["conversation/*", "conversation/*/history", "conversation/*/history?page=first"];
  const documents = ({ uuid }: Pick<Item, "uuid">): string[] =>
    kinds.concat(threads).map((path) => `/${path.replace("*", uuid)}`);
  const collections = ["outbox", "featured", "followers", "following"].flatMap((name) =>
    ["guild", "board", "ben"].map((nick) => `/${name}/${nick}?page=first`),
  );
  const accept = { headers: { accept: "application/activity+json" } };
  const unsigned = (path: string): Promise<Answer> => world.anonymous.get(path, {}, accept);

  test("is served to whom it is for, and what is for everybody to all", async () => {
    for (const { uuid } of [posted.own, posted.members, posted.answer])
      expect((await readsAs(world.anonymous, `/item/${uuid}`, carla.xchan_hash)).text).toContain(closed);
    for (const read of [unsigned, (path: string) => readsAs(world.anonymous, path, outsiders["unknown"]!.xchan_hash)])
      expect((await read(`/item/${posted.public.uuid}`)).text).toContain(open);
  });

  test("does not exist for anybody else, signed or not", async () => {
    const readers: [string, (path: string) => Promise<Answer>][] = [
      ["unsigned", unsigned],
      ...Object.entries(outsiders).map(([name, { xchan_hash }]): [string, (path: string) => Promise<Answer>] => [
        name,
        (path) => readsAs(world.anonymous, path, xchan_hash),
      ]),
    ];
    for (const [name, read] of readers) {
      for (const one of [posted.own, posted.members, posted.answer]) {
        const unknown = documents({ uuid: neverUuid });
        for (const [at, path] of documents(one).entries()) {
          const [real, none] = [await read(path), await read(unknown[at]!)];
          const said = comparable(real, { id: one.id, mid: one.mid, uuid: one.uuid });
          expect([name, path, said]).toEqual([name, path, comparable(none, nothing())]);
        }
      }
      const uuids = [posted.own, posted.members, posted.answer].map(({ uuid }) => uuid);
      for (const path of collections) {
        const { text } = await read(path);
        expect([name, path, [closed, ...uuids].filter((secret) => text.includes(secret))]).toEqual([name, path, []]);
      }
    }
  });

  test("what the forum has taken out is still what its author has said to everybody", async () => {
    const { id } = (await copyOf(world.hub, board.channel, posted.public))!;
    await board.post("/api/statuses/destroy", { id });
    await world.work();
    expect((await unsigned(`/item/${posted.public.uuid}`)).text).toContain(open);
    expect((await unsigned("/outbox/board?page=first")).text).not.toContain(open);
  });
});

describe("a message to several", () => {
  test("is read by those alone, and its answer by those of them whom the writer has not blocked", async () => {
    const { ben, cleo, dora, emil } = people;
    await befriend(world.hub, cleo.channel, dora.channel);
    const [first, second] = [word(), word()];
    const begun = await sendMessage(world.hub, ben.channel, {
      to: cleo.channel.channel_hash,
      also: [dora.channel.channel_hash],
      body: first,
    });
    await world.work();
    const reads = async (one: Person) => {
      const app = await mastodonPerson(world, one.channel);
      const said = [await listsSay(one), (await app.get("/api/v1/conversations")).text].join("\n");
      return [first, second].map((text) => said.includes(text));
    };
    const blocked = await connectionId(world.hub, ben.channel, dora.channel);
    await updateConnection(world.hub, ben.channel, blocked, { blocked: true });
    const answer = sendMessage(world.hub, ben.channel, {
      to: cleo.channel.channel_hash,
      also: [dora.channel.channel_hash],
      body: second,
      replyTo: begun.id,
    });
    await expect(answer).rejects.toMatchObject({ code: "you_have_blocked" });
    await sendMessage(world.hub, ben.channel, { to: cleo.channel.channel_hash, body: second, replyTo: begun.id });
    await world.work();
    expect(await reads(ben)).toEqual([true, true]);
    expect(await reads(cleo)).toEqual([true, true]);
    expect(await reads(dora)).toEqual([true, false]);
    expect(await reads(emil)).toEqual([false, false]);
    await updateConnection(world.hub, ben.channel, blocked, { blocked: false });
  });

  test("is not read by whose account has run out", async () => {
    const { ben, cleo, dora } = people;
    const secret = word();
    await sendMessage(world.hub, ben.channel, {
      to: cleo.channel.channel_hash,
      also: [dora.channel.channel_hash],
      body: secret,
    });
    await world.work();
    const app = await mastodonPerson(world, dora.channel);
    const reads = async (): Promise<boolean[]> => [
      (await listsSay(dora)).includes(secret),
      (await app.get("/api/v1/conversations")).text.includes(secret),
    ];
    expect(await reads()).toEqual([true, true]);
    const until = (account_expires: string) =>
      world.hub.db
        .updateTable("account")
        .set({ account_expires })
        .where("account_id", "=", dora.channel.channel_account_id)
        .execute();
    await until(momentIn(world.hub, -60_000));
    expect(await reads()).toEqual([false, false]);
    expect(await listsSay(cleo)).toContain(secret);
    await until(zeroDate);
  });
});

describe("what goes to other hubs", () => {
  test("a share tells the author elsewhere where everybody may see it, and nobody elsewhere where not", async () => {
    const { ben } = people;
    const id = `https://far.example/notes/${++count}`;
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    const note = { id, type: "Note", attributedTo: carla.xchan_hash, to, content: "<p>for all</p>" };
    await arrives({ id: `${id}/create`, type: "Create", actor: carla.xchan_hash, to, object: note });
    await setPermissionLimits(world.hub, ben.channel.channel_id, { view_stream: limits.specific });
    await sent();
    const quiet = await shareItem(world.hub, ben.channel, { mid: id });
    expect(quiet.item_private).toBe(1);
    expect((await sent()).filter(({ bytes }) => bytes.includes("Announce"))).toEqual([]);
    await ben.post("/api/statuses/destroy", { id: quiet.id });
    await setPermissionLimits(world.hub, ben.channel.channel_id, { view_stream: limits.public });
    await sent();
    await shareItem(world.hub, ben.channel, { mid: id });
    const told = (await sent()).filter(({ activity }) => activity.type === "Announce");
    expect(told.flatMap((one) => one.people)).toContain(carla.xchan_id);
  });

  test("what is for people of whom one is a group of elsewhere goes to the others alone", async () => {
    const { ben } = people;
    const group = await createGroup(world.hub, ben.channel.channel_id, "Kitchen");
    for (const one of [carla, club]) await receiveFollow(world.hub, ben.channel, one, `${one.xchan_hash}/follow`);
    await addMembers(world.hub, ben.channel.channel_id, group.id, [carla.xchan_hash, club.xchan_hash]);
    await sent();
    const secret = word();
    await postItem(world.hub, ben.channel, { body: secret, audience: { ...nobody, allow_gid: [group.hash] } });
    const went = (await sent()).filter(({ bytes }) => bytes.includes(secret));
    expect(went.flatMap((one) => one.people)).toEqual([carla.xchan_id]);
    for (const { inbox, bytes } of went) expect(`${inbox} ${bytes}`).not.toContain("/users/club");
  });
});

describe("a draft", () => {
  test("is in an export of its own channel alone, for the password of its account", async () => {
    const { ben, dora } = people;
    const secret = word();
    await keepSketch(world.hub, ben.channel, { name: "half-a-thought", place: "/network", fields: [["body", secret]] });
    const account = await world.hub.db
      .selectFrom("account")
      .selectAll()
      .where("account_id", "=", ben.channel.channel_account_id)
      .executeTakeFirstOrThrow();
    await createChannel(world.hub, account, { nick: "bens-other", name: "Other" });
    const path = `${native}/channel/export/basic`;
    expect((await ben.get(path)).text).toContain(secret);
    // The same account, and others.
    for (const one of [clientOf(world.app, `bens-other:${password}`), dora]) {
      const { status, text } = await one.get(path);
      expect([status, text.includes(secret)]).toEqual([200, false]);
    }
    expect((await world.anonymous.get(path)).status).toBe(401);
    const authorization = `Bearer ${await bearerFor(world, ben.channel)}`;
    const byApp = await world.anonymous.get(path, {}, { headers: { authorization } });
    expect([byApp.status, byApp.text.includes(secret)]).toEqual([403, false]);
  });
});
