import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, makeChannel, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { connect } from "../../../../domain/connections/connections.ts";
import { dropUnconfirmed } from "../../../../domain/connections/remove-account.ts";
import { findAccount, setAccountFlag } from "../../../../domain/identity/accounts/accounts.ts";
import { logIn } from "../../../../domain/identity/accounts/log-in.ts";
import { register } from "../../../../domain/identity/accounts/register.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { createChannel, findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { invite } from "../../../../domain/invitations/invitations.ts";
import { observerOf } from "../../../../domain/identity/channels/observer.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { publicThreads } from "../../../../domain/items/timelines/public-threads.ts";
import { listMeasures, trimModeration } from "../../../../domain/moderation/log.ts";
import { listDirectory } from "../../../../domain/people/directory.ts";
import { sqlDate } from "../../../../storage/sql.ts";
import { addJob } from "../../../../jobs/queue.ts";
import { runDue } from "../../../../jobs/runner.ts";
import { webPages } from "../../web.ts";

/** What those who run the hub see of accounts, and do about them. */

let hub: TestHub;
let root: Visitor;
let ann: Channel;
let bob: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  await createChannel(hub, await makeAccount(hub, "root@example.org", { roles: 4096 }), { nick: "root", name: "Root" });
  [ann, bob] = [await makeChannel(hub, "ann"), await makeChannel(hub, "bob")];
  root = await loggedIn("root");
});
afterAll(() => hub.close());

async function loggedIn(nick: string): Promise<Visitor> {
  const visitor = visitorOf(webPages(hub), hub.config.host);
  await visitor.logIn(nick, password);
  return visitor;
}

const act = (channel: Channel, fields: Record<string, string>) =>
  root.post(`/admin/accounts/${channel.channel_account_id}`, fields);
const listed = async (query: string) =>
  [...(await root.get(`/admin/accounts?${query}`)).text.matchAll(/class="name" href="[^"]*">([^<]*)</g)].map(
    ([, email]) => email,
  );

test("accounts are found by name, nick and address, in every order and by what is not usual", async () => {
  const all = ["root@example.org", "ann@example.org", "bob@example.org"];
  expect(new Set(await listed(""))).toEqual(new Set(all));
  for (const order of ["newest", "active", "address", "odd"])
    expect([order, (await listed(`order=${order}`)).length]).toEqual([order, 3]);
  expect(await listed("order=address")).toEqual(all.toSorted());
  expect(await listed("q=ANN")).toEqual(["ann@example.org"]);
  expect(await listed("q=%25")).toEqual([]);
  expect(await listed("show=administrators")).toEqual(["root@example.org"]);
  expect(await listed("show=waiting")).toEqual([]);
});

test("a limited account is shown nowhere in public, its new channels neither, and whom it asks decides", async () => {
  await postItem(hub, ann, { body: "Hello all" });
  const shown = async () => [
    (await listDirectory(hub, observerOf(bob), { count: 9 })).entries.some(({ xchan_id }) => xchan_id === ann.xchan_id),
    (await publicThreads(hub, observerOf(bob), { count: 9 })).items.length,
  ];
  expect(await shown()).toEqual([true, 1]);
  expect((await act(ann, { measure: "limit", note: "Too <loud>", tells: "1" })).status).toBe(303);
  expect(await shown()).toEqual([false, 0]);
  expect(await listed("show=limited")).toEqual(["ann@example.org"]);
  const second = await createChannel(hub, { account_id: ann.channel_account_id }, { nick: "ann-two", name: "Ann 2" });
  const people = (await listDirectory(hub, observerOf(bob), { count: 9 })).entries;
  expect(people.some(({ xchan_id }) => xchan_id === second.xchan_id)).toBe(false);
  await connect(hub, ann, { xchan_hash: bob.channel_hash });
  const [row] = await hub.db
    .selectFrom("abook")
    .select("abook_pending")
    .where("abook_channel", "=", bob.channel_id)
    .where("abook_xchan", "=", ann.channel_hash)
    .execute();
  expect(row).toEqual({ abook_pending: 1 });
  const own = await loggedIn("ann");
  expect((await own.get("/notifications")).text).toContain("have written to you about your account");
  expect((await own.get("/settings/warnings")).text).toMatch(/is limited[^]*Too &lt;loud&gt;/);
  expect((await (await loggedIn("bob")).get("/settings/warnings")).text).not.toContain("loud");
  expect((await act(ann, { measure: "unlimit" })).status).toBe(303);
  expect(await shown()).toEqual([true, 1]);
});

test("a suspended account cannot log in until that ends, and notes stay with those who run the hub", async () => {
  const before = await loggedIn("bob");
  expect((await act(bob, { measure: "block", note: "Cool down" })).status).toBe(303);
  expect((await before.get("/network")).status).toBe(303);
  const page = (await root.get(`/admin/accounts/${bob.channel_account_id}`)).text;
  expect(page).toMatch(/State<\/dt>\s*<dd>suspended[^]*root@example.org suspended the account[^]*Cool down/);
  expect((await act(bob, { measure: "unblock" })).status).toBe(303);
  expect((await act(bob, { measure: "note", note: "Between us", tells: "1" })).status).toBe(303);
  expect((await (await loggedIn("bob")).get("/settings/warnings")).text).not.toContain("Between us");
  for (const wrong of [{ measure: "note" }, { measure: "dance" }, {}])
    expect([wrong, (await act(bob, wrong)).status]).toEqual([wrong, 422]);
  expect((await act(bob, { measure: "unlimit" })).status).toBe(403);
});

