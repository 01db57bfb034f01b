import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkFiles } from "../src/domain/files/check-files.ts";
import type { Hub } from "../src/hub.ts";
import { releaseJobs } from "../src/jobs/queue.ts";
import { runDue } from "../src/jobs/runner.ts";
import { makePeople, newPlace, openPlace, serve } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { password, takeKeys } from "./support/hub.ts";
import { longExport } from "./support/hubzilla.ts";
import { killMeanwhile } from "./support/kill-nine.ts";
import { size } from "./support/size.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** An import by the page brings everything, and each thing once, whatever kills the hub that does it. */

const posts = size(800, 4000);
const rounds = size(3, 10);

let place: Place;
afterEach(() => place.remove());

test("kill -9 while an import by the page is under way loses nothing and repeats nothing", async () => {
  place = await newPlace();
  await makePeople(place, "anna");
  const file = join(place.folder, "long.json");
  await longExport(file, (await takeKeys()).rsa, posts);
  const hub = await openPlace(place);
  const anna = browser();
  let page = "";
  const begin = async (): Promise<void> => {
    await anna.logIn("anna", password);
    await anna.get("/import");
    const bytes = new File([await readFile(file)], "long.json");
    const fields = { mode: "clone", posts: "1", url: "", login: "", password: "", nick: "" };
    ({ location: page } = await anna.post("/import", { ...fields, file: bytes }));
  };
  await killMeanwhile(place, begin, () => page !== "", 50);
  for (let round = 1; round < rounds; round++) {
    // What the hub that was killed worked on is its own for some seconds more.
    await releaseJobs(hub);
    const before = await position(hub);
    let now = before;
    const watch = async (): Promise<void> => {
      while (await isServing()) now = await position(hub);
    };
    await killMeanwhile(place, watch, () => now !== before, 50);
  }
  const serving = await serve(place);
  expect((await anna.get(page)).status).toBe(200);
  await serving.stop();
  await hub.close();
  await expectWhole();
});

/** Whoever takes over after a kill finds each post and each comment once, the report of one import, and no file that nobody needs. */
async function expectWhole(): Promise<void> {
  const hub = await openPlace(place, 600);
  await runDue(hub);
  const rows = posts * 1.2;
  const runs = await hub.db.selectFrom("import_run").select(["state", "blob", "report"]).execute();
  expect(runs).toMatchObject([{ state: "done", blob: "" }]);
  expect(JSON.parse(runs[0]!.report).sections.item).toEqual({ found: rows, imported: rows, there: 0, left: {} });
  const items = await hub.db.selectFrom("item").select(["parent", "thr_parent_id", "item_thread_top"]).execute();
  const [tops, answers] = [1, 0].map((top) => items.filter(({ item_thread_top }) => item_thread_top === top));
  expect([tops!.length, answers!.length]).toEqual([posts, posts * 0.2]);
  expect(answers!.filter(({ thr_parent_id }) => thr_parent_id === 0)).toEqual([]);
  const { statuses_count } = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select("statuses_count")
    .where("channel_address", "=", "alice")
    .executeTakeFirstOrThrow();
  expect(statuses_count).toBe(posts);
  expect(await checkFiles(hub, { repair: false, tell: () => undefined })).toMatchObject({ lost: { count: 0 } });
  await hub.close();
}

async function position(hub: Hub): Promise<string> {
  const runs = await hub.db.selectFrom("import_run").select(["state", "progress"]).execute();
  return JSON.stringify(runs);
}

async function isServing(): Promise<boolean> {
  return fetch(`${place.url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function browser(): Visitor {
  const request = (url: string, init: RequestInit): Promise<Response> => fetch(url, { ...init, redirect: "manual" });
  return visitorOf({ request }, new URL(place.url).host);
}
