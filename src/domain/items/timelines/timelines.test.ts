import { anonymous } from "../../../../test/support/observers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, connectionId, copyOf, deliver, mark, newcomer, nobody } from "../../../../test/support/people.ts";
import { setConfig } from "../../identity/channels/channel-config.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/find-channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { loadUsers } from "../../people/users.ts";
import { deleteItem } from "../posting/delete.ts";
import { findStatus, findVisibleItem } from "../find.ts";
import { postItem } from "../posting/post.ts";
import { react } from "../posting/react.ts";
import { setStarred } from "../posting/star.ts";
import { fullThread, visibleThread, wall } from "./thread.ts";
import { directAnswers, wholeThread } from "./thread-timeline.ts";
import { favorites, homeTimeline, mentionsTimeline, publicTimeline, userTimeline } from "./timelines.ts";
import { latestPublicStatuses } from "./latest-statuses.ts";
import type { TimelineQuery } from "./timelines.ts";
import type { Item } from "../types.ts";

const all: TimelineQuery = { count: 100, page: 1 };
const bodies = (items: { body: string }[]) => items.map((item) => item.body);

/** The channel as who asks next has it: its row says whom it does not want to hear. */
const asNow = async ({ channel_id }: Channel) => (await findChannelById(hub, channel_id))!;

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let stranger: Channel;
let top: Item;
let secret: Item;
let first: Item;
let second: Item;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol");
  stranger = await newcomer(hub, "stranger");
  await befriend(hub, alice, bob);
  await befriend(hub, alice, carol);
  top = await postItem(hub, alice, { body: "top" });
  secret = await postItem(hub, alice, { body: "secret", audience: { ...nobody, allow_cid: [bob.channel_hash] } });
  await deliver(hub);
  first = await postItem(hub, bob, { body: "first", parent: { mid: top.mid } });
  await deliver(hub);
  second = await postItem(hub, carol, { body: "second", parent: { mid: first.mid } });
  await react(hub, carol, { mid: top.mid }, "like", "stays");
  await deliver(hub);
  await postItem(hub, bob, { body: "bob's own" });
  await postItem(hub, alice, { body: "waits", created: "2026-03-02 00:00:00" });
  await deliver(hub);
  await deleteItem(hub, alice, { id: (await postItem(hub, alice, { body: "deleted" })).id });
  await deliver(hub);
});
afterAll(() => hub.close());

describe("the home timeline", () => {
  test("has posts and comments, newest first, no reactions, nothing that waits or is gone", async () => {
    expect(bodies(await homeTimeline(hub, alice, all))).toEqual(["bob's own", "second", "first", "secret", "top"]);
    expect(bodies(await homeTimeline(hub, carol, all))).toEqual(["second", "first", "top"]);
    expect(await homeTimeline(hub, stranger, all)).toEqual([]);
  });

  test("pages", async () => {
    const ids = (await homeTimeline(hub, alice, all)).map((item) => item.id);
    const page = async (query: Partial<TimelineQuery>) =>
      (await homeTimeline(hub, alice, { ...all, ...query })).map((item) => ids.indexOf(item.id));
    expect(await page({ count: 2 })).toEqual([0, 1]);
    expect(await page({ count: 2, page: 2 })).toEqual([2, 3]);
    expect(await page({ count: 2, page: 4 })).toEqual([]);
    expect(await page({ sinceId: ids[2]! })).toEqual([0, 1]);
    expect(await page({ maxId: ids[3]! })).toEqual([3, 4]);
    expect(await page({ sinceId: ids[4]!, maxId: ids[1]!, count: 2, page: 2 })).toEqual([3]);
    expect(await page({ excludeReplies: true })).toEqual([0, 3, 4]);
    expect(await page({ conversationId: top.id })).toEqual([1, 2, 4]);
    expect(await page({ conversationId: (await copyOf(hub, bob, top))!.id })).toEqual([1, 2, 4]);
    expect(await page({ contactId: await connectionId(hub, alice, bob) })).toEqual([0, 2]);
    expect(await page({ contactId: 987_654 })).toEqual([]);
  });
});

test("mentions are what others wrote to me or in answer to me", async () => {
  const mentioning = await postItem(hub, carol, { body: "@alice and @carol", parent: { mid: top.mid } });
  await deliver(hub);
  expect(bodies(await mentionsTimeline(hub, alice, all))).toEqual([mentioning.body, "first"]);
  expect(bodies(await mentionsTimeline(hub, bob, all))).toEqual(["second"]);
  expect(await mentionsTimeline(hub, carol, all)).toEqual([]);
  await mark(hub, alice, carol, { ignored: true });
  alice = await asNow(alice);
  expect(bodies(await mentionsTimeline(hub, alice, all))).toEqual(["first"]);
  expect(bodies(await homeTimeline(hub, alice, all))).toEqual(["bob's own", "first", "secret", "top"]);
  await mark(hub, alice, carol, { ignored: false });
  alice = await asNow(alice);
  await deleteItem(hub, carol, { id: mentioning.id });
});

