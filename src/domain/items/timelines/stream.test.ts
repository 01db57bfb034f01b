import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import {
  befriend,
  connectionId,
  copyOf,
  deliver,
  mark,
  newcomer,
  nobody,
  streamQuery,
} from "../../../../test/support/people.ts";
import { addMembers, createGroup, deleteGroup } from "../../groups/groups.ts";
import type { Group } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { deleteItem } from "../posting/delete.ts";
import { networkPage } from "./network-page.ts";
import { postItem } from "../posting/post.ts";
import { react } from "../posting/react.ts";
import { saveTerms } from "../save.ts";
import { setStarred } from "../posting/star.ts";
import { channelStream, networkStream } from "./stream.ts";
import type { Item, StreamQuery } from "../types.ts";

let hub: TestHub;
let alice: Channel;
let bob: Channel;
let carol: Channel;
let group: Group;
let empty: Group;
let one: Item;
let two: Item;
let three: Item;

let answer: Item;

beforeAll(async () => {
  hub = await openTestHub();
  alice = await newcomer(hub, "alice");
  bob = await newcomer(hub, "bob");
  carol = await newcomer(hub, "carol");
  await befriend(hub, alice, bob);
  await befriend(hub, alice, carol);
  group = await createGroup(hub, alice.channel_id, "Some");
  empty = await createGroup(hub, alice.channel_id, "Empty");
  await addMembers(hub, alice.channel_id, group.id, [bob.channel_hash]);
  one = await step(bob, { body: "one #Garden", categories: ["Plants"] });
  two = await step(alice, { body: "two ÄRGER", audience: { ...nobody, allow_gid: [group.hash] } });
  three = await step(carol, { body: "three @alice", verb: "share" });
  await step(bob, { body: "four", verb: "follow" });
  answer = await step(alice, { body: "answer", parent: { mid: one.mid } });
  await react(hub, alice, { mid: three.mid }, "dislike", "stays");
  await deliver(hub);
  await step(alice, { body: "page", itemType: 3, pageTitle: "home" });
  await deleteItem(hub, alice, { id: (await step(alice, { body: "gone" })).id });
  await setStarred(hub, alice, { mid: one.mid }, true);
  await saveTerms(hub, two.message_id, [{ ttype: 5, term: "Folder", url: "" }], alice.channel_id);
  await saveTerms(hub, three.message_id, [{ ttype: 5, term: "Folder", url: "" }], bob.channel_id);
  await mark(hub, alice, carol, { closeness: 20 });
});
afterAll(() => hub.close());

async function step(who: Channel, draft: Parameters<typeof postItem>[2]): Promise<Item> {
  hub.advance(60);
  const item = await postItem(hub, who, draft);
  await deliver(hub);
  return item;
}

async function stream(asked: Partial<StreamQuery> = {}, who = alice): Promise<string[]> {
  const page = await networkStream(hub, who, streamQuery(asked));
  return page.items.map((item) => (item.item_notshown === 1 ? "(reaction)" : item.body.split(" ")[0]!));
}

const threads = { one: ["one", "answer"], two: ["two"], three: ["three", "(reaction)"], four: ["four"] };

