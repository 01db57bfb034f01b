import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { filterOneWord } from "../../domain/items/filters.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import { sendMessage } from "../../domain/messages/messages.ts";
import { listNotices } from "../../domain/notifications/notices.ts";
import { notify } from "../../domain/notifications/notify.ts";
import { restoreNotice } from "../../domain/notifications/restore.ts";

/** The page of notices: what belongs together in one row, with its words; marked as seen by itself, or all at once. */

let world: TestApp;
let alice: Visitor;
let bob: Visitor;
let uid: number;

beforeAll(async () => {
  world = await openTestApp();
  const one = await world.person("alice");
  uid = one.channel.channel_id;
  const others = [await world.person("bob"), await world.person("ben"), await world.person("bea")];
  for (const { channel } of others) await befriend(world.hub, one.channel, channel);
  await world.hub.db.deleteFrom("notify").execute();
  for (const { channel } of others) {
    world.hub.advance(1);
    await sendMessage(world.hub, channel, { to: one.channel.channel_hash, body: "Hello" });
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
  expect((await cleo.get("/notifications")).text).toContain(
    "<strong>Dan</strong> commented on a post; the comment waits for you",
  );
  await held();
  expect((await cleo.get("/notifications")).text).toContain(
    "<strong>Dan</strong> commented on a post; 2 new comments wait for you",
  );
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
  expect(page.text).toMatch(/Mark as seen<\/span\s*><span class="unseen">: Ben sent you a message/);
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
  expect((await alice.get("/notifications")).text).toContain("Mark as unread: Ben sent you a message");
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

/** What the rows of the page say, the newest first. */
const rows = (text: string): string[] =>
  [...text.matchAll(/<li[^>]*id="notice-\d+"[^]*?<small/g)].map(([row]) =>
    row
      .replaceAll(/<span class="(?:snippet|unseen)[^>]*>/g, " | ")
      .replaceAll(/<[^>]+>/g, "")
      .replace(/\| new|<small/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
const textsOf = async (visitor: Visitor, path = "/notifications") => rows((await visitor.get(path)).text);

test("what concerns one post stands together, with the words of the post and of the comment", async () => {
  const { hub } = world;
  const names = ["emma", "fay", "gil", "hal"];
  const [emma, ...friends] = await Promise.all(names.map((name) => world.person(name)));
  for (const { channel } of friends) await befriend(hub, emma!.channel, channel);
  await world.work();
  const visitor = visitorOf(world.app);
  await visitor.logIn("emma", password);
  await visitor.post("/notifications", {});
  await hub.db.deleteFrom("notify").where("uid", "=", emma!.channel.channel_id).execute();
  const { mid } = await postItem(hub, emma!.channel, { body: "The garden [b]opens[/b] at noon." });
  await world.work();
  const [fay, gil, hal] = friends;
  for (const { channel } of friends) {
    hub.advance(1);
    await react(hub, channel, { mid }, "like", "stays");
  }
  await world.work();
  expect(await textsOf(visitor)).toEqual(["Hal and 2 others like your post | The garden opens at noon."]);
  hub.advance(1);
  const first = await postItem(hub, gil!.channel, { body: "I bring cake.", parent: { mid } });
  await world.work();
  expect(await textsOf(visitor, "/notifications?kind=comments")).toEqual([
    "Gil commented on your post | I bring cake. | The garden opens at noon.",
  ]);
  hub.advance(1);
  await postItem(hub, gil!.channel, { body: "And tea.", parent: { mid } });
  await world.work();
  expect((await textsOf(visitor))[0]).toBe("Gil wrote 2 comments on your post | And tea. | The garden opens at noon.");
  hub.advance(1);
  await react(hub, fay!.channel, { mid: first.mid }, "like", "stays");
  await react(hub, hal!.channel, { mid }, "react#heart", "stays");
  await postItem(hub, hal!.channel, { body: "A secret", summary: "The end of a film", parent: { mid } });
  await world.work();
  const all = await textsOf(visitor);
  expect(all[0]).toBe("Hal and Gil commented on your post | The end of a film | The garden opens at noon.");
  expect(all[1]).toMatch(/^Hal reacts with .+ to your post \| The garden opens at noon\.$/);
  const reactions = await textsOf(visitor, "/notifications?kind=reactions");
  expect([reactions.length, reactions[1]]).toEqual([3, "Fay likes a comment | I bring cake."]);
  expect(await textsOf(visitor, "/notifications?kind=people")).toEqual([]);

  // One leads to the first comment that is new, where it is marked, and marks those that stand with it.
  const [, link] = /href="(\/notify\/view\/\d+)"/.exec((await visitor.get("/notifications?kind=comments")).text)!;
  const view = await visitor.get(link!);
  expect(view.location).toBe(`/display/${first.uuid}#m${first.message_id}`);
  const thread = (await visitor.get(view.location.split("#")[0]!)).text;
  expect(thread).toMatch(new RegExp(`class="status comment linked"\\s+id="m${first.message_id}"`));
  expect(await textsOf(visitor, "/notifications?kind=new")).toHaveLength(3);

  // What a filter finds is not quoted, nor what has come to be out of sight.
  await filterOneWord(hub, emma!.channel, { phrase: "tea", wholeWords: true, hides: false });
  await filterOneWord(hub, emma!.channel, { phrase: "film", wholeWords: true, hides: false });
  expect((await textsOf(visitor))[0]).toBe("Hal and Gil commented on your post | The garden opens at noon.");
});

test("a row changes in its place; pages follow each other without gaps", async () => {
  const { hub } = world;
  const ida = await world.person("ida");
  const makers = await Promise.all(Array.from({ length: 35 }, (_, n) => world.person(`maker${n}`)));
  for (const { channel } of makers) {
    hub.advance(channel.channel_id % 2);
    await notify(hub, [{ kind: "request", to: ida.channel, actor: channel.xchan_id }]);
  }
  const visitor = visitorOf(world.app);
  await visitor.logIn("ida", password);
  const page = (await visitor.get("/notifications")).text;
  const [, older] = /rel="next" href="([^"]+)"/.exec(page)!;
  const rest = (await visitor.get(older!.replaceAll("&amp;", "&"))).text;
  expect([rows(page).length, rows(rest).length]).toEqual([30, 5]);
  expect(new Set([...rows(page), ...rows(rest)]).size).toBe(35);
  const [, id] = /id="notice-(\d+)"/.exec(page)!;
  const answer = await visitor.post(
    "/notifications",
    { id: id!, back: "/notifications?kind=people" },
    { "hx-request": "true" },
  );
  expect([answer.status, rows(answer.text)]).toEqual([200, [rows(page)[0]!]]);
  expect(answer.text).toContain("Mark as unread");
  expect(answer.text).toContain('value="/notifications?kind=people"');
  expect(await textsOf(visitor, "/notifications?kind=new")).toHaveLength(30);
});
