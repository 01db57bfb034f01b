import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend, newcomer } from "../../../../test/support/people.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { block, unblock } from "../../../domain/connections/connections.ts";
import { size } from "../../../../test/support/size.ts";

/** Microblog contract 3.4: paging by cursor neither loses nor doubles anybody, forth and back, while people come and go. */

let world: TestApp;
let ann: Person;
let people: Channel[];

beforeAll(async () => {
  world = await openTestApp();
  // Number 1 of the hub is among them: what goes back before it must not be mistaken for the first page.
  people = [await newcomer(world.hub, "first")];
  ann = await world.person("ann");
  for (let n = 1; n < 12; n++) people.push(await newcomer(world.hub, `p${n}`));
  for (const person of people) await befriend(world.hub, ann.channel, person);
});
afterAll(() => world.close());

type Page = { ids: number[]; next_cursor: number; previous_cursor: number; total_count: number };

const read = async (cursor: number, count: number): Promise<Page> =>
  (await ann.get("/api/friends/ids", { cursor, count })).json;

/** Somebody leaves the list or comes back. */
async function toggle(index: number, gone: Set<number>): Promise<void> {
  const person = people[index]!;
  if (gone.has(person.xchan_id)) {
    gone.delete(person.xchan_id);
    await unblock(world.hub, ann.channel, person.channel_hash);
  } else {
    gone.add(person.xchan_id);
    await block(world.hub, ann.channel, { xchan_hash: person.channel_hash, xchan_network: "zot" });
  }
}

const deeds = fc.array(fc.array(fc.nat(11), { maxLength: 3 }), { maxLength: 16 });

describe("cursors", () => {
  test("forth and then back, nobody is lost or doubled", async () => {
    expect(people[0]!.xchan_id).toBe(1);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), deeds, async (count, changes) => {
        const gone = new Set<number>();
        const moved = new Set<number>();
        try {
          const steps = changes[Symbol.iterator]();
          const change = async (): Promise<void> => {
            for (const index of steps.next().value ?? []) {
              moved.add(people[index]!.xchan_id);
              await toggle(index, gone);
            }
          };
          const { seen: forth, last } = await walk(-1, count, "next_cursor", change);
          expectOrdered(forth);
          expectAll(forth, moved);
          if (last.previous_cursor === 0) return;
          moved.clear();
          for (const id of gone) moved.add(id);
          const edge = last.ids[0];
          const { seen } = await walk(last.previous_cursor, count, "previous_cursor", change);
          const back = edge === undefined ? seen : [...seen, ...last.ids];
          expectOrdered(back);
          expectAll(back, moved);
        } finally {
          for (const [index, person] of people.entries()) if (gone.has(person.xchan_id)) await toggle(index, gone);
        }
      }),
      { numRuns: size(10, 150) },
    );
  });

  test("every page says how to go on and back, and how many there are", async () => {
    for (const count of [1, 3, 12]) {
      let page = await read(-1, count);
      expect(page.previous_cursor).toBe(0);
      const seen = [...page.ids];
      while (page.next_cursor !== 0) {
        const before = page;
        page = await read(page.next_cursor, count);
        seen.push(...page.ids);
        expect((await read(page.previous_cursor, count)).ids).toEqual(before.ids);
        expect(page.total_count).toBe(people.length);
      }
      expect(seen).toEqual(people.map((person) => person.xchan_id).toReversed());
    }
  });
});

async function walk(
  from: number,
  count: number,
  direction: "next_cursor" | "previous_cursor",
  change: () => Promise<void>,
): Promise<{ seen: number[]; last: Page }> {
  let page = await read(from, count);
  const pages = [page];
  while (page[direction] !== 0) {
    await change();
    page = await read(page[direction], count);
    pages.push(page);
  }
  const ordered = direction === "next_cursor" ? pages : pages.toReversed();
  return { seen: ordered.flatMap(({ ids }) => ids), last: page };
}

function expectOrdered(ids: readonly number[]): void {
  expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
}

/** Whoever was there all the time was shown. */
function expectAll(ids: readonly number[], moved: ReadonlySet<number>): void {
  const stayed = people.map((person) => person.xchan_id).filter((id) => !moved.has(id));
  expect(stayed.filter((id) => !ids.includes(id))).toEqual([]);
}
