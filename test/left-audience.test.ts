import { createWriteStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addMembers, createGroup, removeMembers, renameGroup } from "../src/domain/groups/groups.ts";
import { connect, receiveFollow, removeConnection } from "../src/domain/connections/connections.ts";
import { createGuest } from "../src/domain/connections/guests.ts";
import { messageOfEvent } from "../src/domain/events/find.ts";
import { saveEvent } from "../src/domain/events/save.ts";
import { exportArchive } from "../src/domain/export/archive.ts";
import { importNow } from "../src/domain/import/start.ts";
import { choose } from "../src/domain/notifications/choices.ts";
import { findOwnItem } from "../src/domain/items/find.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { react } from "../src/domain/items/posting/react.ts";
import type { Audience, Item } from "../src/domain/items/types.ts";
import { guestHash } from "../src/domain/identity/xchans/guest-hash.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { listsOf, native } from "./support/doors.ts";
import { openElsewhere } from "./support/elsewhere.ts";
import { password } from "./support/hub.ts";
import { listenTo } from "./support/listen-to.ts";
import { openMailbox } from "./support/mailbox.ts";
import type { Mailbox } from "./support/mailbox.ts";
import { bearerFor, mastodonClient } from "./support/mastodon.ts";
import type { MastodonClient } from "./support/mastodon.ts";
import { befriend, connectionId, nobody } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";
import { newDevice } from "./support/push-receiver.ts";
import { readsAs } from "./support/reads-as.ts";
import { keys, now, pemOf } from "./support/signed-requests.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/**
 * Whoever has left the audience of a private post keeps what they had of it, and reads by no door what is written there afterwards. A
 * new door gets a row here.
 */

const before = "marmalade";
const after = "gooseberry";
const mine = "bilberry";

/** Somebody of another hub, who signs what they ask for. */
const ines = "https://far.example/users/ines";
const elsewhere = openElsewhere();
const device = newDevice("https://push.example/bob");
let mailbox: Mailbox;
let world: TestApp;
let alice: Person;
let bob: Person;
let carla: Person;
let apps: Record<"alice" | "bob" | "carla", MastodonClient>;
let token: string;
let browser: Visitor;
let guest: Visitor;
let group: { id: number; hash: string };
let audience: Audience;
let post: Item;
let comment: Item;
let own: Item;
let heard: string[];
/** What the doors of `byRight` showed while everybody was there. */
let seenBefore: Read[];

async function copyOf({ channel }: Person, mid: string): Promise<Item> {
  return (await findOwnItem(world.hub, channel.channel_id, { mid }))!;
}

async function edit(person: Person, { id }: Item, form: object): Promise<void> {
  world.hub.advance(60);
  expect((await person.post(`${native}/item/update`, { post_id: id, ...form })).status).toBe(200);
  await world.work();
}

beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({ env: { HUBBUB_SMTP_URL: mailbox.url }, clock: now, fetch: elsewhere.fetch });
  const { hub } = world;
  [alice, bob, carla] = [await world.person("alice"), await world.person("bob"), await world.person("carla")];
  for (const one of [bob, carla]) await befriend(hub, alice.channel, one.channel);
  token = await bearerFor(world, bob.channel, "read write follow push");
  apps = {
    alice: mastodonClient(world, await bearerFor(world, alice.channel)),
    bob: mastodonClient(world, token),
    carla: mastodonClient(world, await bearerFor(world, carla.channel, "read write follow")),
  };
  browser = visitorOf(world.app);
  await browser.logIn("bob", password);
  const digest = { page: true, push: true, mail: "digest" } as const;
  await choose(hub, bob.channel.channel_id, { comment: digest, mention: digest, post: digest });
  elsewhere.put("https://push.example/bob", 201);
  const alerts = { mention: true, status: true, favourite: true, update: true, poll: true };
  await apps.bob.post("/api/v1/push/subscription", { subscription: device.form, data: { alerts } });
  await apps.bob.post(`/api/v1/accounts/${alice.channel.xchan_id}/follow`, { notify: true });
  group = await createGroup(hub, alice.channel.channel_id, "Kitchen");
  const { atoken_token, atoken_name } = await createGuest(hub, alice.channel, { name: "Gina" });
  guest = visitorOf(world.app);
  await guest.get(`/channel/alice?zat=${atoken_token}`);
  const key = { id: `${ines}#main-key`, kind: "rsa" as const, key: pemOf(keys.ann.publicKey) };
  const met = await meetActor(hub, actorOf("ines", { keys: [key] }));
  await receiveFollow(hub, alice.channel, met, "https://far.example/follow/1");
  await connect(hub, alice.channel, met);
  for (const url of [`${ines}/inbox`, "https://far.example/inbox", "https://receiver.example/bob"])
    elsewhere.put(url, 202);
  const events = ["post.received", "comment.received", "mention.received"];
  await bob.post(`${native}/webhook`, { url: "https://receiver.example/bob", events });
  const leaving = [bob.channel.channel_hash, guestHash(alice.channel, { atoken_name }), ines];
  await addMembers(hub, alice.channel.channel_id, group.id, [...leaving, carla.channel.channel_hash]);
  audience = { ...nobody, allow_gid: [group.hash] };
  post = await postItem(hub, alice.channel, {
    body: `${before} #preserves`,
    title: `About ${before}`,
    categories: ["kitchen"],
    audience,
  });
  await world.work();
  await edit(alice, post, { body: `${before}, once more #preserves` });
  own = await postItem(hub, bob.channel, { body: mine, parent: { mid: post.mid } });
  comment = await postItem(hub, carla.channel, { body: `${before} by Carla`, parent: { mid: post.mid } });
  await world.work();

  seenBefore = [];
  for (const [, open] of byRight) seenBefore.push(await open());
  await removeMembers(hub, alice.channel.channel_id, group.id, leaving);
  elsewhere.asked.length = 0;
  const streams = await Promise.all(
    ["user", "user/notification", "hashtag?tag=preserves"].map((stream) =>
      listenTo(world, `/api/v1/streaming/${stream}`, { authorization: `Bearer ${token}` }),
    ),
  );
  await edit(alice, post, {
    title: `About ${after}`,
    summary: `${after} inside`,
    body: `${after} @bob #preserves #${after} https://${after}.example/`,
    categories: "kitchen",
  });
  await edit(carla, await copyOf(carla, comment.mid), { body: `${after} by Carla` });
  await postItem(hub, carla.channel, { body: `new ${after} by Carla @bob`, parent: { mid: post.mid } });
  await world.work();
  await postItem(hub, alice.channel, { body: "the end for all #preserves" });
  await world.work();
  await vi.waitUntil(() => streams[0]!.said().includes("the end for all"));
  for (const { stop } of streams) await stop();
  heard = streams.map(({ said }) => said());
});
afterAll(async () => {
  await world?.close();
  await mailbox?.close();
});

type Read = { status: number; text: string };
type Door = [name: string, open: () => Promise<Read>];

const idOf = async (item: Item): Promise<number> => (await copyOf(bob, item.mid)).id;
const thread: Door[] = [
  ["item/full", async () => bob.get(`${native}/item/full`, { item_id: await idOf(post) })],
  ["item/full by mid", () => bob.get(`${native}/item/full`, { mid: post.mid })],
  ["network/stream", () => bob.get(`${native}/network/stream`)],
  ["network/stream by mid", () => bob.get(`${native}/network/stream`, { mid: post.mid })],
  ["statuses/show", async () => bob.get("/api/statuses/show", { id: await idOf(post) })],
  ["conversation/show", async () => bob.get("/api/conversation/show", { id: await idOf(post) })],
  ["home_timeline", () => bob.get("/api/statuses/home_timeline")],
  ["the status", async () => apps.bob.get(`/api/v1/statuses/${await idOf(post)}`)],
  ["the context of the comment", async () => apps.bob.get(`/api/v1/statuses/${await idOf(comment)}/context`)],
  ["the history of the status", async () => apps.bob.get(`/api/v1/statuses/${await idOf(post)}/history`)],
  ["the home of applications", () => apps.bob.get("/api/v1/timelines/home")],
  ["the search of applications", () => apps.bob.get("/api/v2/search", { q: before })],
  ["the page of the thread", () => browser.get(`/display/${post.uuid}`)],
  ["the home page", () => browser.get("/network")],
  ["the page of the search", () => browser.get(`/search?search=${before}`)],
];

