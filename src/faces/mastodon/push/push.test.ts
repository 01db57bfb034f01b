import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { openElsewhere } from "../../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../../test/support/elsewhere.ts";
import { bearerFor, mastodonClient } from "../../../../test/support/mastodon.ts";
import { befriend, mark, newcomer } from "../../../../test/support/people.ts";
import { newDevice, readVapid } from "../../../../test/support/push-receiver.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { commentOn } from "../../../domain/items/posting/comment.ts";
import { deleteItem } from "../../../domain/items/posting/delete.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { react } from "../../../domain/items/posting/react.ts";
import { choose } from "../../../domain/notifications/choices.ts";
import { notify } from "../../../domain/notifications/notify.ts";
import { RefusedAddress } from "../../../fetch/fetch.ts";
import { jobs } from "../../../jobs/table.ts";
import { vapidKeys } from "../../../domain/push/vapid.ts";
import { trimSubscriptions } from "../../../domain/push/subscriptions.ts";

/** Devices that are told of notices (mastodon contract 15). */

const path = "/api/v1/push/subscription";
const all = { mention: "true", favourite: "true", follow: "true", status: "true" };

let world: TestApp;
let elsewhere: Elsewhere;
let ann: Channel;
let bob: Channel;
let token: string;
let app: Client;
let device: ReturnType<typeof newDevice>;
let count = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
});
afterAll(() => world.close());

/** Everybody is new in each test; what was told before is forgotten. */
beforeEach(async () => {
  count++;
  ann = await newcomer(world.hub, `ann${count}`);
  bob = await newcomer(world.hub, `bob${count}`);
  await befriend(world.hub, ann, bob);
  await world.work();
  token = await bearerFor(world, ann, "read write push");
  app = mastodonClient(world, token);
  device = newDevice(`https://push.example/${count}`);
  answer(201);
  elsewhere.asked.length = 0;
});

const answer = (status: number | Error) => elsewhere.put(`https://push.example/${count}`, status);
const subscribe = (more: object = {}, data: object = { alerts: all }) =>
  app.post(path, { subscription: { ...device.form, ...more }, data });

async function post(body: string, author = bob) {
  const item = await postItem(world.hub, author, { body });
  await world.work();
  return item;
}

const sent = () => elsewhere.asked.filter(({ url }) => url.startsWith("https://push.example/"));
const read = () =>
  sent().map(({ options }) => device.read(options.body as Uint8Array, options.headers!) as Record<string, unknown>);
const titles = () => read().map(({ title }) => title);

async function pass(seconds: number): Promise<void> {
  world.hub.setClock(new Date(world.hub.clock().getTime() + seconds * 1000));
  await world.work();
}

test.each([
  ["the standard", true],
  ["the draft", false],
])("a mention is told by %s, to be read by the device alone", async (_name, standard) => {
  const { status, json } = await subscribe({ standard });
  const { publicKey } = await vapidKeys(world.hub);
  expect([status, json.standard, json.policy, json.server_key]).toEqual([200, standard, "all", publicKey]);
  expect(json.alerts).toMatchObject({ mention: true, follow: true, poll: false, "admin.report": false });
  expect((await app.get(path)).json).toEqual(json);
  await post(`Tea, @ann${count}?`);
  const [{ url, options }] = sent() as [{ url: string; options: { headers: Record<string, string> } & object }];
  const { headers } = options;
  const [message] = read();
  expect(url).toBe(`https://push.example/${count}`);
  expect(message).toEqual({
    access_token: token,
    preferred_locale: "en",
    notification_id: expect.any(Number),
    notification_type: "mention",
    icon: expect.stringContaining("http"),
    title: `Bob${count} wrote to you`,
    body: `Tea, @Ann${count}?`,
  });
  expect((await app.get("/api/v1/notifications")).json[0].id).toBe(String(message!["notification_id"]));
  expect(headers).toMatchObject({
    ttl: String(48 * 3600),
    urgency: "high",
    topic: `n${String(message!["notification_id"])}`,
  });
  const jwt = /(?:vapid t=|WebPush )([\w.-]+)/.exec(headers["authorization"]!)![1]!;
  const claims = readVapid(jwt, publicKey);
  expect([claims.aud, claims.sub]).toEqual(["https://push.example", "http://hub.example"]);
  expect(standard ? headers["authorization"] : headers["crypto-key"]).toContain(publicKey);
});

test.each([
  ["the standard", true],
  ["the draft", false],
])("the end of a poll, and who waits to be let in, are told by %s", async (_name, standard) => {
  await subscribe({ standard }, { alerts: { poll: "true", "admin.sign_up": "true" } });
  const poll = { options: ["tea", "cake"], expires_in: 3600 };
  const { json } = await app.post("/api/v1/statuses", { status: "Which?", visibility: "public", poll });
  await pass(3500);
  expect(sent()).toEqual([]);
  await pass(200);
  await notify(world.hub, [{ kind: "sign-up", to: ann, actor: bob.xchan_id }]);
  await world.work();
  const told = read().map(({ notification_type, title, body }) => [notification_type, title, body]);
  expect([json.poll.expired, told]).toEqual([
    false,
    [
      ["poll", `A poll of Ann${count} has ended`, "Which?"],
      ["admin.sign_up", `Bob${count} would like to join`, ""],
    ],
  ]);
});