test("favorites are the channel's own stars", async () => {
  await setStarred(hub, bob, { mid: top.mid }, true);
  await setStarred(hub, bob, { mid: second.mid }, true);
  expect(bodies(await favorites(hub, bob, all))).toEqual(["second", "top"]);
  expect(bodies(await favorites(hub, bob, { ...all, count: 1, page: 2 }))).toEqual(["top"]);
  expect(await favorites(hub, alice, all)).toEqual([]);
});

test("the public timeline has each public status of this hub once, of people who do not hide", async () => {
  expect(bodies(await publicTimeline(hub, stranger, all))).toEqual(["bob's own", "second", "first", "top"]);
  await hub.db.updateTable("xchan").set({ xchan_hidden: 1 }).where("xchan_id", "=", bob.xchan_id).execute();
  expect(bodies(await publicTimeline(hub, stranger, all))).toEqual(["second", "top"]);
  await hub.db.updateTable("xchan").set({ xchan_hidden: 0 }).where("xchan_id", "=", bob.xchan_id).execute();
});

describe("a user timeline", () => {
  test("has what the observer may see, each message once", async () => {
    expect(bodies(await userTimeline(hub, alice, alice.xchan_id, all))).toEqual(["secret", "top"]);
    expect(bodies(await userTimeline(hub, bob, alice.xchan_id, all))).toEqual(["secret", "top"]);
    expect(bodies(await userTimeline(hub, carol, alice.xchan_id, all))).toEqual(["top"]);
    expect(bodies(await userTimeline(hub, stranger, alice.xchan_id, all))).toEqual(["top"]);
    expect(bodies(await userTimeline(hub, stranger, bob.xchan_id, all))).toEqual(["bob's own", "first"]);
    expect(bodies(await userTimeline(hub, stranger, bob.xchan_id, { ...all, excludeReplies: true }))).toEqual([
      "bob's own",
    ]);
    expect((await latestPublicStatuses(hub, anonymous, [alice.xchan_id])).get(alice.xchan_id)!.body).toBe("top");
  });

  test("shows the own copy where there is one, and honours the bounds", async () => {
    const items = await userTimeline(hub, bob, alice.xchan_id, all);
    expect(items.map((item) => item.uid)).toEqual([bob.channel_id, bob.channel_id]);
    expect(bodies(await userTimeline(hub, bob, alice.xchan_id, { ...all, maxId: items[1]!.id }))).toEqual(["top"]);
    expect(bodies(await userTimeline(hub, bob, alice.xchan_id, { ...all, sinceId: items[1]!.id }))).toEqual(["secret"]);
  });

  test("has a post once that a forum has taken over", async () => {
    const forum = await newcomer(hub, "forum", { role: "forum" });
    await befriend(hub, carol, forum);
    const news = await postItem(hub, carol, { body: "@forum+ news" });
    await deliver(hub);
    expect(bodies(await userTimeline(hub, stranger, carol.xchan_id, all))).toEqual([news.body, "second"]);
    expect(bodies(await publicTimeline(hub, stranger, { ...all, count: 1 }))).toEqual([news.body]);
    await deleteItem(hub, carol, { id: news.id });
  });
});

describe("threads", () => {
  test("direct answers and the whole of it", async () => {
    const own = (await copyOf(hub, alice, top))!;
    expect(bodies(await directAnswers(hub, alice, own, all))).toEqual(["first"]);
    expect(bodies(await directAnswers(hub, alice, (await copyOf(hub, alice, first))!, all))).toEqual(["second"]);
    expect(bodies(await wholeThread(hub, alice, (await copyOf(hub, alice, second))!, all))).toEqual([
      "second",
      "first",
      "top",
    ]);
    expect(bodies(await wholeThread(hub, stranger, own, { ...all, count: 1, page: 2 }))).toEqual(["first"]);
    expect(bodies(await visibleThread(hub, anonymous, { mid: first.mid }))).toEqual(["top", "first", "second"]);
  });

  test("in full have everything, whatever its state", async () => {
    const page = await fullThread(hub, alice, { mid: second.mid });
    expect(bodies(page.items).slice(0, 3)).toEqual(["top", "first", "second"]);
    expect(page.items.some((item) => item.item_notshown === 1)).toBe(true);
    expect(page.items.some((item) => item.item_deleted === 1)).toBe(true);
    await expect(fullThread(hub, stranger, { mid: top.mid })).rejects.toMatchObject({ kind: "missing" });
  });

  test("of what is not seen are missing", async () => {
    await expect(visibleThread(hub, anonymous, { mid: secret.mid })).rejects.toMatchObject({ kind: "missing" });
    await expect(visibleThread(hub, observerOf(carol), { id: secret.id })).rejects.toMatchObject({ kind: "missing" });
    expect(bodies(await visibleThread(hub, observerOf(bob), { id: secret.id }))).toEqual(["secret"]);
    const liked = (await fullThread(hub, alice, { mid: top.mid })).items.find((item) => item.item_notshown === 1)!;
    await expect(findStatus(hub, alice, { id: liked.id })).rejects.toMatchObject({ kind: "missing" });
  });

  test("on a wall page by key", async () => {
    const page = await wall(hub, anonymous, alice, { count: 1 });
    expect(bodies(page.items)).toEqual(["top"]);
    expect(page.next).toBeUndefined();
    const own = await wall(hub, observerOf(alice), alice, { count: 1 });
    expect([
      bodies(own.items),
      bodies((await wall(hub, observerOf(alice), alice, { count: 5, before: own.next! })).items),
    ]).toEqual([["secret"], ["top"]]);
  });
});

