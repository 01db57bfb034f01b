import { observerOf } from "../../identity/channels/observer.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, deliver, mark, newcomer, nobody } from "../../../../test/support/people.ts";
import { expectedIds, typedQuery } from "../../../../test/support/search-oracle.ts";
import type { Part } from "../../../../test/support/search-oracle.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { commentOn } from "../posting/comment.ts";
import { deleteItem } from "../posting/delete.ts";
import { editItem } from "../posting/edit.ts";
import { postItem } from "../posting/post.ts";
import { selectItems } from "../queries.ts";
import { searchStatuses } from "./search.ts";
import { setStarred } from "../posting/star.ts";
import type { Item } from "../types.ts";
import { size } from "../../../../test/support/size.ts";

/** Whatever people write, answer, edit, delete and block: a search finds what a plain reading of all rows finds, in order. */

const words = ["alpha", "alphabet", "beta", "gamma", "delta"];
const tags = ["red", "redder"];
const days = ["2026-01-31", "2026-02-01", "2026-03-15", "2027-01-01"];

const word = fc.constantFrom(...words);
const body = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.subarray(tags))
  .map(([some, tagged]) => [...some, ...tagged.map((tag) => `#${tag}`)].join(" "));
const who = fc.nat({ max: 3 });
const which = fc.nat({ max: 1000 });

const deed = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("post" as const),
      who,
      body,
      to: fc.constantFrom("all", "all", "connections", "one"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer" as const), who, body, which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), which, body }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), who, which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("star" as const), who, which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("block" as const),
      who,
      how: fc.constantFrom("blocked", "ignored"),
      on: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("day" as const), day: fc.constantFrom(...days) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const not = fc.nat({ max: 4 }).map((n) => n === 0);
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("word" as const), text: word, not }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("beginning" as const),
      text: fc.constantFrom("alp", "alpha", "gam"),
      not,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("tag" as const), text: fc.constantFrom(...tags), not }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("phrase" as const),
      words: fc.array(word, { minLength: 2, maxLength: 3 }),
      not,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("from" as const),
      nick: fc.constantFrom("p0", "p1", "p2", "p3", "me"),
      not,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("since" as const, "until" as const), day: fc.constantFrom(...days) }),
  },
);
/** The last of several bounds counts, so there is one of each at most. */
const question = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((parts) =>
    parts.filter(
      (one, at) =>
        (one.kind !== "since" && one.kind !== "until") || parts.findIndex((other) => other.kind === one.kind) === at,
    ),
  );

let hub: TestHub;
let people: Channel[];

async function openWorld(): Promise<void> {
  hub = await openTestHub({ clock: "2026-01-10T12:00:00Z" });
  people = [];
  for (let n = 0; n < 4; n++) people.push(await newcomer(hub, `p${n}`));
  await befriend(hub, people[0]!, people[1]!);
  await befriend(hub, people[1]!, people[2]!);
  await befriend(hub, people[1]!, people[3]!);
}

async function some(number: number, uid?: number): Promise<Item | undefined> {
  let query = selectItems(hub).where("item.item_deleted", "=", 0).where("item.item_origin", "=", 1);
  if (uid !== undefined) query = query.where("item.uid", "=", uid);
  const rows = await query.orderBy("item.id").execute();
  return rows[number % Math.max(1, rows.length)];
}

/** What the domain refuses is no deed. */
async function perform(one: Deed): Promise<void> {
  try {
    await attempt(one);
  } catch (error) {
    if (!(error instanceof Error && error.name === "HubError")) throw error;
  }
  await deliver(hub);
}

async function attempt(one: Deed): Promise<void> {
  if (one.kind === "day") return hub.setClock(`${one.day}T23:59:00Z`);
  const me = "who" in one ? people[one.who]! : people[0]!;
  if (one.kind === "post") {
    const draft = { body: one.body };
    const audience = { ...nobody, allow_cid: [people[(one.who + 1) % 4]!.channel_hash] };
    if (one.to === "all") await postItem(hub, me, draft);
    if (one.to === "connections") await postItem(hub, me, { ...draft, publicPolicy: "contacts" });
    if (one.to === "one") await postItem(hub, me, { ...draft, audience });
    return;
  }
  if (one.kind === "block") {
    const other = people[one.who === 1 ? 0 : 1]!;
    return mark(hub, me, other, { [one.how]: one.on });
  }
  const target = await some(one.which, one.kind === "delete" ? me.channel_id : undefined);
  if (!target) return;
  if (one.kind === "answer") await commentOn(hub, me, { id: target.id }, { body: one.body });
  if (one.kind === "star") await setStarred(hub, me, { id: target.id }, true);
  if (one.kind === "delete") await deleteItem(hub, me, { id: target.id });
  if (one.kind === "edit") {
    const author = people.find((person) => person.xchan_id === target.author_id)!;
    const own = await selectItems(hub)
      .where("item.message_id", "=", target.message_id)
      .where("item.uid", "=", author.channel_id)
      .executeTakeFirst();
    if (own) await editItem(hub, author, own.id, { body: one.body });
  }
}

