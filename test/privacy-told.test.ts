import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMembers, createGroup } from "../src/domain/groups/groups.ts";
import { updateConnection } from "../src/domain/connections/connections.ts";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { setAccountFlag, setAdministrator } from "../src/domain/identity/accounts/accounts.ts";
import { endAccess } from "../src/domain/identity/accounts/end-access.ts";
import { changeChannelSettings } from "../src/domain/identity/channels/channel-settings.ts";
import { setPermissionLimits } from "../src/domain/identity/channels/permission-limits.ts";
import { limits } from "../src/domain/identity/channels/roles.ts";
import { editItem } from "../src/domain/items/posting/edit.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import type { Item } from "../src/domain/items/types.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { listBlockLists } from "../src/domain/peers/subscribed-lists.ts";
import { isOfSite, webhookEvents } from "../src/domain/webhooks/webhook-events.ts";
import { momentIn } from "../src/hub.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { openElsewhere } from "./support/elsewhere.ts";
import { password } from "./support/hub.ts";
import { arrivesIn } from "./support/incoming.ts";
import { listenTo } from "./support/listen-to.ts";
import { bearerFor, mastodonClient } from "./support/mastodon.ts";
import type { MastodonClient } from "./support/mastodon.ts";
import { befriend, connectionId, nobody } from "./support/people.ts";
import { newDevice } from "./support/push-receiver.ts";
import { visitorOf, withoutTokens } from "./support/visitor.ts";
import type { VisitedPage, Visitor } from "./support/visitor.ts";

/**
 * What devices and administrators are told, what other programs read by a secret address, and whom the hub keeps away from: each is for
 * those alone whom it concerns. A new way to be told of something gets a row here.
 */

const word = "marmalade";
const elsewhere = openElsewhere();

type Told = { token: string; app: MastodonClient; device: ReturnType<typeof newDevice>; browser: Visitor };

let world: TestApp;
let ann: Person;
let secret: Item;
const told = new Map<string, Told>();

const endpointOf = (nick: string): string => `https://push.example/${nick}`;
const receiverOf = (nick: string): string => `https://receiver.example/${nick}`;
const subscription = "/api/v1/push/subscription";
const types = ["mention", "status", "favourite", "reblog", "follow", "update", "quote", "poll", "admin.report"];
const alerts = Object.fromEntries(types.map((type) => [type, true]));

/** A member with an application that is told of everything on a device, with a browser, and with a webhook for all events. */
async function member(own: Person): Promise<void> {
  const { nick, channel } = own;
  const token = await bearerFor(world, channel, "read write follow push");
  const [app, browser, device] = [mastodonClient(world, token), visitorOf(world.app), newDevice(endpointOf(nick))];
  elsewhere.put(endpointOf(nick), 201);
  expect((await app.post(subscription, { subscription: device.form, data: { alerts } })).status).toBe(200);
  await browser.logIn(nick, password);
  elsewhere.put(receiverOf(nick), 200);
  const events = webhookEvents.filter((event) => nick === "root" || !isOfSite(event));
  expect((await own.post("/api/z/1.0/webhook", { url: receiverOf(nick), events })).status).toBe(200);
  told.set(nick, { token, app, device, browser });
}

