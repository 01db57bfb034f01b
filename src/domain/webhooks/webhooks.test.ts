import type { AddressInfo } from "node:net";
import type { LogEvent } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { isSigned, receive } from "../../../examples/webhook-receiver/receiver.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { momentIn } from "../../hub.ts";
import { connect } from "../connections/connections.ts";
import { setAdministrator } from "../identity/accounts/accounts.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { postItem } from "../items/posting/post.ts";
import { report } from "../reports/report.ts";
import { mostFailures } from "./send-webhook.ts";
import { trimWebhooks } from "./webhook-deliveries.ts";

/** Addresses to which channels have events told, by their doors: the native API and the settings (docs/webhooks.md). */

const receiver = "https://receiver.example/hub";
const elsewhere = openElsewhere();
const statements: string[] = [];
let world: TestApp;
let ann: Person;
let bob: Person;
let browser: Visitor;

beforeAll(async () => {
  world = await openTestApp({
    fetch: elsewhere.fetch,
    onQuery: (event: LogEvent) => void statements.push(event.query.sql),
  });
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
  browser = visitorOf(world.app);
  await browser.logIn("ann", password);
});
afterAll(() => world?.close());
beforeEach(async () => {
  await world.hub.db.deleteFrom("webhook_delivery").execute();
  await world.hub.db.deleteFrom("webhook").execute();
  elsewhere.put(receiver, 200);
  elsewhere.asked.length = 0;
});

type Told = { type: string; timestamp: string; data: Record<string, any> };

function requests() {
  return elsewhere.asked.filter(({ url }) => url === receiver).map(({ options }) => options);
}

function told(): Told[] {
  return requests().map(({ body }) => JSON.parse(body as string) as Told);
}

const api = (path: string) => `/api/z/1.0/${path}`;

async function webhook(who: Person, ...events: string[]): Promise<{ id: string; secret: string }> {
  const { status, json } = await who.post(api("webhook"), { url: receiver, events });
  expect([status, json]).toMatchObject([200, { success: true }]);
  return { id: json.webhook.id, secret: json.secret };
}

const deliveries = async (id: string) => (await ann.get(api("webhook/deliveries"), { webhook_id: id })).json;

/** The clock goes on, and what is due is done. */
async function later(seconds: number): Promise<void> {
  world.hub.advance(seconds);
  await world.work();
}

test("are told what comes to the channel and what it says, by Standard Webhooks", async () => {
  const { id, secret } = await webhook(ann, "post.received", "post.published", "comment.received");
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const { id: post } = await postItem(world.hub, ann.channel, { body: "Hello" });
  await postItem(world.hub, bob.channel, { body: "Good morning" });
  await world.work();
  expect(
    told()
      .map(({ type, data }) => [type, data["item"].body])
      .toSorted(),
  ).toEqual([
    ["post.published", "Hello"],
    ["post.received", "Good morning"],
  ]);
  for (const { method, headers, body } of requests()) {
    expect([method, isSigned(secret, headers!, body as string, world.hub.clock().getTime())]).toEqual(["POST", true]);
    expect(headers!["webhook-signature"]!.split(" ")).toHaveLength(1);
    expect(isSigned(secret, headers!, `${body as string} `, world.hub.clock().getTime())).toBe(false);
    expect(Number(headers!["webhook-timestamp"])).toBe(Math.floor(world.hub.clock().getTime() / 1000));
  }
  const record = (await ann.get(api("item/full"), { item_id: post })).json.item[0];
  expect(told().find(({ type }) => type === "post.published")!.data["item"]).toMatchObject({ mid: record.message_id });
  expect(await deliveries(id)).toMatchObject([
    { state: "delivered", status: "200", attempts: "1" },
    { state: "delivered", status: "200", attempts: "1" },
  ]);
});

