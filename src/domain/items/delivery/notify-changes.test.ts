import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { mastodonPerson, postStatus } from "../../../../test/support/mastodon.ts";
import { befriend } from "../../../../test/support/people.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { setAdministrator } from "../../identity/accounts/accounts.ts";
import { findChannelByNick } from "../../identity/channels/channels.ts";
import { choose, usualChoices } from "../../notifications/choices.ts";
import { listNotices } from "../../notifications/notices.ts";
import { notify } from "../../notifications/notify.ts";
import { receiveReport } from "../../reports/receive-report.ts";
import { notifyEdit, notifyPollEnd } from "./notify-changes.ts";

/** Notices of edits, of the ends of polls, of sign-ups and reports, as applications and pages tell them. */

let world: TestApp;
let [ann, bob, cara, dora]: Client[] = [];
const uids = new Map<string, number>();

beforeAll(async () => {
  world = await openTestApp({ clock: new Date() });
  const channels = [];
  for (const nick of ["ann", "bob", "cara", "dora"]) channels.push((await world.person(nick)).channel);
  for (const { channel_address: nick, channel_id } of channels) uids.set(nick, channel_id);
  [ann, bob, cara, dora] = await Promise.all(channels.map((channel) => mastodonPerson(world, channel)));
  for (const other of channels.slice(1)) await befriend(world.hub, channels[0]!, other);
  await world.work();
  await world.hub.db.deleteFrom("notify").execute();
});
afterAll(() => world.close());

const told = async (client: Client, type: string): Promise<any[]> =>
  (await client.get("/api/v1/notifications", { types: [type] })).json;
const later = async (seconds: number): Promise<void> => {
  world.hub.advance(seconds);
  await world.work();
};
/** The status as the reader has it. */
const own = async (client: Client, uri: string): Promise<any> =>
  (await client.get("/api/v1/timelines/home")).json.find((one: any) => one.uri === uri);

test("whoever has answered or shared a post is told that it has another text, once for all edits of a minute", async () => {
  const { id, uri } = await postStatus(world, ann!, { status: "tea", visibility: "public" });
  await postStatus(world, bob!, { status: "with milk", in_reply_to_id: (await own(bob!, uri)).id });
  await cara!.post(`/api/v1/statuses/${(await own(cara!, uri)).id}/reblog`);
  await world.work();
  for (const status of ["tea and", "tea and cake"])
    await ann!.send("PUT", `/api/v1/statuses/${id}`, new URLSearchParams({ status }));
  await world.work();
  expect(await told(bob!, "update")).toEqual([]);
  await later(61);
  for (const client of [bob!, cara!]) {
    const [one, ...others] = await told(client, "update");
    expect([one.account.acct, one.status.uri, one.status.content, others]).toEqual([
      "ann",
      uri,
      "<p>tea and cake</p>",
      [],
    ]);
  }
  expect([await told(ann!, "update"), await told(dora!, "update")]).toEqual([[], []]);
  await ann!.send("PUT", `/api/v1/statuses/${id}`, new URLSearchParams({ status: "coffee" }));
  await later(61);
  const { message_id } = await world.hub.db
    .selectFrom("item")
    .select("message_id")
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
  await notifyEdit(world.hub, message_id);
  expect(await told(bob!, "update")).toHaveLength(1);
  const page = visitorOf(world.app);
  await page.logIn("bob", password);
  expect((await page.get("/notifications")).text).toContain(
    "<strong>Ann</strong> edited a post that you answered or shared",
  );
});

test("the end of a poll is told to whose it is and to those who have voted, and to nobody else", async () => {
  const poll = { options: ["tea", "cake"], expires_in: 3600 };
  const { id, uri } = await postStatus(world, ann!, { status: "which?", visibility: "public", poll });
  const question = await own(bob!, uri);
  await bob!.post(`/api/v1/polls/${question.poll.id}/votes`, { choices: [1] });
  await later(3500);
  expect(await told(bob!, "poll")).toEqual([]);
  await later(200);
  for (const client of [ann!, bob!]) {
    const [one, ...others] = await told(client, "poll");
    expect([one.account.acct, one.status.poll.expired, others]).toEqual(["ann", true, []]);
  }
  expect(await told(cara!, "poll")).toEqual([]);
  const { message_id } = await world.hub.db
    .selectFrom("item")
    .select("message_id")
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();
  await notifyPollEnd(world.hub, message_id);
  expect([await told(ann!, "poll"), await told(bob!, "poll")].map((all) => all.length)).toEqual([1, 1]);
});