test("what is behind a warning, and what is long, is not told", async () => {
  await subscribe();
  await postItem(world.hub, bob, { body: `secret @ann${count}`, summary: "spoiler" });
  await world.work();
  await post(`${"word ".repeat(60)}@ann${count}`);
  const [one, other] = read().map(({ body }) => body as string);
  expect(one).toBe("spoiler");
  expect([other!.length, other!.at(-1)]).toEqual([140, "…"]);
});

test("a post of whom one wants to hear is no answer in a thread of one's own", async () => {
  await subscribe();
  await app.post(`/api/v1/accounts/${bob.xchan_id}/follow`, { notify: true });
  const { mid } = await post("news");
  await commentOn(world.hub, ann, { mid }, { body: "Tell us more" });
  await commentOn(world.hub, bob, { mid }, { body: "There is no more" });
  await world.work();
  expect(titles()).toEqual([`Bob${count} has posted`, `Bob${count} wrote in a thread of yours`]);
});

test("only types that are wanted, of whom they are wanted, and only by that way", async () => {
  await subscribe({}, { alerts: { favourite: "true" }, policy: "followed" });
  const own = await post("mine", ann);
  await react(world.hub, bob, own, "like", "stays");
  await post(`@ann${count}`);
  expect(titles()).toEqual([`Bob${count} likes your post`]);
  expect(sent()[0]!.options.headers).toMatchObject({ urgency: "normal" });
  const put = await app.send("PUT", path, new URLSearchParams({ "data[alerts][favourite]": "false" }));
  expect([put.json.alerts.favourite, put.json.policy]).toEqual([false, "followed"]);
  await app.send("PUT", path, new URLSearchParams({ "data[alerts][mention]": "1", "data[policy]": "follower" }));
  const cara = await newcomer(world.hub, `cara${count}`);
  await post(`@ann${count}`, cara);
  expect(sent()).toHaveLength(1);
  await post(`again @ann${count}`);
  expect(sent()).toHaveLength(2);
  await choose(world.hub, ann.channel_id, { mention: { page: true, push: false, mail: "never" } });
  await post(`once more @ann${count}`);
  expect(sent()).toHaveLength(2);
  await choose(world.hub, ann.channel_id, { mention: { page: false, push: true, mail: "never" } });
  await post(`by push alone @ann${count}`);
  expect(sent()).toHaveLength(3);
  expect((await app.send("PUT", path, new URLSearchParams({ "data[policy]": "none" }))).json.policy).toBe("none");
  await post(`to nobody @ann${count}`);
  expect(sent()).toHaveLength(3);
});

test("nothing is told of whom one mutes or blocks, nor of what is gone before it is told", async () => {
  await subscribe();
  const item = await postItem(world.hub, bob, { body: `gone @ann${count}` });
  await jobs["deliver-item"](world.hub, { item: item.id });
  await deleteItem(world.hub, bob, { id: item.id });
  await world.work();
  expect(sent()).toEqual([]);
  const second = await postItem(world.hub, bob, { body: `muted @ann${count}` });
  await jobs["deliver-item"](world.hub, { item: second.id });
  await mark(world.hub, ann, bob, { ignored: true });
  await world.work();
  expect(sent()).toEqual([]);
  await mark(world.hub, ann, bob, { ignored: false, blocked: true });
  await post(`blocked @ann${count}`);
  expect(sent()).toEqual([]);
});

test("what the push service does not take is tried again, and what it knows no more is forgotten", async () => {
  await subscribe();
  answer(503);
  await post(`@ann${count}`);
  expect(sent()).toHaveLength(1);
  answer(new Error("nobody there"));
  await pass(61);
  answer(429);
  await pass(301);
  answer(201);
  await pass(1801);
  expect(sent()).toHaveLength(4);
  expect(new Set(sent().map(({ options }) => options.headers!["topic"])).size).toBe(1);
  await pass(4 * 3600);
  expect(sent()).toHaveLength(4);
  answer(410);
  await post(`twice @ann${count}`);
  expect((await app.get(path)).status).toBe(404);
  await post(`thrice @ann${count}`);
  expect(sent()).toHaveLength(5);
});

test("it waits four times, for the last time three hours, and no more", async () => {
  await subscribe();
  answer(503);
  await post(`@ann${count}`);
  for (const [wait, times] of [
    [61, 2],
    [301, 3],
    [1801, 4],
    [3 * 3600 - 60, 4],
    [61, 5],
    [24 * 3600, 5],
  ] as const) {
    await pass(wait);
    expect(sent()).toHaveLength(times);
  }
  expect((await app.get(path)).status).toBe(200);
});

test("an answer that leads elsewhere is not followed, and ends it", async () => {
  await subscribe();
  const there = "https://push.example/elsewhere";
  elsewhere.put(`https://push.example/${count}`, () => new Response("", { status: 307, headers: { location: there } }));
  await post(`@ann${count}`);
  expect(sent().map(({ url }) => url)).toEqual([`https://push.example/${count}`]);
  expect((await app.get(path)).status).toBe(404);
});

