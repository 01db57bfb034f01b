import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import type { RoleName } from "../src/domain/identity/channels/roles.ts";
import { inhabitant, openHubs } from "./support/hubs.ts";
import type { Inhabitant, TestHubs } from "./support/hubs.ts";
import { size } from "./support/size.ts";
import {
  act,
  allRoles,
  chosen,
  connectionsOf,
  hidesSome,
  lettersOf,
  missing,
  nicks,
  noticesOf,
  rowsOf,
  stories,
} from "./support/stories.ts";
import type { Row, Side } from "./support/stories.ts";
import { byMastodon, byMicroblog, byNative, byPages, readingsOf } from "./support/story-doors.ts";
import type { StoryDoor } from "./support/story-doors.ts";

/** What people do means the same by whichever door: four circles do the same by one each, and have the same in the end. */

const doors = { native: byNative, microblog: byMicroblog, mastodon: byMastodon, pages: byPages };

let world: TestHubs;
let round = 0;

beforeAll(async () => {
  world = await openHubs(1);
});
afterAll(() => world.close());

async function circleOf(name: string, door: StoryDoor, all: readonly RoleName[]): Promise<Side> {
  const people: Inhabitant[] = [];
  for (const [n, role] of all.entries())
    people.push(await inhabitant(world.hubs[0]!, `${nicks[n]}${name}${round}`, role));
  return { people, groups: new Map(), door, settle: world.settle };
}

async function everythingOf(one: Inhabitant): Promise<string[]> {
  const [rows, letters] = [await rowsOf(one), await lettersOf(one)];
  const notices = await noticesOf(one);
  return [...rows, ...letters].map(({ says }) => says).concat(notices, await connectionsOf(one));
}

/** The threads of these people that are not the same by all ways for somebody: for those who have them, and those who have not. */
async function readOtherwise({ people }: Side): Promise<string[]> {
  const threads = new Map<string, Row>();
  const had = await Promise.all(people.map(rowsOf));
  // The owner's is the one that others may see.
  for (const row of had.flat()) if (row.isTop && row.name !== "" && row.isOwners) threads.set(row.name, row);
  const found: string[] = [];
  for (const [n, one] of people.entries())
    for (const [name, thread] of threads) {
      const own = had[n]!.find((row) => row.name === name);
      // What is hidden from somebody is shown by some ways where they ask for it.
      if (!own && (await hidesSome(one))) continue;
      const readings = await readingsOf(one, own ?? thread);
      if (new Set(readings.map(([, words]) => words)).size > 1)
        found.push(`${nicks[n]} reads of ${name}: ${readings.map((reading) => reading.join(" ")).join("; ")}`);
    }
  return found;
}

test("people have the same whatever they use", { timeout: 3_600_000 }, async () => {
  const circles = fc.asyncProperty(stories, allRoles, async (story, all) => {
    round += 1;
    const sides: [string, Side][] = [];
    for (const [name, door] of Object.entries(doors)) sides.push([name, await circleOf(name, door, all)]);
    const [, first] = sides[0]!;
    const told: string[] = [];
    for (const [step, deed] of story.entries()) {
      world.advance(5);
      const named = await chosen(first, deed);
      const statuses: (number | undefined)[] = [];
      for (const [, side] of sides) statuses.push(await act(side, deed, step, named));
      await world.settle();
      told.push(`${step}: ${JSON.stringify(deed)} ${named} ${statuses.join(" and ")}`);
      const isDone = statuses.map((status) => status === undefined || status === 200);
      // Where there is nothing to undo, some say so and some have done it already.
      const isAlike = isDone.every((done) => done === isDone[0]) || deed.do.startsWith("un");
      const found = isAlike ? [] : ["done by some alone"];
      for (const [n, one] of first.people.entries()) {
        const known = await everythingOf(one);
        for (const [name, side] of sides.slice(1)) {
          const those = await everythingOf(side.people[n]!);
          found.push(
            ...missing(known, those).map((what) => `${nicks[n]}, not by ${name}: ${what}`),
            ...missing(those, known).map((what) => `${nicks[n]}, by ${name} alone: ${what}`),
          );
        }
      }
      if (found.length > 0) throw new Error([all.join(" "), ...told, ...found].join("\n"));
    }
    const found = await readOtherwise(first);
    if (found.length > 0) throw new Error([all.join(" "), ...told, ...found].join("\n"));
  });
  await fc.assert(circles, { numRuns: size(2, 8), endOnFailure: true });
});