const others: Door[] = [
  ["the search for what is new", () => apps.bob.get("/api/v2/search", { q: after })],
  ["the export of the channel", () => bob.get(`${native}/channel/export/basic`, { sections: "items" })],
  ["the tag of applications", () => apps.bob.get(`/api/v1/timelines/tag/${after}`)],
  ["notifications of applications", () => apps.bob.get("/api/v1/notifications")],
  ["the page of notifications", () => browser.get("/notifications")],
  ["mentions", () => bob.get("/api/statuses/mentions")],
  ["what the post said before, by its page", () => browser.get(`/item/${post.uuid}/history`)],
  ["the channel page of the author", () => browser.get("/channel/alice")],
  ["the replies to the post", () => browser.get(`/item/${post.uuid}/replies`)],
  ["the source for an edit", async () => apps.bob.get(`/api/v1/statuses/${await idOf(post)}/source`)],
  ["the channel's own stream", () => bob.get(`${native}/channel/stream`)],
];

/** Doors that ask at each call who is in the audience: those who have left find nothing there. */
const byRight: Door[] = [
  ["its page by a link for guests", () => guest.get(`/display/${post.uuid}`)],
  ["the channel page by a link for guests", () => guest.get("/channel/alice")],
  ["its document, signed", () => readsAs(world.anonymous, `/item/${post.uuid}`, ines)],
  ["its activity, signed", () => readsAs(world.anonymous, `/activity/${post.uuid}`, ines)],
];

const elsewhereToo: Door[] = [
  "item/UUID/replies",
  "item/UUID/likes",
  "item/UUID/shares",
  "conversation/UUID",
  "outbox/alice?page=first",
  "outbox/carla?page=first",
  "featured/alice",
].map((path) => [path, () => readsAs(world.anonymous, `/${path.replace("UUID", post.uuid)}`, ines)]);

const nameOf = ([name]: Door): string => name;

describe("whoever has left reads what was there before, and nothing that is new, by", () => {
  test.each(thread.map((door) => [nameOf(door), door[1]] as const))("%s", async (_, open) => {
    const { status, text } = await open();
    expect(status).toBe(200);
    expect([text.includes(before), text.includes(after)]).toEqual([true, false]);
  });
});

test("a guest and somebody of another hub read it while they are there", () => {
  for (const { status, text } of seenBefore) expect([status, text.includes(before)]).toEqual([200, true]);
});

describe("whoever has left finds nothing that is new by", () => {
  test.each([...others, ...byRight, ...elsewhereToo].map((door) => [nameOf(door), door[1]] as const))(
    "%s",
    async (_, open) => {
      expect((await open()).text).not.toContain(after);
    },
  );

  test.each(listsOf(() => alice.channel.channel_hash))("%s", async (_, open) => {
    expect((await open(bob, { id: 0, mid: "", uuid: "" })).text).not.toContain(after);
  });

  test("devices and streams", () => {
    const pushed = elsewhere.asked.filter(({ url }) => url === "https://push.example/bob");
    for (const { options } of pushed)
      expect(JSON.stringify(device.read(options.body as Uint8Array, options.headers!))).not.toContain(after);
    for (const { options } of elsewhere.asked) expect(Buffer.from(options.body ?? "").toString()).not.toContain(after);
    for (const said of heard) expect(said).not.toContain(after);
  });
});

test("whoever is still there reads what is new", async () => {
  const { id } = await copyOf(carla, post.mid);
  expect((await apps.carla.get(`/api/v1/statuses/${id}`)).text).toContain(after);
  expect((await carla.get(`${native}/item/full`, { item_id: id })).text).toContain(`new ${after}`);
  expect((await apps.carla.get("/api/v2/search", { q: after })).json.statuses).toHaveLength(3);
});

