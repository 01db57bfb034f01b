import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, connectionId, newcomer, streamQuery } from "../../../../test/support/people.ts";
import { expectedStream } from "../../../../test/support/stream-oracle.ts";
import type { PlainItem, PlainWorld } from "../../../../test/support/stream-oracle.ts";
import { addMembers, createGroup } from "../../groups/groups.ts";
import type { Group } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { networkStream } from "./stream.ts";
import type { StreamQuery } from "../types.ts";
import { termTypes, verbUri } from "../vocabulary.ts";
import { size } from "../../../../test/support/size.ts";

/** Every filter of native contract 6.3, in any combination, over items in any state, against a plain reading of it. */

const people = 6;
const stranger = 5;
const words = ["Tomato", "ärger", "50%", "rain"];
const names = ["garden", "Music"];
const days = ["2026-01-01 10:00:00", "2026-01-02 10:00:00", "2026-01-03 10:00:00", "2026-01-04 10:00:00"];
const flaws = ["item_deleted", "item_unpublished", "item_delayed", "item_pending_remove", "item_blocked"] as const;

let hub: TestHub;
let channels: Channel[];
let group: Group;
let empty: Group;

beforeAll(async () => {
  hub = await openTestHub();
  channels = [];
  for (let n = 0; n < people; n++) channels.push(await newcomer(hub, `person${n}`));
  for (const friend of channels.slice(1, stranger)) await befriend(hub, channels[0]!, friend);
  group = await createGroup(hub, channels[0]!.channel_id, "Some");
  empty = await createGroup(hub, channels[0]!.channel_id, "Empty");
  await addMembers(hub, channels[0]!.channel_id, group.id, [channels[1]!.channel_hash, channels[2]!.channel_hash]);
});
afterAll(() => hub.close());

const person = fc.nat({ max: 2 * people }).map((n) => (n < people ? n : 1 + (n % (people - 1))));
const day = fc.constantFrom(...days);
const seldom = fc.nat({ max: 7 }).map((n) => n === 0);
const labels = fc.subarray(names).chain((some) => fc.constantFrom([], [], some));
const item = fc.record({
  author: person,
  owner: person,
  created: day,
  commented: day,
  received: day,
  type: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 3),
  hidden: seldom,
  flaw: fc.nat({ max: 40 }).map((n) => flaws[n]),
  notshown: seldom,
  starred: seldom,
  unseen: seldom,
  wall: fc.boolean(),
  mentionsMe: seldom,
  verb: fc.nat({ max: 11 }).map((n) => (["share", "share", "follow", "unfollow"] as const)[n] ?? "post"),
  body: fc.array(fc.constantFrom(...words), { maxLength: 2 }).map((some) => some.join(" ")),
  toGroup: seldom,
  categories: labels,
  tags: labels,
  folders: labels,
});
type RandomItem = typeof item extends fc.Arbitrary<infer T> ? T : never;

