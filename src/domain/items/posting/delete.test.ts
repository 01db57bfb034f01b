import { describe, expect, test } from "vitest";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  copyOf,
  deliver,
  everything,
  holders,
  newcomer,
  nobody,
  standingStatuses,
  statusCount,
} from "../../../../test/support/people.ts";
import { beforeEachThreePeople } from "../../../../test/support/three-people.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { updateChannel } from "../../identity/channels/channels.ts";
import { deleteItem } from "./delete.ts";
import { editItem } from "./edit.ts";
import { postItem } from "./post.ts";
import { react } from "./react.ts";
import { expireItem, publishItem } from "./schedule.ts";
import { setStarred } from "./star.ts";
import { expireThreads, purgeTombstones } from "./trim.ts";
import type { Item } from "../types.ts";

let hub: TestHub;
let round: number;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let top: Item;
let comment: Item;

beforeEachThreePeople("all with alice", async (people) => {
  ({ hub, round, alice, bob, carol } = people);
  top = await postItem(hub, alice, {
    body: `top #tag @bob${round}`,
    title: "T",
    location: "L",
    coord: "1 2",
    namespace: "n",
    remoteId: `r${round}`,
  });
  await deliver(hub);
  comment = await postItem(hub, bob, { body: "mine", parent: { mid: top.mid } });
  await react(hub, carol, { mid: comment.mid }, "like", "stays");
  await react(hub, carol, { mid: top.mid }, "like", "stays");
  await deliver(hub);
});

async function leftOf(item: Item) {
  const { message_id: id } = item;
  const message = await hub.db.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
  const rows = await hub.db.selectFrom("item").selectAll().where("message_id", "=", id).execute();
  const terms = await hub.db.selectFrom("term").selectAll().where("message_id", "=", id).execute();
  const meta = await hub.db.selectFrom("iconfig").selectAll().where("message_id", "=", id).execute();
  const notices = await hub.db
    .selectFrom("notify")
    .selectAll()
    .where("item_id", "in", rows.length > 0 ? rows.map((row) => row.id) : [-1])
    .execute();
  return { message, rows, others: [...terms, ...meta, ...notices] };
}

async function expectTombstone(item: Item): Promise<void> {
  const { message, rows, others } = await leftOf(item);
  const empty = {
    title: "",
    body: "",
    html: "",
    plain: "",
    obj: "",
    target: "",
    attach: "",
    sig: "",
    location: "",
    coord: "",
    shared_id: 0,
  };
  expect(message).toMatchObject({ ...empty, mid: item.mid, edited: "2026-03-01 12:01:00" });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows)
    expect(row).toMatchObject({
      item_deleted: 1,
      item_normal: 0,
      item_unseen: 0,
      item_starred: 0,
      changed: "2026-03-01 12:01:00",
    });
  expect(others).toEqual([]);
}

async function expectCounted(): Promise<void> {
  for (const who of [alice, bob, carol]) expect(await statusCount(hub, who)).toBe(await standingStatuses(hub, who));
}

async function reactionTo(item: Item): Promise<Item> {
  const row = await hub.db
    .selectFrom("message")
    .selectAll()
    .where("thr_parent", "=", item.mid)
    .where("verb", "like", "%/like")
    .executeTakeFirstOrThrow();
  return { ...item, message_id: row.id, mid: row.mid };
}