test("whoever has left keeps their own words, and may change and delete them", async () => {
  const { id } = await copyOf(bob, own.mid);
  expect((await apps.bob.get(`/api/v1/statuses/${id}`)).text).toContain(mine);
  await edit(bob, own, { body: `${mine} jam` });
  expect((await copyOf(carla, own.mid)).body).toBe(`${mine} jam`);
  expect((await apps.bob.get(`/api/v1/statuses/${id}`)).text).toContain(`${mine} jam`);
  expect((await apps.bob.send("DELETE", `/api/v1/statuses/${id}`, undefined)).status).toBe(200);
  expect((await copyOf(carla, own.mid)).item_deleted).toBe(1);
});

describe("whoever has left says nothing more in the thread, by", () => {
  let quiet: Item;
  let said: Item;

  // Nothing is written here any more, so that nobody keeps it as it was.
  beforeAll(async () => {
    const { hub } = world;
    const { channel_id: uid } = alice.channel;
    const another = await createGroup(hub, uid, "Cellar");
    await addMembers(hub, uid, another.id, [bob.channel.channel_hash, carla.channel.channel_hash]);
    const poll = { options: ["red", "white"], several: false, ends: "2026-12-01 12:00:00" };
    quiet = await postItem(hub, alice.channel, {
      body: "quiet",
      poll,
      audience: { ...nobody, allow_gid: [another.hash] },
    });
    await world.work();
    said = await postItem(hub, bob.channel, { body: "before that", parent: { mid: quiet.mid } });
    await world.work();
    await removeMembers(hub, uid, another.id, [bob.channel.channel_hash]);
  });

  const isChanged = () => post;
  const isNot = () => quiet;
  test.each<[string, () => Item, (id: number) => Promise<{ status: number }>]>([
    ["an answer", isNot, (id) => bob.post(`${native}/item/update`, { body: "x", parent: id })],
    ["an answer where it has changed", isChanged, (id) => bob.post(`${native}/item/update`, { body: "x", parent: id })],
    [
      "an answer of microblogs",
      isNot,
      (id) => bob.post("/api/statuses/update", { status: "x", in_reply_to_status_id: id }),
    ],
    [
      "an answer of applications",
      isNot,
      (id) => apps.bob.post("/api/v1/statuses", { status: "x", in_reply_to_id: id }),
    ],
    ["a like of microblogs", isNot, (id) => bob.post("/api/svc/activity/like", { id })],
    ["a like of applications", isNot, (id) => apps.bob.post(`/api/v1/statuses/${id}/favourite`)],
    ["a like where it has changed", isChanged, (id) => apps.bob.post(`/api/v1/statuses/${id}/favourite`)],
  ])("%s", async (_, which, say) => {
    expect((await say((await copyOf(bob, which().mid)).id)).status).toBeOneOf([400, 403]);
  });

  test("a vote", async () => {
    const { id } = await copyOf(bob, quiet.mid);
    const status = await apps.bob.get(`/api/v1/statuses/${id}`);
    const poll = (status.json as { poll: { id: string } }).poll.id;
    expect((await apps.bob.post(`/api/v1/polls/${poll}/votes`, { choices: [0] })).status).toBe(403);
  });

  test("the form of the page", async () => {
    expect((await browser.get(`/display/${quiet.uuid}`)).text).not.toContain("<textarea");
    expect((await copyOf(carla, said.mid)).item_deleted).toBe(0);
  });
});

test("an import of one's own export brings nothing back that is new", async () => {
  const { hub } = world;
  const { channel_id: uid, channel_account_id: account } = bob.channel;
  const items = hub.db.selectFrom("item").selectAll().where("uid", "=", uid).orderBy("id");
  const former = await items.execute();
  const file = join(mkdtempSync(join(tmpdir(), "hubbub-left-")), "bob.tar");
  await pipeline(Readable.fromWeb(exportArchive(hub, bob.channel) as never), createWriteStream(file));
  const again = await importNow(hub, account, { file }, { mode: "moving", nick: "", posts: true }, () => undefined);
  expect(again.state).toBe("done");
  expect(await items.execute()).toEqual(former);
  expect((await copyOf(bob, post.mid)).body).toContain(before);
});

