import { afterAll, beforeAll, expect, test } from "vitest";
import { listHostBlocks } from "../src/domain/connections/connections.ts";
import { stageBytes } from "../src/domain/files/blobs.ts";
import { findChannelByNick } from "../src/domain/identity/channels/channels.ts";
import { countEntries, startList, takeList } from "../src/domain/import/lists/lists.ts";
import { certain } from "../src/errors.ts";
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

test("a list that is being worked off when the process is killed is worked off to its end, each entry once", async () => {
  const names = Array.from({ length: 600 }, (_, at) => `h${at}.example`);
  const watching = await openPlace(place);
  const anna = certain(await findChannelByNick(watching, "anna"), "channel");
  const staged = await stageBytes(watching, Buffer.from(names.join("\n")));
  const list = await takeList(watching, anna, { staged, filename: "domain_blocks.csv" }, undefined);
  let settled = 0;
  const watch = async () => {
    await startList(watching, anna.channel_id, list);
    while ((await post(place, "ben", "still there")) !== undefined) settled = (await countEntries(watching, list)).done;
  };
  await killMeanwhile(place, watch, () => settled > 0, 200);
  await watching.close();
  // A worker that was killed holds its jobs for some seconds more.
  const hub = await openPlace(place, 600);
  await runDue(hub);
  expect(await countEntries(hub, list)).toMatchObject({ waiting: 0, done: names.length, there: 0, failed: 0 });
  expect((await listHostBlocks(hub, anna.channel_id)).map(({ host }) => host)).toEqual(names.toSorted());
  expect(await hub.db.selectFrom("job").select("id").where("name", "=", "go-through-list").execute()).toEqual([]);
  await hub.close();
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
  // A worker that was killed holds its jobs for some seconds more.
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