beforeAll(async () => {
  world = await openTestApp({ fetch: elsewhere.fetch });
  const { hub } = world;
  const root = await world.person("root");
  await setAdministrator(hub, root.channel.channel_account_id, true);
  ann = await world.person("ann");
  const [bob, cara, dora, zoe] = [
    await world.person("bob"),
    await world.person("cara"),
    await world.person("dora"),
    await world.person("zoe"),
  ];
  for (const one of [bob, cara, dora]) await befriend(hub, ann.channel, one.channel);
  for (const one of [root, ann, bob, cara, dora, zoe]) await member(one);
  for (const nick of ["bob", "cara"])
    await told.get(nick)!.app.post(`/api/v1/accounts/${ann.channel.xchan_id}/follow`, { notify: true });
  await updateConnection(hub, ann.channel, await connectionId(hub, ann.channel, dora.channel), { blocked: true });
  const group = await createGroup(hub, ann.channel.channel_id, "Kitchen");
  await addMembers(hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  await world.work();
  elsewhere.asked.length = 0;
  secret = await postItem(hub, ann.channel, {
    body: `${word} for @bob @cara @dora @zoe`,
    audience: { ...nobody, allow_gid: [group.hash] },
  });
  await world.work();
});
afterAll(() => world?.close());

/** What the device of somebody has been told, as it reads it. */
function heardBy(nick: string): string[] {
  const { device } = told.get(nick)!;
  const sent = elsewhere.asked.filter(({ url }) => url === endpointOf(nick));
  return sent.map(({ options }) => JSON.stringify(device.read(options.body as Uint8Array, options.headers!)));
}

/** What the webhook of somebody has been told. */
function toldWebhookOf(nick: string): string[] {
  return elsewhere.asked.filter(({ url }) => url === receiverOf(nick)).map(({ options }) => options.body as string);
}

const outsiders = ["cara", "dora", "zoe"];

test("webhooks hear of a post for a group where its member and its author have them, and no other", () => {
  expect(toldWebhookOf("ann").join()).toContain(word);
  expect(toldWebhookOf("bob").join()).toContain(word);
  for (const nick of ["root", ...outsiders]) expect([nick, toldWebhookOf(nick)]).toEqual([nick, []]);
});

describe("devices", () => {
  test("hear of a post for a group, of answers to it and of its edits, where its member has them, and no other", async () => {
    const bob = told.get("bob")!;
    expect(heardBy("bob").join()).toContain(word);
    const own = (await bob.app.get("/api/v1/timelines/home")).json.find(
      ({ uri }: { uri: string }) => uri === secret.mid,
    );
    await bob.app.post("/api/v1/statuses", { status: `more ${word} @cara @ann`, in_reply_to_id: own.id });
    await world.work();
    await editItem(world.hub, ann.channel, secret.id, { body: `better ${word} for @bob @cara @zoe` });
    await world.work();
    world.hub.setClock(new Date(world.hub.clock().getTime() + 120_000));
    await world.work();
    expect(heardBy("bob").join()).toContain(`better ${word}`);
    expect(heardBy("ann").join()).toContain(`more ${word}`);
    for (const nick of outsiders) expect([nick, heardBy(nick)]).toEqual([nick, []]);
  });

  test("are told no more than by whom and what, with the token of their own application", () => {
    for (const nick of ["ann", "bob"])
      for (const text of heardBy(nick)) {
        expect(Object.keys(JSON.parse(text) as object)).toEqual([
          "access_token",
          "preferred_locale",
          "notification_id",
          "notification_type",
          "icon",
          "title",
          "body",
        ]);
        expect(text).toContain(told.get(nick)!.token);
        for (const [other, { token }] of told) if (other !== nick) expect(text).not.toContain(token);
      }
  });

  test("are known to the application alone that has named them", async () => {
    const further = mastodonClient(
      world,
      await bearerFor(
        world,
        await world.hub.db
          .selectFrom("channel")
          .selectAll()
          .where("channel_address", "=", "bob")
          .executeTakeFirstOrThrow(),
        "read write push",
      ),
    );
    for (const app of [further, told.get("cara")!.app]) {
      const { text } = await app.get(subscription);
      for (const nick of ["ann", "bob", "zoe"]) expect(text).not.toContain(endpointOf(nick));
    }
    expect((await further.get(subscription)).status).toBe(404);
    expect((await further.put(subscription, { data: { policy: "none" } })).status).toBe(404);
    expect((await further.send("DELETE", subscription)).json).toEqual({});
    expect((await told.get("bob")!.app.get(subscription)).json).toMatchObject({
      endpoint: endpointOf("bob"),
      policy: "all",
    });
  });
});

test("a report is told to administrators alone, without posts that they may not see", async () => {
  elsewhere.asked.length = 0;
  const own = (await told.get("bob")!.app.get("/api/v1/timelines/home")).json.find(
    ({ uri }: { uri: string }) => uri === secret.mid,
  );
  const made = await told.get("bob")!.app.post("/api/v1/reports", {
    account_id: String(ann.channel.xchan_id),
    status_ids: [own.id],
    comment: "too sweet",
  });
  expect(made.status).toBe(200);
  await world.work();
  const root = told.get("root")!;
  const [notice] = (await root.app.get("/api/v1/notifications", { types: ["admin.report"] })).json;
  expect([notice.report.comment, notice.report.status_ids]).toEqual(["too sweet", []]);
  expect(heardBy("root")).toEqual([expect.stringContaining("admin.report")]);
  for (const text of heardBy("root")) expect(text).not.toMatch(/marmalade|too sweet/);
  expect(toldWebhookOf("root")).toEqual([expect.stringMatching(/"report.filed".*too sweet/)]);
  expect(toldWebhookOf("root").join()).not.toMatch(/marmalade/);
  for (const nick of ["ann", "bob", ...outsiders]) expect(toldWebhookOf(nick)).toEqual([]);
  for (const nick of ["ann", "bob", ...outsiders]) {
    const { app, browser } = told.get(nick)!;
    expect(heardBy(nick).join()).not.toMatch(/report/);
    for (const path of ["/api/v1/notifications?types[]=admin.report", "/api/v1/notifications", "/api/v2/notifications"])
      expect((await app.get(path)).text).not.toMatch(/too sweet|"admin.report"/);
    expect((await app.get(`/api/v1/notifications/${notice.id}`)).status).toBe(404);
    expect((await app.get(`/api/v2/notifications/ungrouped-${notice.id}`)).status).toBe(404);
    expect((await browser.get("/notifications")).text).not.toMatch(/has reported somebody/);
    expect((await browser.get(`/notify/view/${notice.id}`)).status).toBe(404);
  }
});

/** Names, what was asked for and request ids differ from call to call. */
function same({ status, text }: VisitedPage, asked: string): [number, string] {
  const plain = withoutTokens(text)
    .replaceAll(asked, "<path>")
    .replaceAll(encodeURIComponent(asked), "<path>")
    .replaceAll(/[0-9a-f]{10}-[0-9a-z]+/g, "<request>");
  return [status, plain];
}

test("the secret address of a calendar opens that calendar, and no other secret nor nick does", async () => {
  const addressOf = async (nick: string): Promise<string> => {
    const { browser } = told.get(nick)!;
    await browser.get("/events/subscribe");
    await browser.post("/events/subscribe", { do: "renew" });
    return /value="http:\/\/hub\.example(\/events\/of\/[^"]*)"/.exec(
      (await browser.get("/events/subscribe")).text,
    )![1]!;
  };
  const { browser } = told.get("ann")!;
  await browser.get("/events/new");
  const event = { summary: `The ${word} day`, start_date: "2026-04-01", start_time: "10:00", audience: "self" };
  await browser.post("/events/new", event);
  const [anns, bobs] = [await addressOf("ann"), await addressOf("bob")];
  const anybody = visitorOf(world.app);
  expect((await anybody.get(anns)).text).toContain(`The ${word} day`);
  expect((await anybody.get(bobs)).text).not.toContain(word);
  const [anyone, key, bobsKey] = ["/events/of/ann/", anns.split("/").at(-1)!, bobs.split("/").at(-1)!];
  const unknown = "/events/of/nowhere/x";
  const none = same(await anybody.get(unknown), unknown);
  expect(none[0]).toBe(404);
  for (const path of [
    `${anyone}${bobsKey}`,
    `/events/of/bob/${key}`,
    `${anyone}${key.slice(0, -1)}`,
    `${anyone}${key.slice(0, 20)}`,
    `${anyone}${key}x`,
    `${anyone}%20`,
    `${anyone}${"0".repeat(43)}`,
  ])
    expect([path, same(await anybody.get(path), path)]).toEqual([path, none]);
  for (const nick of outsiders)
    for (const path of ["/events", "/events/subscribe", "/channel/ann", "/profile/ann", "/cal/ann", "/directory"])
      expect([path, (await told.get(nick)!.browser.get(path)).text.includes(key)]).toEqual([path, false]);
  expect((await told.get("zoe")!.app.get(`/api/v1/accounts/${ann.channel.xchan_id}`)).text).not.toContain(key);
  await browser.get("/events/subscribe");
  await browser.post("/events/subscribe", { do: "end" });
  expect(same(await anybody.get(anns), anns)).toEqual(none);
});

