import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { mastodonPerson, postStatus } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { changeChannelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import { sendMessage } from "../../../domain/messages/messages.ts";
import { notify } from "../../../domain/notifications/notify.ts";
import { changePolicy, usualPolicy } from "../../../domain/notifications/policy.ts";
import type { NoticePolicy } from "../../../domain/notifications/policy.ts";

/** Whose notices are told: what a policy keeps apart is nowhere but among the requests, until its reader lets it in. */

let world: TestApp;
let [anns, bobs]: Client[] = [];
let [ann, bob, cara, dora]: Channel[] = [];
let page: Visitor;
const month = 31 * 24 * 3600;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_SMTP_URL: "smtp://127.0.0.1:9" } });
  [ann, bob, cara, dora] = [
    (await world.person("ann")).channel,
    (await world.person("bob")).channel,
    (await world.person("cara")).channel,
    (await world.person("dora")).channel,
  ];
  world.hub.advance(month);
  [anns, bobs] = [await mastodonPerson(world, ann), await mastodonPerson(world, bob)];
  await befriend(world.hub, ann, bob);
  await world.work();
  page = visitorOf(world.app);
  await page.logIn("ann", password);
});
afterAll(() => world.close());

const policy = "/api/v2/notifications/policy";
const requests = "/api/v1/notifications/requests";
const setPolicy = (form: Record<string, string>) => anns!.send("PATCH", policy, new URLSearchParams(form));
const setRules = (rules: Partial<NoticePolicy>) =>
  changePolicy(world.hub, ann!.channel_id, { ...usualPolicy, ...rules });
const follower = (actor: Channel) =>
  notify(world.hub, [{ kind: "follower", to: ann!, actor: actor.xchan_id, connection: 0 }]);
const told = async (query: Record<string, string> = {}): Promise<any[]> =>
  (await anns!.get("/api/v1/notifications", query)).json;
const waiting = async (): Promise<any[]> => (await anns!.get(requests)).json;
const clear = async () => {
  await world.hub.db.deleteFrom("notify").execute();
  await world.hub.db.deleteFrom("config").where("cat", "=", "notice_let_in").execute();
};
/** What becomes of a notice of this kind of somebody: told, kept apart, or nothing. */
async function fateOf(actor: Channel): Promise<string> {
  await clear();
  await follower(actor);
  const [row] = await world.hub.db.selectFrom("notify").select(["filtered", "listed", "mail"]).execute();
  return row ? (row.filtered === 1 ? "filter" : "accept") : "drop";
}

test("everybody is heard until somebody says otherwise; each word says what becomes of whose notices", async () => {
  const all = Object.fromEntries(Object.keys(usualPolicy).map((name) => [`for_${name.replace("-", "_")}`, "accept"]));
  const summary = { pending_requests_count: 0, pending_notifications_count: 0 };
  expect((await anns!.get(policy)).json).toEqual({ ...all, summary });
  const changed = await setPolicy({ for_not_following: "filter", for_bots: "drop", for_nobody: "x" });
  expect(changed.json).toEqual({ ...all, for_not_following: "filter", for_bots: "drop", summary });
  expect((await anns!.send("PUT", policy, new URLSearchParams({ for_bots: "accept" }))).json).toMatchObject({
    for_not_following: "filter",
    for_bots: "accept",
  });
  expect((await setPolicy({ for_not_followers: "ignore" })).status).toBe(422);
  const first = "/api/v1/notifications/policy";
  expect((await anns!.get(first)).json).toMatchObject({ filter_not_following: true, filter_not_followers: false });
  const old = new URLSearchParams({ filter_not_following: "false", filter_new_accounts: "true" });
  expect((await anns!.send("PATCH", first, old)).json.filter_new_accounts).toBe(true);
  expect((await anns!.get(policy)).json).toEqual({ ...all, for_new_accounts: "filter", summary });
  expect((await bobs!.get(policy)).json).toEqual({ ...all, summary });
});