const worlds = fc.record({
  threads: fc.array(fc.array(item, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  closeness: fc.array(fc.constantFrom(0, 10, 50, 99), { minLength: people, maxLength: people }),
  blocked: fc.nat({ max: 7 }).map((n) => (n > 0 && n < stranger ? n : undefined)),
});

const asked = fc.record({
  start: fc.constantFrom(0, 0, 0, 1, 2),
  records: fc.constantFrom(100, 100, 2),
  order: fc.constantFrom("comment" as const, "post" as const),
  shape: fc.constantFrom("threads" as const, "threads" as const, "nouveau" as const, "top" as const),
  filters: fc.uniqueArray(
    fc.constantFrom(
      ...(["dbegin", "dend", "sinceId", "star", "wall", "conv", "unseen", "mid", "itemId", "group"] as const),
      ...(["connection", "xchan", "closeness", "category", "tag", "file", "search", "searchTag", "verb"] as const),
    ),
    { maxLength: 2 },
  ),
  kind: fc.constantFrom<StreamQuery["itemType"] | "pages">(0, 0, 0, 0, 0, "*", 3, "pages"),
  includeFollow: fc.boolean(),
  day,
  nth: fc.nat({ max: 30 }),
  who: fc.integer({ min: 1, max: people - 1 }),
  name: fc.constantFrom("garden", "MUSIC"),
  word: fc.constantFrom("tomato", "ÄRGER", "%", "0%", "in", "none"),
  verb: fc.constantFrom("post", "share", "follow"),
  close: fc.tuple(fc.constantFrom(0, 10, 11), fc.constantFrom(10, 50, 99)),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

async function build({
  threads,
  closeness,
  blocked,
}: typeof worlds extends fc.Arbitrary<infer T> ? T : never): Promise<PlainWorld> {
  const me = channels[0]!;
  for (const table of ["item", "message", "term"] as const) await hub.db.deleteFrom(table).execute();
  const connections: PlainWorld["connections"] = new Map();
  for (const [n, other] of channels.slice(0, stranger).entries()) {
    const known = { closeness: n === 0 ? 0 : closeness[n]!, blocked: n === blocked };
    const abookId = n === 0 ? 0 : await connectionId(hub, me, other);
    if (n > 0) {
      await hub.db
        .updateTable("abook")
        .set({ abook_closeness: known.closeness, abook_blocked: known.blocked ? 1 : 0 })
        .where("abook_id", "=", abookId)
        .execute();
    }
    connections.set(n, { ...known, abookId, hash: other.channel_hash });
  }
  const items: PlainItem[] = [];
  for (const thread of threads) {
    let parent = 0;
    for (const one of thread) {
      const stored = await store(one, parent, items.length);
      parent = parent || stored.id;
      items.push({ ...stored, parent });
    }
  }
  return { me: 0, items, connections, groupMembers: [1, 2] };
}

async function store(one: RandomItem, parent: number, n: number): Promise<PlainItem> {
  const me = channels[0]!;
  const mid = `mid-${n}`;
  const [author, owner] = [channels[one.author]!.xchan_id, channels[one.owner]!.xchan_id];
  const { id: messageId } = await hub.db
    .insertInto("message")
    .values({
      mid,
      uuid: mid,
      parent_mid: mid,
      thr_parent: mid,
      author_id: author,
      created: one.created,
      edited: one.created,
      verb: verbUri(one.verb),
      obj_type: "note",
      body: one.body,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id } = await hub.db
    .insertInto("item")
    .values({
      uid: me.channel_id,
      aid: me.channel_account_id,
      message_id: messageId,
      parent,
      thr_parent_id: parent,
      author_id: author,
      owner_id: owner,
      created: one.created,
      commented: one.commented,
      received: one.received,
      changed: one.received,
      item_thread_top: parent === 0 ? 1 : 0,
      item_type: one.type,
      item_hidden: Number(one.hidden),
      item_notshown: Number(one.notshown),
      item_starred: Number(one.starred),
      item_unseen: Number(one.unseen),
      item_wall: Number(one.wall),
      item_mentionsme: Number(one.mentionsMe),
      allow_gid: one.toGroup ? `<${group.hash}>` : "",
      ...(one.flaw && { [one.flaw]: 1 }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (parent === 0) await hub.db.updateTable("item").set({ parent: id }).where("id", "=", id).execute();
  await storeTerms(one, messageId);
  const low = (list: string[]) => list.map((name) => name.toLowerCase());
  return {
    ...one,
    id,
    parent,
    top: parent === 0,
    mid,
    keptOut: one.flaw !== undefined,
    deleted: one.flaw === "item_deleted",
    categories: low(one.categories),
    tags: low(one.tags),
    folders: low(one.folders),
  };
}

/** Tags by the author and by others alike; folders of somebody else are none of ours. */
async function storeTerms(one: RandomItem, messageId: number): Promise<void> {
  const me = channels[0]!.channel_id;
  const rows = [
    ...one.categories.map((term) => ({ term, ttype: termTypes.category, uid: 0 })),
    ...one.tags.map((term, n) => ({ term, ttype: n === 0 ? termTypes.hashtag : termTypes.communityTag, uid: 0 })),
    ...one.folders.map((term) => ({ term, ttype: termTypes.file, uid: me })),
    ...names.map((term) => ({ term, ttype: termTypes.file, uid: channels[1]!.channel_id })),
  ].map((row) => ({ ...row, message_id: messageId, term_key: row.term.toLowerCase() }));
  await hub.db.insertInto("term").values(rows).execute();
}

function queryOf(world: PlainWorld, one: Asked): StreamQuery {
  const has = (name: Asked["filters"][number]) => one.filters.includes(name);
  const chosen = world.items[one.nth % world.items.length]!;
  const known = world.connections.get(one.who);
  return streamQuery({
    start: one.start,
    records: one.records,
    order: one.order,
    nouveau: one.shape === "nouveau",
    top: one.shape === "top",
    pages: one.kind === "pages",
    itemType: one.kind === "pages" ? 0 : one.kind,
    includeFollow: one.includeFollow,
    star: has("star"),
    wall: has("wall"),
    conv: has("conv"),
    unseen: has("unseen"),
    ...(has("closeness") && { closestMin: one.close[0], closestMax: one.close[1] }),
    ...(has("dbegin") && { dbegin: one.day }),
    ...(has("dend") && { dend: one.day }),
    ...(has("sinceId") && { sinceId: chosen.id }),
    ...(has("mid") && { mid: chosen.mid }),
    ...(has("itemId") && { itemId: chosen.id }),
    ...(has("group") && { groupId: group.id }),
    ...(has("connection") && known && !known.blocked && { connectionId: known.abookId }),
    ...(has("xchan") && { xchan: known?.hash ?? "nobody" }),
    ...(has("category") && { category: one.name }),
    ...(has("tag") && { tag: one.name }),
    ...(has("file") && { file: one.name }),
    ...(has("search") && { search: one.word }),
    ...(has("searchTag") && { search: `#${one.name}` }),
    ...(has("verb") && { verb: one.verb }),
  });
}

describe("the network stream", () => {
  test("is what the contract says, whatever is asked of whatever there is", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(asked, { minLength: 50, maxLength: 50 }), async (random, questions) => {
        const world = await build(random);
        for (const question of questions) {
          const query = queryOf(world, question);
          const { items } = await networkStream(hub, channels[0]!, query);
          expect([query, items.map(({ id }) => id)]).toEqual([query, expectedStream(world, query)]);
        }
      }),
      { numRuns: size(10, 100) },
    );
  });

  test("an empty group has nothing", async () => {
    const { items } = await networkStream(hub, channels[0]!, streamQuery({ groupId: empty.id }));
    expect(items).toEqual([]);
  });
});