describe("a block", () => {
  let eve: Channel;
  let theirs: Item;
  beforeAll(async () => {
    eve = await newcomer(hub, "eve");
    await befriend(hub, alice, eve);
    await befriend(hub, bob, eve);
    await setConfig(hub, alice.channel_id, "perm_limits", "post_comments", "256");
    theirs = await postItem(hub, eve, { body: "eve's" });
    await deliver(hub);
    await postItem(hub, eve, { body: "eve answers", parent: { mid: top.mid } });
    await deliver(hub);
    await mark(hub, alice, eve, { blocked: true });
    alice = await asNow(alice);
  });

  test("shows the blocker nothing of theirs", async () => {
    for (const list of [homeTimeline, mentionsTimeline, publicTimeline, favorites]) {
      expect(bodies(await list(hub, alice, all)).filter((body) => body.startsWith("eve"))).toEqual([]);
    }
    expect(await userTimeline(hub, alice, eve.xchan_id, all)).toEqual([]);
    expect(bodies(await wholeThread(hub, alice, (await copyOf(hub, alice, top))!, all))).toEqual([
      "second",
      "first",
      "top",
    ]);
    expect(bodies(await visibleThread(hub, observerOf(alice), { id: top.id }))).toEqual(["top", "first", "second"]);
    expect(bodies(await homeTimeline(hub, bob, all))).toContain("eve's");
    // By its id it is still found (microblog contract 1.2).
    expect((await findVisibleItem(hub, observerOf(alice), { mid: theirs.mid })).body).toBe("eve's");
    expect((await loadUsers(hub, observerOf(alice), [eve.xchan_id])).get(eve.xchan_id)).toMatchObject({
      blocking: true,
      following: false,
    });
  });

  test("shows the blocked person nothing new, not by way of others either", async () => {
    const news = await postItem(hub, alice, { body: "after the block" });
    await deliver(hub);
    const bobs = (await copyOf(hub, bob, news))!;
    expect(await copyOf(hub, eve, news)).toBeUndefined();
    for (const ref of [{ id: news.id }, { mid: news.mid }, { id: bobs.id }]) {
      await expect(findVisibleItem(hub, observerOf(eve), ref)).rejects.toMatchObject({ kind: "missing" });
      await expect(setStarred(hub, eve, ref, true)).rejects.toMatchObject({ kind: "missing" });
      await expect(react(hub, eve, ref, "like", "stays")).rejects.toMatchObject({ kind: "missing" });
    }
    expect(bodies(await publicTimeline(hub, eve, all))).not.toContain("after the block");
    expect(bodies(await userTimeline(hub, eve, alice.xchan_id, all))).not.toContain("after the block");
    expect((await wall(hub, observerOf(eve), alice, { count: 10 })).items).toEqual([]);
    expect((await findVisibleItem(hub, observerOf(stranger), { id: bobs.id })).message_id).toBe(news.message_id);
  });

  test("lets the blocked person neither comment nor react where it has a copy already", async () => {
    await expect(postItem(hub, eve, { body: "x", parent: { mid: top.mid } })).rejects.toMatchObject({ kind: "denied" });
    await expect(react(hub, eve, { mid: top.mid }, "like", "stays")).rejects.toMatchObject({ kind: "denied" });
    await expect(postItem(hub, eve, { body: "x", wall: alice.channel_id })).rejects.toMatchObject({ kind: "denied" });
    await postItem(hub, bob, { body: "later", parent: { mid: top.mid } });
    await deliver(hub);
    expect(bodies(await homeTimeline(hub, eve, all))).not.toContain("later");
  });
});