describe("deleting", () => {
  test("by the author of a thread takes all of it along, everywhere", async () => {
    await setStarred(hub, bob, { mid: top.mid }, true);
    const liked = [await reactionTo(top), await reactionTo(comment)];
    hub.advance(60);
    expect((await deleteItem(hub, alice, { id: top.id })).body).toContain("top");
    for (const item of [top, comment, ...liked]) await expectTombstone(item);
    await expectCounted();
    expect(await statusCount(hub, alice)).toBe(0);
    await expect(deleteItem(hub, alice, { id: top.id })).rejects.toMatchObject({ kind: "missing" });
  });

  test("by the author of a comment takes it away from everybody, with its reactions", async () => {
    const liked = await reactionTo(comment);
    hub.advance(60);
    await deleteItem(hub, bob, { id: comment.id });
    for (const item of [comment, liked]) await expectTombstone(item);
    expect(await holders(hub, top, [alice, bob, carol])).toHaveLength(3);
    for (const who of [alice, bob, carol]) expect((await copyOf(hub, who, top))!.changed).toBe("2026-03-01 12:01:00");
    await expectCounted();
  });

  test("by the owner of the thread likewise, named by any copy", async () => {
    hub.advance(60);
    await deleteItem(hub, alice, { mid: comment.mid });
    await expectTombstone(comment);
    await expectCounted();
  });

  test("by anybody else takes only that copy, and its thread", async () => {
    await setStarred(hub, carol, { mid: top.mid }, true);
    await deleteItem(hub, carol, { id: (await copyOf(hub, carol, comment))!.id });
    expect(await holders(hub, comment, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
    await deleteItem(hub, carol, { mid: top.mid });
    expect(await holders(hub, top, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
    expect(await copyOf(hub, carol, top)).toMatchObject({ item_starred: 0, item_unseen: 0, item_deleted: 1 });
    expect((await copyOf(hub, alice, top))!.body).toContain("top");
    await expectCounted();
  });

  test("by a stranger is refused, and what one does not see is missing", async () => {
    const stranger = await newcomer(hub, `stranger${round}`);
    const secret = await postItem(hub, alice, { body: "x", publicPolicy: "self" });
    const before = await everything(hub);
    await expect(deleteItem(hub, stranger, { id: top.id })).rejects.toMatchObject({ kind: "denied" });
    await expect(deleteItem(hub, bob, { id: secret.id })).rejects.toMatchObject({ kind: "missing" });
    await expect(deleteItem(hub, bob, { id: 987_654 })).rejects.toMatchObject({ kind: "missing" });
    expect(await everything(hub)).toEqual(before);
  });

  test("a post on another's wall is for its author and the owner", async () => {
    const one = await postItem(hub, bob, { body: "one", wall: alice.channel_id });
    const two = await postItem(hub, bob, { body: "two", wall: alice.channel_id });
    await expectCounted();
    hub.advance(60);
    await deleteItem(hub, bob, { id: one.id });
    await deleteItem(hub, alice, { id: two.id });
    for (const item of [one, two]) await expectTombstone(item);
    await expectCounted();
  });

  test("one that waits for its time, or is private, leaves the count alone", async () => {
    const later = await postItem(hub, alice, { body: "x", created: "2026-03-02 00:00:00" });
    const secret = await postItem(hub, alice, { body: "x", audience: { ...nobody, allow_cid: [bob.channel_hash] } });
    expect(await statusCount(hub, alice)).toBe(1);
    await deleteItem(hub, alice, { id: later.id });
    await deleteItem(hub, alice, { id: secret.id });
    expect(await statusCount(hub, alice)).toBe(1);
    await publishItem(hub, later.id);
    expect((await copyOf(hub, alice, later))!.item_deleted).toBe(1);
  });
});

describe("time", () => {
  test("a post from the future waits, seen by its owner alone, and is delivered when its time has come", async () => {
    const later = await postItem(hub, alice, { body: "later", created: "2026-03-01 13:00:00" });
    expect(later).toMatchObject({ item_delayed: 1, item_normal: 0 });
    await deliver(hub);
    expect(await holders(hub, later, [alice, bob])).toEqual([]);
    const lastpost = async () =>
      (
        await hub.db
          .selectFrom("channel")
          .select("channel_lastpost")
          .where("channel_id", "=", alice.channel_id)
          .executeTakeFirstOrThrow()
      ).channel_lastpost;
    expect(await lastpost()).toBe("2026-03-01 12:00:00");
    hub.setClock("2026-03-01T13:00:40Z");
    await deliver(hub);
    const when = "2026-03-01 13:00:00";
    expect(await copyOf(hub, alice, later)).toMatchObject({
      item_delayed: 0,
      created: when,
      received: when,
      changed: when,
      commented: when,
    });
    expect(await holders(hub, later, [bob, carol])).toHaveLength(2);
    expect(await lastpost()).toBe("2026-03-01 13:00:40");
    await expectCounted();
    const before = await everything(hub);
    await publishItem(hub, later.id);
    expect(await everything(hub)).toEqual(before);
  });

  test("ten minutes ahead is not the future", async () => {
    expect((await postItem(hub, alice, { body: "x", created: "2026-03-01 12:10:00" })).item_delayed).toBe(0);
    expect((await postItem(hub, alice, { body: "x", created: "2026-03-01 12:10:01" })).item_delayed).toBe(1);
  });

  test("what expires goes like a deletion, once", async () => {
    const item = await postItem(hub, alice, { body: "x", expires: "2026-03-01 12:01:00" });
    await deliver(hub);
    await expireItem(hub, item.message_id);
    expect(await holders(hub, item, [alice, bob, carol])).toHaveLength(3);
    hub.advance(60);
    await deliver(hub);
    await expectTombstone(item);
    await expectCounted();
    const before = await everything(hub);
    await expireItem(hub, item.message_id);
    expect(await everything(hub)).toEqual(before);
  });

  test("old threads leave the channels that want it so, except for what they keep", async () => {
    const make = async (body: string) => {
      const item = await postItem(hub, alice, { body });
      await deliver(hub);
      return item;
    };
    const [plain, starred, answered] = [await make("plain"), await make("starred"), await make("answered")];
    await setStarred(hub, carol, { mid: starred.mid }, true);
    await postItem(hub, carol, { body: "me too", parent: { mid: answered.mid } });
    const own = await postItem(hub, carol, { body: "own" });
    await deliver(hub);
    await updateChannel(hub, carol.channel_id, { expireDays: 5 });
    hub.advance(4 * 86_400);
    await expireThreads(hub);
    expect(await holders(hub, plain, [carol])).toHaveLength(1);
    hub.advance(2 * 86_400);
    const late = await make("late");
    await expireThreads(hub);
    expect(await holders(hub, plain, [alice, bob, carol])).toEqual([alice.channel_address, bob.channel_address]);
    for (const item of [starred, answered, own, late]) expect(await holders(hub, item, [carol])).toHaveLength(1);
    await expectCounted();
    const before = await everything(hub);
    await expireThreads(hub);
    expect(await everything(hub)).toEqual(before);
    await updateChannel(hub, carol.channel_id, { expireDays: 0 });
  });

  test("tombstones are marked after 10 days and gone after 46, and the message with the last of them", async () => {
    const other = await postItem(hub, alice, { body: "other" });
    await deliver(hub);
    await deleteItem(hub, alice, { id: top.id });
    await deleteItem(hub, carol, { mid: other.mid });
    hub.advance(9 * 86_400);
    await purgeTombstones(hub);
    expect((await copyOf(hub, alice, top))!.item_pending_remove).toBe(0);
    hub.advance(86_400 + 1);
    await purgeTombstones(hub);
    expect((await copyOf(hub, alice, top))!.item_pending_remove).toBe(1);
    hub.advance(36 * 86_400 - 1);
    await purgeTombstones(hub);
    expect((await leftOf(top)).rows).toHaveLength(3);
    hub.advance(2);
    await purgeTombstones(hub);
    expect(await leftOf(top)).toEqual({ message: undefined, rows: [], others: [] });
    expect((await leftOf(other)).rows).toHaveLength(2);
    expect((await copyOf(hub, alice, other))!.body).toBe("other");
    await expectCounted();
  });
});

test("the count stays right through everything at once", async () => {
  const more = await postItem(hub, bob, { body: "more", wall: alice.channel_id });
  const own = await postItem(hub, bob, { body: "own" });
  await deliver(hub);
  const answers: Item[] = [];
  for (const who of [alice, bob, carol]) {
    answers.push(await postItem(hub, who, { body: "a", parent: { mid: top.mid } }));
    answers.push(await postItem(hub, who, { body: "b", parent: { mid: top.mid } }));
  }
  await deliver(hub);
  await editItem(hub, bob, own.id, { body: "edited" });
  await deleteItem(hub, carol, { mid: answers[4]!.mid });
  await deleteItem(hub, alice, { mid: answers[2]!.mid });
  await deleteItem(hub, bob, { mid: top.mid });
  await expectCounted();
  await deleteItem(hub, alice, { mid: more.mid });
  await deleteItem(hub, alice, { mid: top.mid });
  await deliver(hub);
  await expectCounted();
  expect(await Promise.all([alice, bob, carol].map((who) => statusCount(hub, who)))).toEqual([0, 1, 0]);
});