test("an event that is changed stays as it was in the calendar of whoever has left", async () => {
  const { hub } = world;
  const { channel_id: uid } = alice.channel;
  // Whoever comes back to a group reads what is there now.
  const table = await createGroup(hub, uid, "Table");
  await addMembers(hub, uid, table.id, [bob.channel.channel_hash, carla.channel.channel_hash]);
  const times = { dtstart: "2026-04-01 10:00:00", dtend: "2026-04-01 11:00:00" };
  const event = await saveEvent(hub, alice.channel, {
    ...times,
    summary: before,
    share: { audience: { ...nobody, allow_gid: [table.hash] } },
  });
  await world.work();
  const inCalendar = async ({ channel }: Person): Promise<string | undefined> => {
    const events = hub.db.selectFrom("event").select("summary").where("event_hash", "=", event.event_hash);
    return (await events.where("uid", "=", channel.channel_id).executeTakeFirst())?.summary;
  };
  const invited = await messageOfEvent(hub, event);
  for (const one of [bob, carla]) await react(hub, one.channel, { mid: invited!.mid }, "attendyes", "stays");
  await world.work();
  await removeMembers(hub, uid, table.id, [bob.channel.channel_hash]);
  await saveEvent(hub, alice.channel, { ...times, summary: after }, event.event_hash);
  await world.work();
  expect([await inCalendar(alice), await inCalendar(bob), await inCalendar(carla)]).toEqual([after, before, after]);
  expect((await browser.get(`/event/${event.event_hash}`)).text).not.toContain(after);
});

test("whoever has left does not see the picture that an edit has added", async () => {
  const jar: [string, Buffer, string, string] = [
    "media",
    await picture(30, 20).jpeg().toBuffer(),
    "jar.jpg",
    "image/jpeg",
  ];
  const form = formWith({ post_id: String(post.id), body: `${after} in a jar` }, [jar]);
  expect((await alice.send("POST", `${native}/item/update`, form)).status).toBe(200);
  await world.work();
  const { hash } = await world.hub.db
    .selectFrom("attach")
    .select("hash")
    .where("filename", "=", "jar.jpg")
    .executeTakeFirstOrThrow();
  const carlas = visitorOf(world.app);
  await carlas.logIn("carla", password);
  for (const path of [`/photo/${hash}-2.jpg`, `/attach/${hash}`]) {
    expect([path, (await carlas.get(path)).status]).toEqual([path, 200]);
    for (const open of [browser.get, guest.get, (url: string) => readsAs(world.anonymous, url, ines)])
      expect([path, (await open(path)).status]).toEqual([path, 404]);
  }
});

test("with whom the connection is ended reads no edit of what was for connections", async () => {
  const { hub } = world;
  const dora = await world.person("dora");
  await befriend(hub, alice.channel, dora.channel);
  const { json } = await apps.alice.post("/api/v1/statuses", { status: "quince", visibility: "private" });
  await world.work();
  await removeConnection(hub, alice.channel, await connectionId(hub, alice.channel, dora.channel));
  await edit(alice, { id: json.id } as Item, { body: "medlar" });
  const { mid, uuid } = (await findOwnItem(hub, alice.channel.channel_id, { id: Number(json.id) }))!;
  const doras = visitorOf(world.app);
  await doras.logIn("dora", password);
  const pages = ["/network", `/display/${uuid}`, "/channel/alice"];
  const read = [
    await dora.get(`${native}/item/full`, { mid }),
    ...(await Promise.all(pages.map((path) => doras.get(path)))),
  ];
  expect((await copyOf(dora, mid)).body).toBe("quince");
  for (const { text } of read) expect(text).not.toContain("medlar");
});

