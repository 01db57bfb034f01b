import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../test/support/app.ts";
import type { Person, TestApp } from "../test/support/app.ts";
import { befriend } from "../test/support/people.ts";
import { bbcodeOf, layOut, tagsOf } from "./domain/bodies/texts.ts";
import { sign } from "./domain/identity/xchans/signing.ts";
import { postItem } from "./domain/items/posting/post.ts";
import { sendMessage } from "./domain/messages/send.ts";
import { afterCommit, chosenOnce, inTransaction, writingBesides } from "./hub.ts";
import type { Hub } from "./hub.ts";

let world: TestApp;
let ann: Person;
let bob: Person;
let statements = 0;

beforeAll(async () => {
  world = await openTestApp({ onQuery: () => void statements++ });
  ann = await world.person("ann");
  bob = await world.person("bob");
});
afterAll(() => world.close());

/** How many transactions the work begins, those that are undone included. */
async function transactionsOf(work: (hub: Hub) => Promise<unknown>): Promise<number> {
  let begun = 0;
  const db = new Proxy(world.hub.db, {
    get(db, name) {
      if (name === "transaction") begun++;
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === "function" ? (value.bind(db) as unknown) : value;
    },
  });
  await work({ ...world.hub, db });
  return begun;
}

describe("a transaction only reads and writes rows", () => {
  const long = "A long text. ".repeat(400);
  test.each<[string, (hub: Hub) => Promise<unknown>]>([
    ["rendering and telling the language of a short text", (hub) => layOut(hub, "Hello [b]world[/b]", "text/bbcode")],
    ["the same of a long text", (hub) => layOut(hub, long, "text/bbcode")],
    ["looking for tags in a long text", (hub) => tagsOf(hub, long, "text/bbcode")],
    ["reading HTML", (hub) => bbcodeOf(hub, "<b>Hello</b>")],
    ["signing", (hub) => sign(hub, ann.channel.channel_id, "Hello")],
    [
      "several things",
      (hub) => Promise.all([layOut(hub, "Hello", "text/bbcode"), sign(hub, ann.channel.channel_id, "Hello")]),
    ],
  ])("%s comes before it", async (_name, compute) => {
    let runs = 0;
    const inside = await inTransaction(world.hub, (hub) => {
      runs++;
      return compute(hub);
    });
    expect(runs).toBe(2);
    expect(inside).toEqual(await compute(world.hub));
  });

  test("and chooses the same when it runs again", async () => {
    const chosen: string[] = [];
    await inTransaction(world.hub, async (hub) => {
      chosen.push(chosenOnce(hub, "a number", () => String(Math.random())));
      await layOut(hub, chosen[0]!, "text/plain");
    });
    expect(chosen).toEqual([chosen[0], chosen[0]]);
    expect(chosenOnce(world.hub, "a number", () => "another")).toBe("another");
  });

  test("posts, comments and messages have everything ready when theirs begins", async () => {
    await befriend(world.hub, ann.channel, bob.channel);
    const post = await postItem(world.hub, ann.channel, { body: "A post" });
    const { channel } = ann;
    expect(await transactionsOf((hub) => postItem(hub, channel, { body: "Hello @bob and #all" }))).toBe(1);
    expect(await transactionsOf((hub) => postItem(hub, channel, { body: "A comment", parent: { id: post.id } }))).toBe(
      1,
    );
    expect(await transactionsOf((hub) => sendMessage(hub, channel, { to: bob.channel.channel_hash, body: "Hi" }))).toBe(
      1,
    );
  });
});

test("the hub holds what lives as long as it does, and nothing of a request or a transaction", async () => {
  const fields = Object.entries(world.hub);
  expect(fields.filter(([, value]) => value === undefined)).toEqual([]);
  let left: string[] = [];
  const later = (hub: Hub, word: string): Promise<void> => Promise.resolve(afterCommit(hub, () => left.push(word)));
  const inside = await inTransaction(world.hub, async (hub) => {
    await later(hub, "committed");
    await inTransaction(hub, (joined) => later(joined, "joined"));
    expect(left).toEqual([]);
    return Object.keys(hub);
  });
  expect(inside).toEqual(Object.keys(world.hub));
  expect(left).toEqual(["committed", "joined"]);
  left = [];
  const request = writingBesides(world.hub, (hub) => later(hub, "besides"));
  await inTransaction(request, (hub) => inTransaction(hub, () => Promise.resolve()));
  expect(left).toEqual(["besides"]);
  await expect(inTransaction(request, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(left).toEqual(["besides"]);
});

test("who reads waits for nobody who changes something, also where the statement is written by hand", async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const mostAtOnce = 8;
  let begun = 0;
  const all = Array.from({ length: mostAtOnce }, () => inTransaction(world.hub, () => (begun++, end)));
  await expect.poll(() => begun).toBe(world.hub.engine === "sqlite" ? 1 : mostAtOnce);
  // Whoever had to wait would do so for ever.
  const { rows } = await sql<{ one: number }>`with a as (select 1 as one) select one from a`.execute(world.hub.db);
  resolve();
  await Promise.all(all);
  expect(rows).toEqual([{ one: 1 }]);
});

test("a post is stored and shown by a handful of statements", async () => {
  const cia = await world.person("cia");
  const cost = async (post: () => Promise<{ status: number }>): Promise<number> => {
    expect((await post()).status).toBe(200);
    statements = 0;
    await post();
    return statements;
  };
  // Who it is and what applies, the two rows, two counts, the author, a word for those who listen, and whether a webhook is told; natively terms
  // and metadata besides.
  expect(await cost(() => cia.post("/api/statuses/update.json", { status: "A post" }))).toBe(9);
  expect(await cost(() => cia.post("/api/z/1.0/item/update", { body: "A post" }))).toBe(11);
});