test("who wants to hear of neither hears of neither", async () => {
  const silent = { page: false, push: false, mail: "never" } as const;
  await choose(world.hub, uids.get("bob")!, { edit: silent, poll: silent });
  const { id, uri } = await postStatus(world, ann!, { status: "bread", visibility: "public" });
  await postStatus(world, bob!, { status: "and butter", in_reply_to_id: (await own(bob!, uri)).id });
  const before = (await told(bob!, "update")).length;
  await ann!.send("PUT", `/api/v1/statuses/${id}`, new URLSearchParams({ status: "toast" }));
  await later(61);
  expect(await told(bob!, "update")).toHaveLength(before);
  await choose(world.hub, uids.get("bob")!, { edit: usualChoices.edit, poll: usualChoices.poll });
});

test("somebody who waits to be let in is told to applications of administrators", async () => {
  const to = {
    channel_id: uids.get("dora")!,
    xchan_id: (await dora!.get("/api/v1/accounts/verify_credentials")).json.id,
  };
  const { id } = (await cara!.get("/api/v1/accounts/verify_credentials")).json;
  await notify(world.hub, [{ kind: "sign-up", to: { ...to, xchan_id: Number(to.xchan_id) }, actor: Number(id) }]);
  const [one] = await told(dora!, "admin.sign_up");
  expect([one.account.acct, "status" in one]).toEqual(["cara", false]);
});

describe("of a report", () => {
  const ids = async (client: Client): Promise<string> =>
    (await client.get("/api/v1/accounts/verify_credentials")).json.id;

  test("administrators are told, with who, whom, what and why; neither members, nor whom it is about", async () => {
    const root = await administrator("root");
    const { id, uri } = await postStatus(world, ann!, { status: "buy this", visibility: "public" });
    const seen = (await bob!.get("/api/v2/search", { q: uri, type: "statuses" })).json.statuses[0];
    const account_id = await ids(ann!);
    const made = await bob!.post("/api/v1/reports", { account_id, status_ids: [seen.id], comment: "spam" });
    await bob!.post("/api/v1/reports", { account_id: await ids(root), comment: "rude" });
    await world.work();
    const [one, ...others] = await told(root, "admin.report");
    expect([one.account.acct, one.report.target_account.acct, one.report.comment, others]).toEqual([
      "bob",
      "ann",
      "spam",
      [],
    ]);
    expect([one.report.id, one.report.status_ids, "status" in one]).toEqual([made.json.id, [id], false]);
    const [group] = (await root.get("/api/v2/notifications", { types: ["admin.report"] })).json.notification_groups;
    expect([group.type, group.report.id]).toEqual(["admin.report", made.json.id]);
    expect([await told(ann!, "admin.report"), await told(bob!, "admin.report")]).toEqual([[], []]);
    const page = visitorOf(world.app);
    await page.logIn("root", password);
    const { text } = await page.get("/notifications?kind=people");
    expect(text).toMatch(/<strong>Bob<\/strong> has reported somebody/i);
    const [, view] = /href="(\/notify\/view\/\d+)"/.exec(text)!;
    expect((await page.get(view!)).location).toBe("/admin/reports");
  });

  test("by another hub the page tells, once; who does not administer any more is told by no application", async () => {
    const root = await administrator("second");
    const flag = { id: "https://far.example/flag", host: "far.example", nicks: ["ann"], uuids: [], comment: "insults" };
    await receiveReport(world.hub, flag);
    await receiveReport(world.hub, flag);
    await postReport(bob!, cara!);
    await world.work();
    const { channel_id, channel_account_id } = (await findChannelByNick(world.hub, "second"))!;
    const tellings = (await listNotices(world.hub, channel_id)).map((notice) => [notice.kind, notice.actor.name]);
    expect(tellings.toSorted()).toEqual([
      ["report", ""],
      ["report", "Bob"],
    ]);
    const page = visitorOf(world.app);
    await page.logIn("second", password);
    expect((await page.get("/notifications")).text).toContain("<strong>Another hub</strong> has reported somebody");
    expect(await told(root, "admin.report")).toHaveLength(1);
    await setAdministrator(world.hub, channel_account_id, false);
    expect(await told(root, "admin.report")).toEqual([]);
  });

  async function administrator(nick: string): Promise<Client> {
    const { channel } = await world.person(nick);
    await setAdministrator(world.hub, channel.channel_account_id, true);
    return mastodonPerson(world, channel);
  }

  async function postReport(by: Client, about: Client): Promise<void> {
    await by.post("/api/v1/reports", { account_id: await ids(about), comment: "noise" });
  }
});
