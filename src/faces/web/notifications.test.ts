import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { sendMessage } from "../../domain/messages/messages.ts";
import { listNotices, notify, restoreNotice } from "../../domain/notifications/notices.ts";

/** The page of notices: each can be marked as seen by itself, or all at once. */

let world: TestApp;
let alice: Visitor;
let bob: Visitor;
let uid: number;

beforeAll(async () => {
  world = await openTestApp();
  const [one, other] = [await world.person("alice"), await world.person("bob")];
  uid = one.channel.channel_id;
  await befriend(world.hub, one.channel, other.channel);
  await world.hub.db.deleteFrom("notify").execute();
  for (const body of ["first", "second", "third"]) {
    world.hub.advance(1);
    await sendMessage(world.hub, other.channel, { to: one.channel.channel_hash, body });
  }
  [alice, bob] = [visitorOf(world.app), visitorOf(world.app)];
  await alice.logIn("alice", password);
  await bob.logIn("bob", password);
});
afterAll(() => world.close());

const seen = async (): Promise<number[]> => (await listNotices(world.hub, uid)).map((notice) => notice.seen);
const buttons = (text: string): string[] =>
  [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => id!).toSorted((a, b) => Number(a) - Number(b));

test("comments that wait are counted, and what came with its own words is shown without its markup", async () => {
  const [to, from] = [await world.person("cleo"), await world.person("dan")];
  const cleo = visitorOf(world.app);
  await cleo.logIn("cleo", password);
  const held = () => notify(world.hub, [{ kind: "held", to: to.channel, actor: from.channel.xchan_id, verb: "" }]);
  await held();
  expect((await cleo.get("/notifications")).text).toContain("Dan commented on a post; the comment waits for you");
  await held();
  expect((await cleo.get("/notifications")).text).toContain("Dan commented on a post; 2 new comments wait for you");
  const words = { xname: "P", url: "", photo: "", parent: "", ntype: 512, verb: "", otype: "item" };
  await restoreNotice(world.hub, {
    uid: to.channel.channel_id,
    item_id: 0,
    hash: "ab".repeat(32),
    created: "2026-01-01 10:00:00",
    kind: "worded",
    words: JSON.stringify({ ...words, msg: "[b]P[/b] & <i>pokes</i> you", link: "javascript:alert(1)" }),
  });
  const { text } = await cleo.get("/notifications");
  expect(text).toContain("P &amp; &lt;i&gt;pokes&lt;/i&gt; you");
  const [, worded] = await listNotices(world.hub, to.channel.channel_id);
  expect((await cleo.get(`/notify/view/${worded!.id}`)).location).toBe("/notifications");
});

test("one notice is marked without opening what it is about", async () => {
  const page = await alice.get("/notifications");
  const ids = (await listNotices(world.hub, uid)).map(({ id }) => String(id));
  expect(buttons(page.text)).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
  expect(page.text).toMatch(/Mark as seen<\/span\s*><span class="unseen">: Bob sent you a message/);
  const { status, location } = await alice.post("/notifications", { id: ids[1]! });
  expect([status, location]).toEqual([303, "/notifications"]);
  expect(await seen()).toEqual([0, 0, 1]);
  const after = await alice.get("/notifications");
  expect(after.text.match(/class="seen-words"/g)).toHaveLength(2);
  expect(after.text.match(/class="unseen-notice"/g)).toHaveLength(2);
});

test("that of somebody else is not there, and nothing happens without the token", async () => {
  const [{ id } = { id: 0 }] = await listNotices(world.hub, uid);
  await bob.get("/notifications");
  await bob.get("/help");
  const theirs = await bob.post("/notifications", { id: String(id) });
  const unknown = await bob.post("/notifications", { id: "987654" });
  expect([theirs.status, withoutTokens(theirs.text)]).toEqual([404, withoutTokens(unknown.text)]);
  for (const odd of ["abc", "-1", "9".repeat(20)])
    expect((await bob.post("/notifications", { id: odd })).status).toBe(404);
  expect((await alice.post("/notifications", { id: String(id), form_security_token: "x" })).status).toBe(403);
  expect(await seen()).toEqual([0, 0, 1]);
});

test("the last one, and all of them, leave nothing to do", async () => {
  await alice.get("/notifications");
  const [first, second] = await listNotices(world.hub, uid);
  await alice.post("/notifications", { id: String(first!.id) });
  await alice.get("/notifications");
  expect((await alice.post("/notifications", { id: String(second!.id) })).location).toBe("/notifications?done=seen");
  const page = await alice.get("/notifications?done=seen");
  expect(page.text).toContain("All caught up.");
  expect(page.text).not.toContain("Mark all as seen");
  await world.hub.db.updateTable("notify").set({ seen: 0 }).execute();
  expect((await alice.get("/notifications")).text).toContain("Mark all as seen");
  await alice.post("/notifications", {});
  expect(await seen()).toEqual([1, 1, 1]);
});

test("what somebody wants to come back to is marked as unread", async () => {
  const [, { id } = { id: 0 }] = await listNotices(world.hub, uid);
  expect((await alice.get("/notifications")).text).toContain("Mark as unread: Bob sent you a message");
  const { status, location } = await alice.post("/notifications", { id: String(id), unread: "1" });
  expect([status, location]).toEqual([303, "/notifications?done=unnoticed"]);
  expect((await alice.get(location)).text).toContain("It is marked as unread.");
  expect((await listNotices(world.hub, uid)).map((notice) => [notice.id === id, notice.seen])).toEqual([
    [true, 0],
    [false, 1],
    [false, 1],
  ]);
  await bob.get("/help");
  expect((await bob.post("/notifications", { id: String(id), unread: "1" })).status).toBe(404);
});