test("what lists of blocked servers say that the site follows, and which it follows, only administrators learn", async () => {
  const list = "https://lists.example/secretly.csv";
  elsewhere.put(list, () => new Response("#domain,#severity\nshunned.example,suspend\n"));
  const root = told.get("root")!.browser;
  await root.get("/admin/block-lists");
  expect((await root.post("/admin/block-lists", { url: list })).status).toBe(303);
  const [followed] = await listBlockLists(world.hub);
  const path = `/admin/block-lists/${followed!.id}`;
  expect((await root.get(path)).text).toContain("shunned.example");
  const away = "/admin/block-lists/987654321";
  for (const nick of ["ann", "zoe"]) {
    const { app, browser } = told.get(nick)!;
    await browser.get("/network");
    for (const open of [(one: string) => browser.get(one), (one: string) => browser.post(one, { deed: "end" })])
      expect(same(await open(path), path)).toEqual(same(await open(away), away));
    for (const told of ["/about", "/help", "/directory", "/connections/hosts"])
      expect((await browser.get(told)).text).not.toMatch(/shunned|lists\.example/);
    for (const told of [
      "/api/v1/instance",
      "/api/v2/instance",
      "/api/v1/instance/domain_blocks",
      "/api/v1/domain_blocks",
    ])
      expect((await app.get(told)).text).not.toMatch(/shunned|lists\.example/);
  }
  expect((await world.anonymous.get("/nodeinfo/2.0")).text).not.toMatch(/shunned|lists\.example/);
  expect(await listBlockLists(world.hub)).toHaveLength(1);
});

