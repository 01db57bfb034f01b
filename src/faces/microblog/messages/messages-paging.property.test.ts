import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { size } from "../../../../test/support/size.ts";

/**
 * Whoever pages through messages with `max_id`, as clients do (microblog contract 12, trap 35), gets every message that was
 * there at the start and was not deleted meanwhile, once, newest first, whatever others send and delete between the pages.
 */

let world: TestApp;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob] = [await world.person("ann"), await world.person("bob")];
  await befriend(world.hub, ann.channel, bob.channel);
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of ["mail", "conv", "notify"] as const) await world.hub.db.deleteFrom(table).execute();
});

const boxes = [
  "direct_messages",
  "direct_messages/sent",
  "direct_messages/all",
  "direct_messages/conversation",
] as const;
type Box = (typeof boxes)[number];

/** What happens between two pages; `at` picks the message, of those that are there. */
const deed = fc.oneof(
  fc.record({ what: fc.constant("receive" as const) }),
  fc.record({ what: fc.constant("send" as const) }),
  fc.record({ what: fc.constant("delete" as const), at: fc.nat(1000) }),
);
type Deed = { what: "receive" } | { what: "send" } | { what: "delete"; at: number };

async function talk(from: Person, to: Person, replyto?: number): Promise<void> {
  const { status } = await from.post("/api/direct_messages/new", { text: "x", screen_name: to.nick, replyto });
  expect(status).toBe(200);
}

async function idsOf(box: Box, query: Record<string, unknown>): Promise<number[]> {
  const { json } = await ann.get(`/api/${box}`, { getUserObjects: "false", ...query });
  return json.map((message: { id: number }) => message.id);
}

async function perform(deed: Deed, deleted: Set<number>): Promise<void> {
  const all = await idsOf("direct_messages/all", { count: 200 });
  if (deed.what === "receive") await talk(bob, ann, (await newestOf(bob)) ?? undefined);
  else if (deed.what === "send") await talk(ann, bob, all[0]);
  else {
    const id = all[deed.at % Math.max(1, all.length)];
    if (id === undefined) return;
    deleted.add(id);
    expect((await ann.send("DELETE", `/api/direct_messages/destroy/${id}`)).status).toBe(200);
  }
}

async function newestOf(person: Person): Promise<number | undefined> {
  return (await person.get("/api/direct_messages/all", { count: 1 })).json[0]?.id;
}

test("no message is missed and none comes twice", async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.constantFrom(...boxes),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.array(deed, { maxLength: 3 }), { maxLength: 8 }),
        async (box, letters, count, meanwhile) => {
          for (const received of letters)
            await (received ? talk(bob, ann, await newestOf(bob)) : talk(ann, bob, await newestOf(ann)));
          const [{ svc_parent_uri: uri }] = (await ann.get("/api/direct_messages/all")).json;
          const start = await idsOf(box, { count: 200, uri });
          const deleted = new Set<number>();
          const read: number[] = [];
          let oldest = 0;
          for (let page = 0; ; page++) {
            for (const one of meanwhile[page] ?? []) await perform(one, deleted);
            const ids = await idsOf(box, { count, uri, max_id: oldest });
            // The bound is inclusive, so the last of a page comes again unless it is gone; clients know it by its id.
            const fresh = ids.filter((id) => id !== oldest);
            if (oldest > 0) expect(ids.every((id) => id <= oldest)).toBe(true);
            read.push(...fresh);
            if (fresh.length === 0) break;
            oldest = fresh.at(-1)!;
          }
          expect(new Set(read).size).toBe(read.length);
          expect(read).toEqual(read.toSorted((one, other) => other - one));
          const kept = start.filter((id) => !deleted.has(id));
          expect(read.filter((id) => kept.includes(id))).toEqual(kept);
        },
      )
      .beforeEach(async () => {
        for (const table of ["mail", "conv", "notify"] as const) await world.hub.db.deleteFrom(table).execute();
      }),
    { numRuns: size(15, 200) },
  );
});