test("what is wanted may stand beside the subscription", async () => {
  const beside = { subscription: device.form, alerts: { mention: "true" }, policy: "follower" };
  const { status, json } = await app.post(path, beside);
  expect([status, json.alerts.mention, json.alerts.favourite, json.policy]).toEqual([200, true, false, "follower"]);
  const put = await app.send("PUT", path, new URLSearchParams({ "alerts[favourite]": "1", policy: "followed" }));
  expect([put.json.alerts.mention, put.json.alerts.favourite, put.json.policy]).toEqual([true, true, "followed"]);
  expect((await app.post(path, { ...beside, policy: "friends" })).status).toBe(422);
});

test("ten failures in a row, or an address that may not be asked, end it", async () => {
  await subscribe();
  answer(500);
  for (let at = 0; at < 10; at++) await post(`${at} @ann${count}`);
  expect((await app.get(path)).status).toBe(404);
  await subscribe();
  answer(new RefusedAddress("This address is not public"));
  await post(`@ann${count}`);
  expect((await app.get(path)).status).toBe(404);
});

test("a job that runs twice, as after a kill, sends what the service puts in the place of the first", async () => {
  await subscribe();
  const item = await postItem(world.hub, bob, { body: `@ann${count}` });
  await jobs["deliver-item"](world.hub, { item: item.id });
  const { payload } = await world.hub.db
    .selectFrom("job")
    .select("payload")
    .where("name", "=", "push")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  await jobs.push(world.hub, JSON.parse(payload) as { subscription: number; notice: number });
  await world.work();
  expect(sent().map(({ options }) => options.headers!["topic"])).toEqual(
    Array(2).fill(sent()[0]!.options.headers!["topic"]),
  );
});

test("it ends with its token, and a new one takes its place", async () => {
  const first = (await subscribe()).json;
  device = newDevice(`https://push.example/${count}?again`);
  elsewhere.put(`https://push.example/${count}?again`, 201);
  const second = (await subscribe()).json;
  expect([second.endpoint, second.id]).toEqual([`https://push.example/${count}?again`, first.id]);
  await post(`@ann${count}`);
  expect(sent().map(({ url }) => url)).toEqual([`https://push.example/${count}?again`]);
  await world.hub.db.deleteFrom("oauth2_token").where("uid", "=", ann.channel_id).execute();
  await post(`after @ann${count}`);
  expect(sent()).toHaveLength(1);
  await trimSubscriptions(world.hub);
  const left = await world.hub.db
    .selectFrom("push_subscription")
    .select("id")
    .where("uid", "=", ann.channel_id)
    .execute();
  expect(left).toEqual([]);
});

test("tokens are not kept in clear, and without the scope nothing is told", async () => {
  await subscribe();
  const [row] = await world.hub.db
    .selectFrom("push_subscription")
    .selectAll()
    .where("uid", "=", ann.channel_id)
    .execute();
  expect(JSON.stringify(row)).not.toContain(token);
  const narrow = mastodonClient(world, await bearerFor(world, ann, "read write"));
  expect((await narrow.post(path, { subscription: device.form })).status).toBe(403);
  expect((await app.send("DELETE", path)).json).toEqual({});
  expect((await app.send("DELETE", path)).json).toEqual({});
  expect((await app.get(path)).status).toBe(404);
  expect((await app.send("PUT", path, new URLSearchParams({ "data[policy]": "all" }))).status).toBe(404);
});

test.each([
  ["an address without https", { endpoint: "http://push.example/1" }],
  ["a private address", { endpoint: "https://10.0.0.1/1" }],
  ["an address of version 6", { endpoint: "https://[::1]/1" }],
  ["a name of the own network", { endpoint: "https://printer.local/1" }],
  ["a log-in in it", { endpoint: "https://a:b@push.example/1" }],
  ["no address", { endpoint: "" }],
  ["a long one", { endpoint: `https://push.example/${"x".repeat(5000)}` }],
  ["a short key", { keys: { p256dh: Buffer.alloc(64, 4).toString("base64"), auth: "BTBZMqHH6r4Tts7J_aSIgg" } }],
  [
    "a point beside the curve",
    { keys: { p256dh: Buffer.alloc(65, 4).toString("base64"), auth: "BTBZMqHH6r4Tts7J_aSIgg" } },
  ],
  [
    "no secret",
    {
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "",
      },
    },
  ],
])("%s is refused", async (_name, more) => {
  expect((await subscribe(more)).status).toBe(422);
  expect((await subscribe({}, { policy: "friends" })).status).toBe(422);
  expect((await app.get(path)).status).toBe(404);
});

test("one value is told in three places", async () => {
  const { publicKey } = await vapidKeys(world.hub);
  expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
  expect((await app.get("/api/v2/instance")).json.configuration.vapid.public_key).toBe(publicKey);
  expect((await app.get("/api/v1/apps/verify_credentials")).json.vapid_key).toBe(publicKey);
});