describe("what a stranger has said to somebody who wants to be asked first", () => {
  const knock = "quince";
  const note = "https://far.example/notes/quince";
  const everybody = "https://www.w3.org/ns/activitystreams#Public";
  let gil: Person;
  let stranger: number;

  beforeAll(async () => {
    const { hub } = world;
    gil = await world.person("gil");
    await changeChannelSettings(hub, gil.channel.channel_id, { newFor: 7 });
    await setPermissionLimits(hub, gil.channel.channel_id, { post_mail: limits.authenticated });
    await befriend(hub, gil.channel, ann.channel);
    await member(gil);
    await world.work();
    elsewhere.asked.length = 0;
  });

  /** One post for all and one message, both to Gil; nobody has the post but for him. */
  async function knocks(): Promise<void> {
    elsewhere.actor("mallory");
    const author = await meetActor(world.hub, actorOf("mallory"));
    stranger = author.xchan_id;
    const him = `http://hub.example/channel/gil`;
    const said = { type: "Note", attributedTo: author.xchan_hash, published: "2026-03-01T11:00:00Z" };
    const tag = [
      { type: "Mention", href: him, name: "@gil" },
      { type: "Hashtag", name: `#${knock}`, href: `https://far.example/tags/${knock}` },
    ];
    for (const [id, to] of [
      [note, [everybody, him]],
      [`${note}-whisper`, [him]],
    ] as const) {
      const object = { ...said, id, to, content: `<p>the ${knock} @gil #${knock}</p>`, tag };
      const activity = { id: `${id}/create`, type: "Create", actor: author.xchan_hash, to, object };
      await arrivesIn(world.hub)(activity, [gil.channel]);
    }
    await world.work();
  }

  test("is told by no stream and on no device", async () => {
    const { token, browser } = told.get("gil")!;
    const streams = ["user", "user/notification", "public", "public/remote", `hashtag?tag=${knock}`, "direct"];
    const heard = await Promise.all(
      streams.map((stream) => listenTo(world, `/api/v1/streaming/${stream}`, { authorization: `Bearer ${token}` })),
    );
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const page = await listenTo(world, "/live?after=0", { cookie });
    await knocks();
    // What is said afterwards comes after it in each of them.
    const after = "gooseberry";
    const anns = told.get("ann")!.app;
    for (const visibility of ["public", "direct"])
      await anns.post("/api/v1/statuses", { status: `${after} @gil #${knock}`, visibility });
    await world.work();
    for (const [at, { said, stop }] of heard.entries()) {
      if (streams[at] !== "public/remote") await expect.poll(said).toContain(after);
      await stop();
      expect([streams[at], said().includes("mallory"), said().includes("the quince")]).toEqual([
        streams[at],
        false,
        false,
      ]);
    }
    const posts = () =>
      [...page.said().matchAll(/^data: (.*)$/gm)].flatMap(([, data]) => JSON.parse(data!).posts ?? []);
    await expect.poll(() => posts().length).toBeGreaterThan(0);
    await page.stop();
    const { db } = world.hub;
    const authors = db.selectFrom("item").select("author_id").where("id", "in", posts()).execute();
    for (const { author_id } of await authors) expect(author_id).toBe(ann.channel.xchan_id);
    expect(heardBy("gil").join()).not.toMatch(/mallory|the quince/i);
  });

  test("stands in no list, is found by no address, and is in no feed", async () => {
    const { app, browser } = told.get("gil")!;
    const asked = encodeURIComponent(note);
    const mastodon = [
      ...["home", "public", "public?remote=true", `tag/${knock}`, "direct", `link?url=${asked}`].map(
        (path) => `v1/timelines/${path}`,
      ),
      ...[knock, `%23${knock}`, asked, `${asked}&resolve=true`].map((q) => `v2/search?type=statuses&q=${q}`),
      "v1/conversations",
      "v1/notifications",
      "v2/notifications",
      "v1/notifications/requests",
      "v1/follow_requests",
      "v1/trends/tags",
      `v1/accounts/${stranger}/statuses`,
      `v1/tags/${knock}`,
    ].map((path) => `/api/${path}`);
    const own = [
      "statuses/home_timeline",
      "statuses/networkpublic_timeline",
      "statuses/mentions",
      "direct_messages",
      `search?q=${knock}`,
      "statuses/user_timeline?screen_name=mallory@far.example",
    ].map((path) => `/api/${path}`);
    const streams = ["", "?nouveau=1", `?search=${knock}`, `?tag=${knock}`, `?mid=${asked}`];
    const pages = ["/network", "/pubstream", "/mail", "/notifications", "/channel/gil", "/feed/gil", "/feed/gil.rss"];
    const looked = [`/search?q=${knock}`, `/search?tag=${knock}`, "/outbox/gil?page=first", "/tagfollows"];
    for (const [nick, one] of told) {
      for (const path of mastodon)
        expect([nick, path, (await one.app.get(path)).text]).toEqual([
          nick,
          path,
          expect.not.stringContaining("the quince"),
        ]);
      for (const path of [...pages, ...looked])
        expect([nick, path, (await one.browser.get(path)).text.includes("the quince")]).toEqual([nick, path, false]);
    }
    for (const path of [...own, ...streams.map((query) => `/api/z/1.0/network/stream${query}`)])
      expect([path, (await gil.get(path)).text.includes("the quince")]).toEqual([path, false]);
    for (const path of [...mastodon, ...pages, ...looked])
      expect([path, (await world.anonymous.get(path)).text.includes("the quince")]).toEqual([path, false]);
    expect((await app.get("/api/v1/notifications")).text).not.toContain("mallory");
    expect((await app.get("/api/v1/follow_requests")).json).toEqual([]);
    const held = await world.hub.db.selectFrom("first_contact").select("id").execute();
    const newest = await world.hub.db.selectFrom("item").select("id").orderBy("id", "desc").limit(1).execute();
    const ids = [...held, ...newest.map(({ id }) => ({ id: id + 1 }))].map(({ id }) => id);
    for (const id of ids)
      for (const path of [`/api/v1/statuses/${id}`, `/api/v1/statuses/${id}/context`, `/api/v1/conversations/${id}`])
        for (const one of [app, told.get("ann")!.app, mastodonClient(world)])
          expect([path, (await one.get(path)).text.includes("the quince")]).toEqual([path, false]);
    const by = `/api/v2/search?resolve=true&q=${encodeURIComponent(note)}`;
    for (const one of [app, told.get("ann")!.app]) expect((await one.get(by)).json.statuses).toEqual([]);
    expect((await gil.get("/api/z/1.0/item/full", { mid: note })).status).toBe(404);
    expect((await browser.get("/moderate/strangers")).text.match(/the quince/g)).toHaveLength(2);
    expect((await told.get("ann")!.browser.get("/moderate/strangers")).text).not.toContain("the quince");
  });

  test("goes with the channel", async () => {
    await removeChannel(world.hub, gil.channel.channel_id);
    await world.work();
    expect(await world.hub.db.selectFrom("first_contact").select("id").execute()).toEqual([]);
  });
});

