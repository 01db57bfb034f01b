import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubbub, hubbubJson, newPlace, openPlace } from "../../../test/support/command.ts";
import type { Place } from "../../../test/support/command.ts";
import { makeChannel } from "../../../test/support/hub.ts";
import type { Hub } from "../../hub.ts";
import { runDue } from "../../jobs/runner.ts";
import { addJob } from "../../jobs/queue.ts";
import { postItem } from "../items/posting/post.ts";
import { longStepsUnderWay, takeLongStep } from "./long-steps.ts";
import type { Progress } from "./long-steps.ts";

/** Long steps by the one that fills the search index: fifty messages are a piece. */

const messages = 160;
let place: Place;

beforeAll(async () => {
  place = await newPlace();
  const hub = await openPlace(place);
  const ann = await makeChannel(hub, "ann");
  for (let n = 0; n < messages; n++) await postItem(hub, ann, { body: `quince ${n}` });
  await runDue(hub);
  await hub.close();
});
afterAll(() => place.remove());

/** How many messages have got their words. */
let written = 0;
const count = ({ query }: { query: { sql: string } }): void => {
  if (query.sql.startsWith('update "message" set "words"')) written++;
};

const forgetWords = (hub: Hub) => hub.db.updateTable("message").set({ words: "" }).execute();

/** Ids of messages with words, and of those without, the newest first. */
async function byWords(hub: Hub): Promise<{ filled: number[]; empty: number[] }> {
  const rows = await hub.db.selectFrom("message").select(["id", "words"]).orderBy("id", "desc").execute();
  const ids = (isFilled: boolean) => rows.filter(({ words }) => (words !== "") === isFilled).map(({ id }) => id);
  return { filled: ids(true), empty: ids(false) };
}

test("killed in the middle of a piece it goes on where it was", async () => {
  const before = await openPlace(place);
  await forgetWords(before);
  await before.close();
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../../test/support/die-in-step.ts")], {
    env: { ...process.env, ...place.env },
    stdio: "ignore",
  });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);

  written = 0;
  const hub = await openPlace(place, 0, count);
  const { filled, empty } = await byWords(hub);
  const row = await hub.db.selectFrom("long_step").selectAll().executeTakeFirstOrThrow();
  // Two pieces are there with their marks, and of the third nothing is.
  expect([filled.length, filled[99], empty.length]).toEqual([100, row.next_id, messages - 100]);
  const { plan, underWay } = await hubbubJson<{ plan: []; underWay: Progress[] }>(place, "migrate", "--plan");
  expect([plan, underWay]).toMatchObject([[], [{ name: "index-words", share: expect.closeTo(100 / messages, 1) }]]);
  expect((await hubbub(place, ["migrate", "--plan"])).stdout).toMatch(/^By jobs: index-words \d+ % done since /m);
  expect((await hubbub(place, ["doctor"])).stdout).toMatch(/^ok +long steps: index-words \d+ % done since /m);

  await addJob(hub, "take-long-step", { step: "index-words" });
  await runDue(hub);
  expect([written, (await byWords(hub)).empty, await longStepsUnderWay(hub)]).toEqual([messages - 100, [], []]);
  await hub.close();
});

test("two at once do each piece once", async () => {
  const hub = await openPlace(place, 0, count);
  await forgetWords(hub);
  written = 0;
  await Promise.all([takeLongStep(hub, "index-words"), takeLongStep(hub, "index-words")]);
  expect([written, (await byWords(hub)).empty, await longStepsUnderWay(hub)]).toEqual([messages, [], []]);
  await hub.close();
});