async function page(
  me: Channel,
  text: string,
  query: Partial<Parameters<typeof searchStatuses>[3]>,
): Promise<number[]> {
  const found = await searchStatuses(hub, observerOf(me), text, { count: 200, skip: 0, ...query });
  return found.map((item) => item.id);
}

async function everyPage(me: Channel, text: string, count: number, between: () => Promise<void>): Promise<number[]> {
  const ids: number[] = [];
  for (let maxId: number | undefined; ;) {
    const found = await page(me, text, { count, ...(maxId !== undefined && { maxId }) });
    ids.push(...found);
    if (found.length < count) return ids;
    maxId = found.at(-1)! - 1;
    if (maxId === 0) return ids;
    await between();
  }
}

/** Once for each world: making one takes longer than asking it. */
async function check(deeds: Deed[], questions: [Part[], number, boolean][], later: Deed[]): Promise<void> {
  for (const one of deeds) await perform(one);
  for (const [parts, asker, excludeReplies] of questions) {
    const me = people[asker]!;
    const text = typedQuery(parts);
    const expected = await expectedIds(hub, me, parts, excludeReplies);
    const only = { excludeReplies };
    expect([text, asker, await page(me, text, only)]).toEqual([text, asker, expected]);
    for (const count of [1, 2, 3])
      expect(await page(me, text, { ...only, count, skip: count })).toEqual(expected.slice(count, 2 * count));
    const middle = expected[Math.floor(expected.length / 2)] ?? 5;
    expect(await page(me, text, { ...only, maxId: middle })).toEqual(expected.filter((id) => id <= middle));
    expect(await page(me, text, { ...only, sinceId: middle })).toEqual(expected.filter((id) => id > middle));
  }
  const [parts, asker] = questions[0]!;
  const me = people[asker]!;
  const before = await expectedIds(hub, me, parts, false);
  const rest = [...later];
  const seen = await everyPage(me, typedQuery(parts), 2, async () => {
    for (const one of rest.splice(0, 1)) await perform(one);
  });
  const after = new Set(await expectedIds(hub, me, parts, false));
  expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => other - one));
  // What was there all the time is there, unless somebody's edit brought or took its words meanwhile.
  if (!later.some((one) => one.kind === "edit" || one.kind === "star" || one.kind === "block"))
    expect(seen).toEqual(expect.arrayContaining(before.filter((id) => after.has(id))));
}

const world = fc.tuple(
  fc.array(deed, { minLength: 1, maxLength: 40, size: "max" }),
  fc.array(fc.tuple(question, who, fc.boolean()), { minLength: 1, maxLength: 25, size: "max" }),
  fc.array(deed, { maxLength: 6 }),
);

test("results and their pages are those of the plain reading", async () => {
  await fc.assert(
    fc
      .asyncProperty(world, async ([deeds, questions, later]) => check(deeds, questions, later))
      .beforeEach(openWorld)
      .afterEach(() => hub.close()),
    { numRuns: size(5, 50) },
  );
});

test("whoever kept a former version and reads with the others again finds it by what it says now", async () => {
  await openWorld();
  await check(
    [
      { kind: "post", who: 2, body: "gamma alpha", to: "connections" },
      { kind: "block", who: 2, how: "blocked", on: true },
      { kind: "edit", which: 0, body: "alpha" },
      { kind: "block", who: 2, how: "blocked", on: false },
    ],
    [
      [[{ kind: "word", text: "gamma", not: true }], 1, false],
      [[{ kind: "word", text: "gamma", not: false }], 1, false],
    ],
    [],
  );
  await hub.close();
});