describe("whoever listens hears nothing more once what let them in has ended:", () => {
  const endings: [how: string, end: (one: Person) => Promise<unknown>][] = [
    [
      "a date that has come",
      async ({ channel }) => {
        const { db } = world.hub;
        const account_expires = momentIn(world.hub, 60_000);
        await db
          .updateTable("account")
          .set({ account_expires })
          .where("account_id", "=", channel.channel_account_id)
          .execute();
      },
    ],
    ["a password that is changed", ({ channel }) => endAccess(world.hub, channel.channel_account_id)],
    ["a blocked account", ({ channel }) => setAccountFlag(world.hub, channel.channel_account_id, "blocked", true)],
    ["a removed channel", ({ channel }) => removeChannel(world.hub, channel.channel_id)],
  ];

  test.each(endings)("%s", async (how, end) => {
    const { hub } = world;
    const one = await world.person(`one${endings.findIndex(([name]) => name === how)}`);
    await befriend(hub, ann.channel, one.channel);
    await member(one);
    const dated = how === "a date that has come";
    if (dated) await end(one);
    const { token, browser } = told.get(one.nick)!;
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const listening = [
      await listenTo(world, "/api/v1/streaming/user", { authorization: `Bearer ${token}` }),
      await listenTo(world, "/live", { cookie }),
    ];
    const still = await listenTo(world, "/api/v1/streaming/user", {
      authorization: `Bearer ${told.get("ann")!.token}`,
    });
    const says = async (body: string): Promise<void> => {
      await postItem(hub, ann.channel, { body });
      await world.work();
      await expect.poll(still.said).toContain(body);
    };
    await says("before the end");
    for (const { said } of listening) await expect.poll(said).toContain("event: ");
    const before = listening.map(({ said }) => said());
    if (dated) hub.advance(61);
    else await end(one);
    await says("after the end");
    await Promise.all(listening.map(({ isOver }) => expect.poll(isOver).toBe(true)));
    expect(listening.map(({ said }) => said())).toEqual(before);
    await still.stop();
  });
});
