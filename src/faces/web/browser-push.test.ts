import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { openElsewhere } from "../../../test/support/elsewhere.ts";
import type { Elsewhere } from "../../../test/support/elsewhere.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, mark, newcomer } from "../../../test/support/people.ts";
import { newDevice } from "../../../test/support/push-receiver.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { findAccountById, setLanguage } from "../../domain/identity/accounts/accounts.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import { sendMessage } from "../../domain/messages/send.ts";
import { choose } from "../../domain/notifications/choices.ts";
import { markAllSeen } from "../../domain/notifications/seen.ts";
import { trimSubscriptions } from "../../domain/push/subscriptions.ts";
import { jobs } from "../../jobs/table.ts";

/** Browsers that are told of notices: what their service workers get, and until when. */

const path = "/settings/notices";

let world: TestApp;
let elsewhere: Elsewhere;
let ann: Channel;
let bob: Channel;
let browser: Visitor;
let device: ReturnType<typeof newDevice>;
let count = 0;

beforeAll(async () => {
  elsewhere = openElsewhere();
  world = await openTestApp({ fetch: elsewhere.fetch });
});
afterAll(() => world?.close());

/** Everybody is new in each test; Ann has an account of her own, which tests end or change. */
beforeEach(async () => {
  count++;
  ann = (await world.person(`ann${count}`, { name: `Ann${count}` })).channel;
  bob = await newcomer(world.hub, `bob${count}`);
  await befriend(world.hub, ann, bob);
  await world.work();
  browser = visitorOf(world.app);
  await browser.logIn(`ann${count}`, password);
  device = newDevice(`https://push.example/browser${count}`);
  elsewhere.put(`https://push.example/browser${count}`, 201);
  elsewhere.asked.length = 0;
});

type Form = { endpoint: string; keys: { p256dh: string; auth: string } };

async function start(more: object = {}, language = "") {
  const { endpoint, keys } = device.form as Form;
  await browser.get(path);
  return browser.post(`${path}/browser`, { endpoint, ...keys, ...more }, { "accept-language": language });
}

const sent = () => elsewhere.asked.filter(({ url }) => url === `https://push.example/browser${count}`);
const read = () =>
  sent().map(({ options }) => device.read(options.body as Uint8Array, options.headers!) as Record<string, string>);

async function tell(body = `Tea, @ann${count}?`) {
  const item = await postItem(world.hub, bob, { body });
  await world.work();
  return item;
}

test("a browser is told in a sentence with the words and the place, to be read by it alone, and is listed", async () => {
  expect((await browser.get(path)).text).toMatch(/<hub-push\s+data-vapid="[\w-]{87}"\s+data-endpoint=""/);
  expect((await start()).location).toBe(`${path}?done=push-on`);
  expect((await browser.get(path)).text).toContain("Stop telling me here");
  expect((await browser.get("/settings/account")).text).toContain("by push");
  const item = await tell();
  const [told] = read();
  const place = `http://hub.example/display/${item.mid.split("/item/")[1]}`;
  expect(told).toEqual({
    title: `Bob${count} mentioned you in a post`,
    body: `Tea, @Ann${count}?`,
    lang: "en",
    dir: "ltr",
    tag: expect.any(String),
    places: [place, place],
    href: expect.stringMatching(/^http:\/\/hub\.example\/notify\/view\/\d+$/),
  });
  const { headers } = sent()[0]!.options;
  expect([headers!["content-encoding"], headers!["urgency"]]).toEqual(["aes128gcm", "high"]);
  expect((await browser.get(told!["href"]!.replace("http://hub.example", ""))).location).toMatch(
    new RegExp(`^${new URL(place).pathname}#`),
  );
});

test("it speaks the language of the account, else that of the browser, and tells the same story as the page", async () => {
  await start({}, "de-AT, en;q=0.5");
  const own = await postItem(world.hub, ann, { body: "Der Garten" });
  await world.work();
  await react(world.hub, bob, own, "like", "stays");
  await world.work();
  const { account_id } = (await findAccountById(world.hub, ann.channel_account_id))!;
  await setLanguage(world.hub, account_id, "es");
  const cara = await newcomer(world.hub, `cara${count}`);
  await befriend(world.hub, ann, cara);
  await world.work();
  elsewhere.asked.length = 0;
  await react(world.hub, cara, own, "like", "stays");
  await world.work();
  await sendMessage(world.hub, bob, { to: ann.channel_hash, body: "Between us" });
  await world.work();
  const [likes, letter, ...more] = read();
  expect(more).toEqual([]);
  expect([likes!["lang"], likes!["body"]]).toEqual(["es", "Der Garten"]);
  expect(likes!["title"]).toBe(`A Cara${count} y Bob${count} les gusta tu publicación`);
  expect([letter!["body"], JSON.stringify(letter)]).toEqual(["", expect.not.stringContaining("Between us")]);
});