describe("the network stream", () => {
  test("has threads by their newest comment, or by their own date", async () => {
    expect(await stream()).toEqual([...threads.one, ...threads.three, ...threads.two]);
    expect(await stream({ order: "post" })).toEqual([...threads.three, ...threads.two, ...threads.one]);
    expect(await stream({ records: 1, start: 1 })).toEqual(threads.three);
    expect(await stream({ start: 3 })).toEqual([]);
  });

  const rows: [string, () => Partial<StreamQuery>, string[]][] = [
    ["tops only", () => ({ top: true }), ["one", "three", "two"]],
    ["from a date", () => ({ dbegin: two.created }), [...threads.three, ...threads.two]],
    ["until a date", () => ({ dend: two.created }), [...threads.one, ...threads.two]],
    ["between dates", () => ({ dbegin: two.created, dend: two.created }), threads.two],
    ["starred", () => ({ star: true }), threads.one],
    ["the own wall", () => ({ wall: true }), threads.two],
    ["taking part", () => ({ conv: true }), [...threads.one, ...threads.three, ...threads.two]],
    ["a thread by mid", () => ({ mid: one.mid }), threads.one],
    ["no thread by the mid of a comment", () => ({ mid: answer.mid }), []],
    ["a group: by its members, or to it", () => ({ groupId: group.id }), [...threads.one, ...threads.two]],
    ["an empty group", () => ({ groupId: empty.id }), []],
    ["a person by hash", () => ({ xchan: carol.channel_hash }), threads.three],
    ["nobody by an unknown hash", () => ({ xchan: "nobody" }), []],
    ["the closest", () => ({ closestMax: 20 }), [...threads.three, ...threads.two]],
    ["the farther", () => ({ closestMin: 21 }), threads.one],
    ["a category", () => ({ category: "plants" }), threads.one],
    ["a tag", () => ({ tag: "garden" }), threads.one],
    ["a tag by search", () => ({ search: "#GARDEN" }), threads.one],
    ["no category of a tag", () => ({ category: "garden" }), []],
    ["an own folder", () => ({ file: "folder" }), threads.two],
    ["a text in any case", () => ({ search: "ärger" }), threads.two],
    ["a text of a comment", () => ({ search: "ANSWER" }), threads.one],
    ["a text with a wildcard", () => ({ search: "%" }), []],
    ["a verb", () => ({ verb: "share" }), threads.three],
    [
      "follow activities too",
      () => ({ includeFollow: true, order: "post" }),
      [...threads.four, ...threads.three, ...threads.two, ...threads.one],
    ],
    ["webpages", () => ({ pages: true }), ["page"]],
    ["pages by kind", () => ({ itemType: 3 }), ["page"]],
    [
      "every kind",
      () => ({ itemType: "*", order: "post" }),
      ["page", ...threads.three, ...threads.two, ...threads.one],
    ],
    [
      "several at once",
      () => ({ star: true, category: "Plants", tag: "garden", conv: true, search: "one" }),
      threads.one,
    ],
    ["several that do not meet", () => ({ star: true, wall: true }), []],
  ];
  test.each(rows)("%s", async (_, asked, expected) => {
    expect(await stream(asked())).toEqual(expected);
  });

  test("by connection and by the id of a top", async () => {
    expect(await stream({ connectionId: await connectionId(hub, alice, bob) })).toEqual(threads.one);
    expect(await stream({ itemId: (await copyOf(hub, alice, three))!.id })).toEqual(threads.three);
    expect(await stream({ itemId: (await copyOf(hub, bob, one))!.id })).toEqual([]);
  });

  test("after an id: threads are reduced, tops and single items are those themselves", async () => {
    const sinceId = (await copyOf(hub, alice, three))!.id;
    expect(await stream({ sinceId })).toEqual(["answer", "(reaction)"]);
    expect(await stream({ sinceId, top: true })).toEqual([]);
    expect(await stream({ sinceId: two.id, top: true })).toEqual(["three"]);
    expect(await stream({ sinceId, nouveau: true })).toEqual(["(reaction)", "answer"]);
  });

  test("as single items, newest first, each by itself", async () => {
    expect(await stream({ nouveau: true })).toEqual(["(reaction)", "answer", "three", "two", "one"]);
    expect(await stream({ nouveau: true, search: "answer" })).toEqual(["answer"]);
    expect(await stream({ nouveau: true, star: true })).toEqual(["one"]);
    expect(await stream({ nouveau: true, mid: one.mid })).toEqual(["answer", "one"]);
    expect(await stream({ nouveau: true, records: 2, start: 1 })).toEqual(["answer", "three"]);
  });

  test("unseen, until they are marked", async () => {
    expect(await stream({ unseen: true })).toEqual([...threads.one, ...threads.three]);
    expect(await stream({ unseen: true, nouveau: true })).toEqual(["three", "one"]);
    await stream({ mid: one.mid, markSeen: true });
    expect(await stream({ unseen: true })).toEqual(threads.three);
    expect((await copyOf(hub, bob, answer))!.item_unseen).toBe(1);
  });

  test("of what is not there is missing", async () => {
    const gone = await createGroup(hub, alice.channel_id, "Gone");
    await deleteGroup(hub, alice.channel_id, gone.id);
    for (const groupId of [gone.id, 987_654])
      await expect(stream({ groupId })).rejects.toMatchObject({ kind: "missing" });
    await expect(stream({ groupId: group.id }, bob)).rejects.toMatchObject({ kind: "missing" });
    await expect(stream({ connectionId: 987_654 })).rejects.toMatchObject({ kind: "missing" });
    const id = await connectionId(hub, alice, bob);
    await expect(stream({ connectionId: id }, carol)).rejects.toMatchObject({ kind: "missing" });
    await mark(hub, alice, bob, { blocked: true });
    await expect(stream({ connectionId: id })).rejects.toMatchObject({ kind: "missing" });
    expect(await stream()).toEqual([...threads.three, ...threads.two]);
    expect(await stream({ nouveau: true })).toEqual(["(reaction)", "three", "two"]);
    await mark(hub, alice, bob, { blocked: false, ignored: true });
    expect(await stream()).toEqual([...threads.one, ...threads.three, ...threads.two]);
    await mark(hub, alice, bob, { ignored: false });
  });

  test.each([{}, { conv: true }, { star: true }, { search: "t" }])(
    "by key says the same as by pages: %o",
    async (filter) => {
      const all = await stream({ top: true, ...filter });
      const first = await networkPage(hub, alice, filter, { count: 2 });
      const next = first.next && (await networkPage(hub, alice, filter, { count: 2, before: first.next }));
      const tops = [...first.tops, ...(next?.tops ?? [])];
      expect(tops.map((item) => item.body.split(" ")[0])).toEqual(all);
      expect(next?.next).toBeUndefined();
    },
  );

  test("tells apart what belongs to whom", async () => {
    const page = await networkStream(hub, alice, streamQuery({ mid: three.mid }));
    expect(page.terms.get(three.message_id)?.map((term) => term.ttype)).toEqual([2]);
    expect([...page.xchans.keys()].toSorted()).toEqual([alice.xchan_id, carol.xchan_id].toSorted());
  });
});

describe("the channel stream", () => {
  const wall = async (mindate: string, start = 0, records = 100) =>
    (await channelStream(hub, alice, { mindate, start, records })).items.map((item) => item.body.split(" ")[0]);

  test("has the wall, oldest first, as far as something happened since", async () => {
    const more = await step(alice, { body: "more" });
    expect(await wall("2026-01-01 00:00:00")).toEqual(["two", "more"]);
    expect(await wall("2026-01-01 00:00:00", 1, 1)).toEqual(["more"]);
    expect(await wall(two.created)).toEqual(["more"]);
    await step(bob, { body: "answering", parent: { mid: two.mid } });
    expect(await wall(more.created)).toEqual(["two", "answering"]);
    await hub.db.updateTable("item").set({ postopts: "nodeliver" }).where("id", "=", more.id).execute();
    expect(await wall("2026-01-01 00:00:00")).toEqual(["two", "answering"]);
  });
});