test("a way to a new password is handed over where the hub sends no mail, and all log-ins end", async () => {
  const page = await act(bob, { measure: "password" });
  const link = /<code>[^<]*(\/login\/new-password\/[^<]+)</.exec(page.text)![1]!;
  expect((await visitorOf(webPages(hub), hub.config.host).get(link)).status).toBe(200);
  const there = await loggedIn("bob");
  expect((await act(bob, { measure: "log-out" })).status).toBe(303);
  expect((await there.get("/network")).status).toBe(303);
});

test("administrators are made and unmade, but never the last one, and nothing else is done to them", async () => {
  const [first] = (await root.get("/admin/accounts?show=administrators")).text.match(/\/admin\/accounts\/\d+/)!;
  expect((await root.post(first, { measure: "demote" })).status).toBe(422);
  expect((await act(ann, { measure: "promote" })).status).toBe(303);
  expect((await (await loggedIn("ann")).get("/admin")).status).toBe(200);
  expect((await act(ann, { measure: "block" })).status).toBe(403);
  expect((await act(ann, { measure: "demote" })).status).toBe(303);
  expect((await (await loggedIn("ann")).get("/admin")).status).toBe(404);
});

test("an account is deleted after a question, and what was done stays written down for two years", async () => {
  const cem = await makeChannel(hub, "cem");
  const asked = await act(cem, { measure: "remove", note: "Spam" });
  expect(asked.text).toContain("Delete the account of cem@example.org?");
  expect(await findAccount(hub, "cem@example.org")).toBeDefined();
  expect((await act(cem, { measure: "remove", note: "Spam", sure: "1" })).location).toBe(
    "/admin/accounts?done=measured",
  );
  expect(await findAccount(hub, "cem@example.org")).toBeUndefined();
  expect((await act(cem, { measure: "note", note: "x" })).status).toBe(404);
  expect((await root.get("/admin/moderation")).text).toMatch(/deleted the account[^]*Spam/);
  expect(await findChannelByNick(hub, "cem")).toBeUndefined();
  await expect(register(hub, { email: "c@example.org", password, nick: "cem", name: "C" })).rejects.toMatchObject({
    code: "nick_taken",
  });
  hub.advance(731 * 86_400);
  await trimModeration(hub);
  expect((await listMeasures(hub, { count: 9 })).measures).toEqual([]);
  hub.advance(-731 * 86_400);
});

test("nicks of those who never confirm their address are free after two weeks, and so are those of the refused", async () => {
  const newcomer = async (nick: string, flag: "unverified" | "pending"): Promise<Channel> => {
    const { account, channel } = await register(hub, { email: `${nick}@example.net`, password, nick, name: nick });
    await setAccountFlag(hub, account.account_id, flag, true);
    return channel;
  };
  const dora = await newcomer("dora", "unverified");
  const eve = await newcomer("eve", "pending");
  await dropUnconfirmed(hub);
  expect(await listed("show=unconfirmed")).toEqual(["dora@example.net"]);
  expect((await act(eve, { measure: "refuse" })).status).toBe(303);
  hub.advance(15 * 86_400);
  await dropUnconfirmed(hub);
  expect(await findAccount(hub, "dora@example.net")).toBeUndefined();
  for (const nick of ["dora", "eve"]) await register(hub, { email: `${nick}@example.net`, password, nick, name: nick });
  const caller = await logIn(hub, { login: "dora", password, address: "192.0.2.9" });
  expect(caller.channel.channel_id).not.toBe(dora.channel_id);
});

test("invitations of all members are listed, and ended", async () => {
  const fresh = await loggedIn("root");
  const account = { account_roles: 4096 };
  await invite(hub, { channel: bob, account }, { note: "<choir>", uses: 3, days: 7 });
  const shown = (await fresh.get("/admin/invitations")).text;
  expect(shown).toMatch(/@bob, for “&lt;choir&gt;”[^]*0 of 3 have come/);
  const [, id] = /name="id" value="(\d+)"/.exec(shown)!;
  expect((await fresh.post("/admin/invitations", { id: id! })).status).toBe(303);
  expect((await fresh.post("/admin/invitations", { id: id! })).status).toBe(404);
  expect((await fresh.get("/admin/invitations")).text).toContain("There are none");
});

test("jobs that were given up are shown with their reason, tried again or dropped", async () => {
  const fresh = await loggedIn("root");
  for (const key of ["one", "two"]) await addJob(hub, "empty-cloud", { channel: 999 }, { key });
  await hub.db.updateTable("job").set({ dead: 1, attempts: 8, last_error: "Error: <no> room" }).execute();
  const shown = (await fresh.get("/admin/jobs")).text;
  expect(shown).toMatch(/empty-cloud[^]*tried 8 times[^]*Error: &lt;no&gt; room/);
  const [id] = [...shown.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => id!);
  expect((await fresh.post("/admin/jobs/drop", { id: id! })).location).toBe("/admin/jobs?done=dropped");
  expect((await fresh.post("/admin/jobs/drop", { id: id! })).status).toBe(404);
  expect((await fresh.post("/admin/jobs/retry", {})).status).toBe(303);
  expect((await fresh.get("/admin/jobs")).text).toContain("Nothing was given up");
  await runDue(hub);
  const run_at = sqlDate(hub.clock());
  await hub.db.insertInto("job").values({ name: "bake-bread", payload: "{}", run_at, created: run_at }).execute();
  expect((await fresh.get("/admin/jobs")).text).toContain("bake-bread: 1 job waits for a newer version");
});
