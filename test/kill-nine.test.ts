import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hub } from "../src/hub.ts";
import { runDue } from "../src/jobs/runner.ts";
import { makePeople, newPlace, openPlace, post, textsOf } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { size } from "./support/size.ts";

/** What was acknowledged survives whatever kills the process, and happens once. */

const rounds = size(2, 20);

let place: Place;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "anna", "ben", "cleo");
});
afterAll(() => place.remove());

test("kill -9 at any moment loses nothing and repeats nothing", async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.length;
    const posting = () =>
      Promise.all(Array.from({ length: 4 }, (_, poster) => postUntilDead(`${round}.${poster}`, acknowledged)));
    await killMeanwhile(place, posting, () => acknowledged.length > before, 700);
  }
  await checkAll(acknowledged);
});

/** Posts one text after the other until the hub does not answer any more. */
async function postUntilDead(name: string, acknowledged: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    const text = `post ${name}.${number} end`;
    if ((await post(place, "anna", text)) === undefined) return;
    acknowledged.push(text);
  }
}

async function checkAll(acknowledged: readonly string[]): Promise<void> {
  // A worker that was killed holds its jobs for some minutes more.
  const hub = await openPlace(place, 600);
  await runDue(hub);
  const own = await textsOf(hub, "anna", "post ");
  expect(own.length).toBe(new Set(own).size);
  expect(acknowledged.filter((text) => !own.includes(text))).toEqual([]);
  for (const nick of ["ben", "cleo"]) expect((await textsOf(hub, nick, "post ")).toSorted()).toEqual(own.toSorted());
  expect(await countOf(hub, "anna")).toBe(own.length);
  expect(
    await hub.db.selectFrom("job").select(["name", "last_error"]).where("unique_key", "is", null).execute(),
  ).toEqual([]);
  await hub.close();
}

/** The number of posts that the hub shows beside somebody's name. */
async function countOf(hub: Hub, nick: string): Promise<number> {
  const { statuses_count } = await hub.db
    .selectFrom("xchan")
    .innerJoin("channel", "channel_hash", "xchan_hash")
    .select("statuses_count")
    .where("channel_address", "=", nick)
    .executeTakeFirstOrThrow();
  return statuses_count;
}