test("the digest of whoever has left says what was there before", async () => {
  world.hub.advance(24 * 3600);
  await world.work();
  const { text } = mailbox.lastTo("bob@example.org");
  expect([text.includes(before), text.includes(after)]).toEqual([true, false]);
});

describe("whoever comes back reads what is there now,", () => {
  let shared: Item;
  let places: { id: number; hash: string }[];
  const members = () => [bob.channel.channel_hash];
  const uid = () => alice.channel.channel_id;
  const readsOf = async (): Promise<string> =>
    apps.bob.get(`/api/v1/statuses/${await idOf(shared)}`).then((got) => got.text);
  const write = (body: string) => edit(alice, shared, { body });

  beforeAll(async () => {
    const { hub } = world;
    places = [await createGroup(hub, uid(), "Attic"), await createGroup(hub, uid(), "Roof")];
    for (const { id } of places) await addMembers(hub, uid(), id, members());
    const audience = { ...nobody, allow_gid: places.map(({ hash }) => hash) };
    shared = await postItem(hub, alice.channel, { body: "first", audience });
    await world.work();
    await react(hub, bob.channel, { mid: shared.mid }, "like", "stays");
    await apps.bob.post(`/api/v1/statuses/${await idOf(shared)}/bookmark`);
  });

  test("and never left where one of two groups is still theirs", async () => {
    await removeMembers(world.hub, uid(), places[0]!.id, members());
    await write("second");
    expect(await readsOf()).toContain("second");
  });

  test("into a group that has another name by then", async () => {
    const { hub } = world;
    await removeMembers(hub, uid(), places[1]!.id, members());
    await write("third");
    expect(await readsOf()).toContain("second");
    await renameGroup(hub, uid(), places[1]!.id, "Rooftop");
    await addMembers(hub, uid(), places[1]!.id, members());
    await world.work();
    const { id } = await copyOf(bob, shared.mid);
    expect(await readsOf()).toContain("third");
    await write("fourth");
    expect(await readsOf()).toContain("fourth");
    expect((await apps.bob.get("/api/v1/bookmarks")).text).toContain("fourth");
    const said = await postItem(hub, bob.channel, { body: "here again", parent: { id } });
    const next = await postItem(hub, alice.channel, { body: "welcome back", parent: { id: shared.id } });
    await world.work();
    expect((await copyOf(alice, said.mid)).item_deleted).toBe(0);
    expect(await copyOf(bob, next.mid)).toBeDefined();
    const rows = hub.db.selectFrom("message").select("version").where("mid", "=", shared.mid);
    expect(await rows.execute()).toEqual([{ version: 0 }]);
  });

  test("as a connection that is approved again", async () => {
    const { hub } = world;
    const audience = { ...nobody, deny_cid: [carla.channel.channel_hash] };
    const forAll = await postItem(hub, alice.channel, { body: "for connections", audience });
    await world.work();
    await removeConnection(hub, alice.channel, await connectionId(hub, alice.channel, bob.channel));
    await edit(alice, forAll, { body: "for those who stay" });
    expect((await copyOf(bob, forAll.mid)).body).toBe("for connections");
    await befriend(hub, alice.channel, bob.channel);
    await world.work();
    expect((await copyOf(bob, forAll.mid)).body).toBe("for those who stay");
  });
});

test("what is deleted goes from whoever has left as well", async () => {
  const copies = [await copyOf(bob, post.mid), await copyOf(bob, comment.mid)];
  expect((await alice.post(`${native}/item/update`, { post_id: post.id, body: "a last word" })).status).toBe(200);
  expect((await alice.post("/api/statuses/destroy", { id: post.id })).status).toBe(200);
  await world.work();
  for (const { id } of copies) expect((await apps.bob.get(`/api/v1/statuses/${id}`)).status).toBe(404);
  const left = world.hub.db.selectFrom("message").select("id").where("mid", "in", [post.mid, comment.mid]);
  expect(await left.where("body", "<>", "").execute()).toEqual([]);
});