test("nothing is told that the page would not: gone, hidden, muted, seen, not chosen", async () => {
  await start();
  /** The notice is written, the browser not told yet. */
  const half = async (body: string) => {
    const item = await postItem(world.hub, bob, { body: `${body} @ann${count}` });
    await jobs["deliver-item"](world.hub, { item: item.id });
    return item;
  };
  const gone = await half("gone");
  await deleteItem(world.hub, bob, { id: gone.id });
  await world.work();
  const { message_id } = await half("hidden");
  const ofAnn = world.hub.db.updateTable("item").where("message_id", "=", message_id).where("uid", "=", ann.channel_id);
  await ofAnn.set({ item_hidden: 1 }).execute();
  await world.work();
  await half("seen");
  await markAllSeen(world.hub, ann.channel_id);
  await world.work();
  await half("muted");
  await mark(world.hub, ann, bob, { ignored: true });
  await world.work();
  await mark(world.hub, ann, bob, { ignored: false });
  await choose(world.hub, ann.channel_id, { mention: { page: true, push: false, mail: "never" } });
  await tell();
  expect(read()).toEqual([]);
  await choose(world.hub, ann.channel_id, { mention: { page: false, push: true, mail: "never" } });
  const item = await tell();
  const place = `http://hub.example/display/${item.mid.split("/item/")[1]}`;
  expect(read()).toMatchObject([{ href: place }]);
  await postItem(world.hub, bob, { body: `@ann${count} the end`, summary: "Spoiler" });
  await world.work();
  expect(read().at(1)).toMatchObject({ body: "Spoiler" });
});

test.each<[string, () => Promise<unknown>]>([
  ["the log-out", () => browser.post("/logout", {})],
  ["its end from another browser", endElsewhere],
  ["a new password", changeElsewhere],
  ["the button", () => browser.post(`${path}/browser/end`, {})],
  [
    "the push service that knows it no more",
    () => Promise.resolve(elsewhere.put(`https://push.example/browser${count}`, 410)),
  ],
])("it ends with %s", async (_name, end) => {
  await start();
  await end();
  await tell();
  await tell("again");
  expect(sent().length).toBeLessThanOrEqual(_name.startsWith("the push service") ? 1 : 0);
  await trimSubscriptions(world.hub);
  const left = world.hub.db.selectFrom("push_subscription").select("id").where("uid", "=", ann.channel_id);
  expect(await left.execute()).toEqual([]);
});

async function endElsewhere(): Promise<void> {
  const other = visitorOf(world.app);
  await other.logIn(`ann${count}`, password);
  const { text } = await other.get("/settings/account");
  await other.post("/settings/account/sessions", { end: /name="end" value="([^"]+)"/.exec(text)![1]! });
}

async function changeElsewhere(): Promise<void> {
  const other = visitorOf(world.app);
  await other.logIn(`ann${count}`, password);
  await other.get("/settings/account");
  await other.post("/settings/account", { old_password: password, password: "another long horse" });
}

test("it is told of the channel as which it acts, and each browser for itself", async () => {
  await start();
  const account = (await findAccountById(world.hub, ann.channel_account_id))!;
  const second = await createChannel(world.hub, account, { nick: `zoe${count}`, name: "Zoe" });
  await befriend(world.hub, second, bob);
  await world.work();
  await browser.get("/manage");
  await browser.post("/manage", { channel: String(second.channel_id) });
  await tell();
  expect(sent()).toEqual([]);
  await tell(`@zoe${count}`);
  expect(read()).toMatchObject([{ body: "@Zoe" }]);
  const other = visitorOf(world.app);
  await other.logIn(`ann${count}`, password);
  expect((await other.get(path)).text).not.toContain("Stop telling me here");
});

test("it takes nothing but an address of a push service, of members who send the form", async () => {
  for (const more of [{ endpoint: "http://push.example/1" }, { endpoint: "https://10.0.0.1/1" }, { endpoint: "" }])
    expect((await start(more)).status).toBe(422);
  expect((await start({ p256dh: "x" })).status).toBe(422);
  expect((await start({ form_security_token: "x" })).status).toBe(403);
  const somebody = visitorOf(world.app);
  for (const one of [`${path}/browser`, `${path}/browser/end`])
    expect((await somebody.post(one, device.form as Record<string, string>)).status).not.toBe(200);
  expect((await browser.get(path)).text).not.toContain("Stop telling me here");
});