test("each case is about the people that it names", async () => {
  await setRules({ "not-following": "filter" });
  expect([await fateOf(bob!), await fateOf(dora!)]).toEqual(["accept", "filter"]);
  await setRules({ "not-followers": "drop" });
  expect([await fateOf(bob!), await fateOf(dora!)]).toEqual(["accept", "drop"]);
  await setRules({ "new-accounts": "filter" });
  expect(await fateOf(dora!)).toBe("accept");
  const { channel: eve } = await world.person("eve");
  expect(await fateOf(eve)).toBe("filter");
  await setRules({ "limited-accounts": "filter" });
  const limit = (flag: number) =>
    world.hub.db.updateTable("xchan").set({ xchan_censored: flag }).where("xchan_id", "=", dora!.xchan_id).execute();
  await limit(1);
  expect([await fateOf(eve), await fateOf(dora!)]).toEqual(["accept", "filter"]);
  await limit(0);
  await setRules({ bots: "filter" });
  await changeChannelSettings(world.hub, eve.channel_id, { kind: "service" });
  expect([await fateOf(dora!), await fateOf(eve)]).toEqual(["accept", "filter"]);
  await setRules({ "not-following": "filter", "new-accounts": "drop" });
  expect([await fateOf(dora!), await fateOf(eve)]).toEqual(["filter", "drop"]);
});

test("what answers somebody is told whatever the policy says", async () => {
  await clear();
  await setRules({ "not-following": "drop", "not-followers": "drop" });
  await notify(world.hub, [{ kind: "declined", to: ann!, actor: dora!.xchan_id, connection: 0 }]);
  await notify(world.hub, [{ kind: "held", to: ann!, actor: dora!.xchan_id, verb: "" }]);
  const kinds = await world.hub.db.selectFrom("notify").select("kind").where("listed", "=", 1).execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(["declined", "held"]);
});

test("what somebody writes privately who is not followed is kept apart until it answers something", async () => {
  await befriend(world.hub, ann!, cara!);
  await setRules({ "private-mentions": "filter" });
  const caras = await mastodonPerson(world, cara!);
  const says = async (form: object): Promise<number> => {
    await postStatus(world, caras, form);
    return Number((await told())[0].status.id);
  };
  const said = await says({ status: "hello @ann", visibility: "public" });
  const whispered = await says({ status: "over here, @ann", visibility: "direct" });
  await clear();
  const unfollow = { follow_out: "none" };
  await world.hub.db.updateTable("abook").set(unfollow).where("abook_xchan", "=", cara!.channel_hash).execute();
  const tell = (item: number) =>
    notify(world.hub, [{ kind: "mention", to: ann!, actor: cara!.xchan_id, item, verb: "post" }]);
  const types = async () => (await told()).map(({ type, status }) => `${type} ${status.visibility}`);
  await tell(said);
  await tell(whispered);
  await sendMessage(world.hub, cara!, { to: ann!.channel_hash, body: "psst" });
  expect(await types()).toEqual(["mention public"]);
  const [request] = await waiting();
  expect(request).toMatchObject({ notifications_count: "2", last_status: { visibility: "direct" } });
  await sendMessage(world.hub, ann!, { to: cara!.channel_hash, body: "what?" });
  await sendMessage(world.hub, cara!, { to: ann!.channel_hash, body: "nothing" });
  expect(await types()).toEqual(["mention direct", "mention public"]);
  await postStatus(world, anns!, { status: "@cara yes?", in_reply_to_id: String(whispered), visibility: "direct" });
  await tell(whispered);
  expect(await types()).toEqual(["mention direct", "mention direct", "mention public"]);
  const drop = world.hub.db.deleteFrom("abook").where("abook_xchan", "=", cara!.channel_hash);
  await drop.where("abook_channel", "=", ann!.channel_id).execute();
});

