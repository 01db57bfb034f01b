import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import type { RoleName } from "../../src/domain/identity/channels/roles.ts";
import { inhabitant, met, openHubs } from "../support/hubs.ts";
import type { Inhabitant, Neighbour, TestHubs } from "../support/hubs.ts";
import { size } from "../support/size.ts";
import {
  act,
  chosen,
  lettersOf,
  missing,
  nicks,
  noticesOf,
  places,
  roles,
  rowsOf,
  stories,
} from "../support/stories.ts";
import type { Row, Side } from "../support/stories.ts";
import { byNative, fetchRest } from "../support/story-doors.ts";

/**
 * Identities are independent of place: the same people do the same, once all on one hub and once on three, and have the same posts,
 * reactions, messages and notices in the end.
 */

let world: TestHubs;
let round = 0;

beforeAll(async () => {
  world = await openHubs(4);
});
afterAll(() => world.close());

async function settleAt(homes: readonly Neighbour[], all: readonly RoleName[]): Promise<Side> {
  const people: Inhabitant[] = [];
  for (const [n, home] of homes.entries()) people.push(await inhabitant(home, `${nicks[n]}${round}`, all[n]));
  for (const one of people) for (const other of people) if (one.at !== other.at) await met(one.at, other.at, other);
  return { people, groups: new Map(), door: byNative, settle: world.settle };
}

/**
 * What somebody has on one side alone. From other hubs people get public threads of strangers in which somebody writes with whom they
 * are connected, as everywhere in the fediverse; here only when they have the thread (decision 171).
 */
async function differences(together: Inhabitant, apart: Inhabitant): Promise<string[]> {
  const [here, there] = [await rowsOf(together), await rowsOf(apart)];
  const sayings = (rows: readonly { says: string }[]) => rows.map(({ says }) => says);
  const [noticesHere, noticesThere] = [await noticesOf(together), await noticesOf(apart)];
  const [lettersHere, lettersThere] = [await lettersOf(together), await lettersOf(apart)];
  const privately = there.filter(({ isPrivate }) => isPrivate);
  return [
    ...missing(sayings(lettersHere), sayings(lettersThere)).map((says) => `not apart: ${says}`),
    ...missing(sayings(lettersThere), sayings(lettersHere)).map((says) => `not together: ${says}`),
    ...missing(sayings(here), sayings(there)).map((says) => `not apart: ${says}`),
    ...missing(sayings(privately), sayings(here)).map((says) => `not together: ${says}`),
    ...missing(noticesHere, noticesThere).map((told) => `not told apart: ${told}`),
  ];
}

async function allDifferences(together: Side, apart: Side): Promise<string[]> {
  const found: string[] = [];
  for (const [n, one] of together.people.entries())
    found.push(...(await differences(one, apart.people[n]!)).map((what) => `${nicks[n]}, ${what}`));
  return found;
}

const publicTopsOf = async (one: Inhabitant): Promise<Row[]> =>
  (await rowsOf(one)).filter((row) => row.isTop && !row.isPrivate && !row.isOwners);

const topIdsOf = async (one: Inhabitant): Promise<Set<number>> =>
  new Set((await publicTopsOf(one)).map(({ id }) => id));

/**
 * Whoever comes late into a public thread of elsewhere gets what was said before when it is opened (federation contract 6.6): these do
 * that, and wait.
 */
async function fetchThreads(late: readonly [Inhabitant, Row][], settle: Side["settle"]): Promise<void> {
  // The same thread is not fetched again within ten minutes, and one hub is asked once in five seconds.
  world.advance(11 * 60);
  for (const [one, top] of late) await fetchRest(one, top);
  for (let turn = 0; turn < 4; turn++) {
    await settle();
    world.advance(10);
  }
  await settle();
}

/** Of reactions that were there before somebody came there are the counts alone. */
function isReaction(difference: string): boolean {
  return /not apart: \w+'s (dis)?like below /.test(difference);
}

test("people have the same wherever they are", { timeout: 3_600_000 }, async () => {
  const sides = fc.asyncProperty(stories, places, roles, async (story, homes, all) => {
    round += 1;
    const [together, apart] = [
      await settleAt(
        homes.map(() => world.hubs[0]!),
        all,
      ),
      await settleAt(
        homes.map((n) => world.hubs[1 + n]!),
        all,
      ),
    ];
    const told: string[] = [];
    const parted = new Set<number>();
    const before = new Set<string>();
    for (const [step, deed] of story.entries()) {
      world.advance(5);
      const named = await chosen(together, deed);
      const begun = await Promise.all(apart.people.map(topIdsOf));
      const statuses = [await act(together, deed, step, named), await act(apart, deed, step, named)];
      await world.settle();
      // Polls are counted anew once a minute.
      world.advance(61);
      await world.settle();
      told.push(`${step}: ${JSON.stringify(deed)} ${named} ${statuses.join(" and ")}`);
      if (deed.do === "block") parted.add(deed.whom);
      if (deed.do === "disconnect") parted.add(deed.who).add(deed.whom);
      // Who may not, or is blocked, does not learn that elsewhere: what they say is refused there, and stands before them alone.
      const mayBeRefused = parted.has(deed.who) || all.includes("social");
      if ([400, 403].includes(statuses[0] ?? 0) && statuses[1] === 200 && mayBeRefused) return;
      const found = statuses[0] === statuses[1] ? [] : ["other answers"];
      let differing = await allDifferences(together, apart);
      const late: [Inhabitant, Row][] = [];
      for (const [n, one] of apart.people.entries())
        for (const top of await publicTopsOf(one)) if (!begun[n]!.has(top.id)) late.push([one, top]);
      if (differing.length > 0 && late.length > 0) {
        await fetchThreads(late, apart.settle);
        differing = await allDifferences(together, apart);
        for (const what of differing.filter(isReaction)) before.add(what);
      }
      found.push(...differing.filter((what) => !before.has(what)));
      if (found.length > 0)
        throw new Error([`at home: ${homes.join(" ")}, ${all.join(" ")}`, ...told, ...found].join("\n"));
    }
  });
  await fc.assert(sides, { numRuns: size(3, 12), endOnFailure: true });
});