test("are told of mentions, reactions, requests and messages, and each of an item once", async () => {
  const { hub } = world;
  await webhook(ann, "mention.received", "reaction.received", "connection.requested");
  const { id, mid } = await postItem(hub, ann.channel, { body: "A cake" });
  await world.work();
  const cara = await world.person("cara");
  await connect(hub, cara.channel, { xchan_hash: ann.channel.channel_hash });
  await postItem(hub, bob.channel, { body: "@ann what a cake" });
  await world.work();
  await bob.post(api("item/update"), { verb: "http://activitystrea.ms/schema/1.0/like", parent_mid: mid });
  await world.work();
  expect(
    told()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(["connection.requested", "mention.received", "reaction.received"].toSorted());
  expect(told().find(({ type }) => type === "connection.requested")!.data["connection"]).toMatchObject({
    abook_pending: "1",
    xchan_hash: cara.channel.channel_hash,
  });
  await deleteItem(hub, ann.channel, { id });
});

test("are tried again with growing pauses, and given up after a day", async () => {
  const { id } = await webhook(ann, "post.published");
  elsewhere.put(receiver, 503);
  await postItem(world.hub, ann.channel, { body: "Anybody there?" });
  await world.work();
  expect(await deliveries(id)).toMatchObject([{ state: "waiting", attempts: "1", status: "503" }]);
  await later(4);
  expect(requests()).toHaveLength(1);
  await later(2);
  expect(requests()).toHaveLength(2);
  const names = new Set(requests().map(({ headers }) => headers!["webhook-id"]));
  expect(names.size).toBe(1);
  for (let hour = 0; hour < 26; hour++) await later(3600);
  expect(await deliveries(id)).toMatchObject([{ state: "given-up" }]);
  elsewhere.put(receiver, 200);
  const [{ id: delivery }] = await deliveries(id);
  expect((await ann.post(api("webhook/again"), { webhook_id: id, delivery_id: delivery })).json).toEqual({
    success: true,
  });
  await world.work();
  expect(await deliveries(id)).toMatchObject([{ state: "delivered", status: "200" }]);
  expect(requests().at(-1)!.headers!["webhook-id"]).toBe([...names][0]);
});

test("are switched off after many failures in a row, and their owner is told", async () => {
  const { id } = await webhook(ann, "post.published");
  elsewhere.put(receiver, new Error("nobody"));
  for (let day = 0; day < mostFailures; day++) {
    await postItem(world.hub, ann.channel, { body: `Day ${day}` });
    await later(8 * 3600);
  }
  expect((await ann.get(api("webhook"))).json).toMatchObject([{ id, on: "0" }]);
  const asked = requests().length;
  expect(asked).toBe(mostFailures);
  expect((await browser.get("/notifications")).text).toContain("has failed too often");
  await postItem(world.hub, ann.channel, { body: "Not told" });
  await later(3600);
  expect(requests()).toHaveLength(asked);
  elsewhere.put(receiver, 200);
  expect((await ann.post(api("webhook"), { webhook_id: id, on: "1" })).json).toMatchObject({ on: "1", failures: "0" });
  await postItem(world.hub, ann.channel, { body: "Told" });
  await world.work();
  expect(told().at(-1)!.data["item"].body).toBe("Told");
});

test("say nothing that is gone by then", async () => {
  const { id } = await webhook(ann, "post.published");
  elsewhere.put(receiver, 500);
  const { id: post } = await postItem(world.hub, ann.channel, { body: "A slip" });
  await world.work();
  await deleteItem(world.hub, ann.channel, { id: post });
  elsewhere.asked.length = 0;
  await later(60);
  expect(requests()).toEqual([]);
  expect(await deliveries(id)).toMatchObject([{ state: "withdrawn" }]);
});

test("of the site are for administrators, as long as they are that", async () => {
  const refused = await ann.post(api("webhook"), { url: receiver, events: "report.filed" });
  expect([refused.status, refused.json.field]).toEqual([400, "events"]);
  const root = await world.person("root");
  await setAdministrator(world.hub, root.channel.channel_account_id, true);
  await webhook(root, "report.filed");
  await report(world.hub, ann.channel, {
    person: bob.channel.channel_hash,
    items: [],
    forward: false,
    comment: "too loud",
  });
  await world.work();
  expect(told()).toMatchObject([{ type: "report.filed", data: { report: { comment: "too loud" } } }]);
});

test("go to public addresses, ten for a channel", async () => {
  for (const url of [
    "http://receiver.example/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://a:b@c.example/",
    "x",
  ]) {
    const { status, json } = await ann.post(api("webhook"), { url, events: "post.received" });
    expect([url, status, json.field]).toEqual([url, 400, "url"]);
  }
  for (let count = 0; count < 10; count++) await webhook(ann, "post.received");
  expect((await ann.post(api("webhook"), { url: receiver, events: "post.received" })).status).toBe(403);
});

test("are added, tried, changed and removed on a page", async () => {
  await browser.get("/settings/webhooks");
  const made = await browser.post("/settings/webhooks", { url: receiver, events: "post.received" });
  const first = /whsec_[\w+/=]+/.exec(made.text)?.[0];
  expect(first).toBeDefined();
  const [{ id }] = (await ann.get(api("webhook"))).json;
  const act = (form: Record<string, string>) => browser.post(`/settings/webhooks/${id}/do`, form);
  expect((await browser.get(`/settings/webhooks/${id}`)).text).not.toContain("whsec_");
  expect((await act({ deed: "test" })).location).toContain("done=webhooksent");
  await world.work();
  expect(told()).toMatchObject([{ type: "test", data: {} }]);
  const { text } = await browser.get(`/settings/webhooks/${id}`);
  expect(text).toContain("Send again");
  const [{ id: delivery }] = await deliveries(id);
  await act({ deed: "again", delivery });
  await world.work();
  expect(told()).toHaveLength(2);
  const renewed = await act({ deed: "secret" });
  expect(/whsec_[\w+/=]+/.exec(renewed.text)?.[0]).not.toBe(first);
  expect(renewed.text).toContain("with the old secret as well");
  expect((await browser.get(`/settings/webhooks/${id}`)).text).toContain("Stop using the old secret");
  await act({ deed: "end-former" });
  expect((await browser.get(`/settings/webhooks/${id}`)).text).not.toContain("Stop using the old secret");
  await browser.post(`/settings/webhooks/${id}`, { url: `${receiver}/2`, events: "post.published" });
  expect((await ann.get(api("webhook"))).json).toMatchObject([
    { url: `${receiver}/2`, on: "0", events: ["post.published"] },
  ]);
  await act({ deed: "remove" });
  expect((await ann.get(api("webhook"))).json).toEqual([]);
});

test("sign with the old secret for a day, or until that is ended", async () => {
  const { id, secret } = await webhook(ann, "post.published");
  const secrets = [secret];
  const renew = async () => secrets.push((await ann.post(api("webhook/secret"), { webhook_id: id })).json.secret);
  /** By which secrets a request is signed now, counted from the first. */
  const signers = async (): Promise<number[]> => {
    elsewhere.asked.length = 0;
    await ann.post(api("webhook/test"), { webhook_id: id });
    await world.work();
    const [{ headers, body }] = requests() as [{ headers: Record<string, string>; body: string }];
    const fits = (one: string) => isSigned(one, headers, body, world.hub.clock().getTime());
    expect(headers["webhook-signature"]!.split(" ")).toHaveLength(secrets.filter(fits).length);
    return secrets.flatMap((one, number) => (fits(one) ? [number + 1] : []));
  };
  const former = async () => (await ann.get(api("webhook"))).json[0].former_until as string;
  expect(await former()).toBe("0001-01-01 00:00:00");
  await renew();
  expect(await signers()).toEqual([1, 2]);
  await renew();
  expect(await signers()).toEqual([2, 3]);
  expect(await former()).toBe(momentIn(world.hub, 24 * 3600_000));
  await later(24 * 3600 - 1);
  expect(await signers()).toEqual([2, 3]);
  await later(1);
  expect(await signers()).toEqual([3]);
  await trimWebhooks(world.hub);
  const kept = await world.hub.db.selectFrom("webhook").select(["former_secret", "former_until"]).execute();
  expect(kept).toEqual([{ former_secret: "", former_until: "0001-01-01 00:00:00" }]);
  await renew();
  const ended = await ann.post(api("webhook/end-former"), { webhook_id: id });
  expect([ended.status, ended.json]).toMatchObject([200, { id, former_until: "0001-01-01 00:00:00" }]);
  expect(await signers()).toEqual([4]);
});

test("reach the receiver of the examples, which takes each event once", async () => {
  world.hub.setClock(new Date());
  const { secret } = await webhook(ann, "post.published");
  await postItem(world.hub, ann.channel, { body: "For a program" });
  await world.work();
  const taken: object[] = [];
  const server = receive(secret, (event) => taken.push(event));
  onTestFinished(() => void server.close());
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const [{ headers, body }] = requests() as [{ headers: Record<string, string>; body: string }];
  const send = async (changes: object) =>
    (await fetch(url, { method: "POST", headers: { ...headers, ...changes }, body })).status;
  expect([await send({}), await send({}), await send({ "webhook-signature": "v1,b\u00e9" })]).toEqual([204, 204, 401]);
  expect(taken).toMatchObject([{ type: "post.published" }]);
});

test("cost one statement where nobody has any", async () => {
  statements.length = 0;
  await postItem(world.hub, ann.channel, { body: "Quiet" });
  expect(statements.filter((text) => text.includes("webhook"))).toHaveLength(1);
});