test("what is kept apart is told nowhere, waits as a request, and stands in its place when it is let in", async () => {
  await clear();
  await setRules({ "not-following": "filter" });
  await follower(bob!);
  world.hub.advance(60);
  await follower(dora!);
  await follower(dora!);
  await follower(cara!);
  const names = (list: any[]) => list.map(({ account }) => account.acct);
  expect([names(await told()), names(await waiting())]).toEqual([["bob"], ["cara", "dora"]]);
  expect((await anns!.get(policy)).json.summary).toEqual({
    pending_requests_count: 2,
    pending_notifications_count: 3,
  });
  const all = await told({ include_filtered: "true" });
  expect(all.map(({ account, filtered = false }) => [account.acct, filtered])).toEqual([
    ["cara", true],
    ["dora", true],
    ["dora", true],
    ["bob", false],
  ]);
  expect((await anns!.get(`/api/v1/notifications/${all[0].id}`)).json.filtered).toBe(true);
  const groups = async (query = {}) => (await anns!.get("/api/v2/notifications", query)).json.notification_groups;
  expect([(await groups()).length, (await groups({ include_filtered: "true" })).length]).toEqual([1, 1]);
  expect((await anns!.get("/api/v1/notifications/unread_count")).json.count).toBe(1);
  const rows = await world.hub.db.selectFrom("notify").select(["filtered", "mail", "seen", "listed"]).execute();
  expect(rows.filter(({ filtered }) => filtered === 1)).toEqual(
    Array.from({ length: 3 }, () => ({ filtered: 1, mail: 0, seen: 1, listed: 0 })),
  );
  const [caras, doras] = await waiting();
  expect([caras.notifications_count, doras.notifications_count]).toEqual(["1", "2"]);
  expect((await anns!.get(requests, { limit: "1" })).headers.get("link")).toContain(`max_id=${caras.id}`);
  expect((await anns!.get(requests, { max_id: caras.id })).json).toEqual([doras]);
  expect((await anns!.get(requests, { min_id: doras.id })).json).toEqual([caras]);
  expect((await anns!.get(`${requests}/${doras.id}`)).json).toEqual(doras);
  for (const path of ["", "/accept", "/dismiss"])
    expect((await bobs!.send(path ? "POST" : "GET", `${requests}/${doras.id}${path}`)).status).toBe(404);
  expect((await bobs!.post(`${requests}/accept`, { id: [doras.id] })).json).toEqual({});
  await anns!.post("/api/v1/notifications/clear");
  expect((await waiting()).length).toBe(2);
  expect((await anns!.post(`${requests}/${doras.id}/accept`)).json).toEqual({});
  expect((await anns!.get(`${requests}/merged`)).json).toEqual({ merged: true });
  expect([names(await told()), names(await waiting())]).toEqual([["dora", "dora"], ["cara"]]);
  await follower(dora!);
  expect(names(await told())).toEqual(["dora", "dora", "dora"]);
  expect((await anns!.post(`${requests}/${doras.id}/accept`)).status).toBe(404);
  expect((await anns!.post(`${requests}/dismiss`, { id: [caras.id, "99999999", "x"] })).json).toEqual({});
  expect(await waiting()).toEqual([]);
  await follower(cara!);
  expect(names(await waiting())).toEqual(["cara"]);
  await anns!.post(`/api/v1/accounts/${cara!.xchan_id}/mute`);
  expect([await waiting(), (await anns!.get(policy)).json.summary.pending_requests_count]).toEqual([[], 0]);
  await anns!.post(`/api/v1/accounts/${cara!.xchan_id}/unmute`);
  await anns!.post(`${requests}/accept`, { id: [(await waiting())[0].id] });
  expect(names(await told())[0]).toBe("cara");
});

test("the pages have it, too: the choices, the list, the notices of one person, and the buttons", async () => {
  await clear();
  await setRules({});
  await page.get("/settings/notices");
  expect((await page.post("/settings/notices", { from_bots: "maybe" })).status).toBe(422);
  await page.get("/settings/notices");
  await page.post("/settings/notices", { "from_not-following": "filter", connection_page: "1" });
  expect((await anns!.get(policy)).json).toMatchObject({ for_not_following: "filter", for_bots: "accept" });
  expect((await page.get("/notifications")).text).not.toContain("/notifications/filtered");
  for (const actor of [cara!, dora!]) await follower(actor);
  expect((await page.get("/notifications")).text).toContain("Notices from 2 people are held back");
  const list = (await page.get("/notifications/filtered")).text;
  expect(list.match(/<li class="person"/g)).toHaveLength(2);
  const [doras, caras] = (await waiting()).map(({ id }) => id);
  const one = await page.get(`/notifications/filtered/${doras}`);
  expect(one.text).toContain("<strong>Dora</strong> has connected with you");
  expect((await page.get("/notifications/filtered/999999")).status).toBe(404);
  const other = visitorOf(world.app);
  await other.logIn("bob", password);
  expect((await other.get(`/notifications/filtered/${doras}`)).status).toBe(404);
  await other.get("/notifications/filtered");
  expect((await other.post("/notifications/filtered", { id: doras, deed: "accept" })).status).toBe(404);
  await page.get("/notifications/filtered");
  expect((await page.post("/notifications/filtered", { id: doras, deed: "accept" })).location).toContain("letthrough");
  expect((await page.get("/notifications")).text).toContain("Dora");
  await page.get("/notifications/filtered");
  await page.post("/notifications/filtered", { id: caras, deed: "dismiss" });
  expect((await page.get("/notifications/filtered")).text).toContain("Nothing is held back.");
});
