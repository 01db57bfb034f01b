import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../config/config.ts";
import { openHub } from "../hub.ts";
import { runDue } from "../jobs/runner.ts";
import type { KeyPair } from "../keys.ts";
import { hubbub, hubbubJson, hubbubProcess, makePeople, newPlace, openPlace } from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { onPostgres, takeKeys } from "../../test/support/hub.ts";
import { channelExport, jsonFile, longExport } from "../../test/support/hubzilla.ts";
import type { Json } from "../../test/support/hubzilla.ts";
import { size } from "../../test/support/size.ts";

let place: Place;
let keys: KeyPair;

beforeEach(async () => {
  place = await newPlace();
  keys ??= (await takeKeys()).rsa;
  await makePeople(place, "anna");
});

afterEach(() => place.remove());

const command = ["channel", "import"];
const account = ["--account", "anna@example.org"];

describe("hubbub channel import", () => {
  test("brings a channel and says what it did", async () => {
    const file = jsonFile(channelExport(keys));
    const { code, stdout } = await hubbub(place, [...command, file, ...account, "--make-primary", "--nick", "lis"]);
    expect(stdout).toContain("Channel lis is here.");
    expect(stdout).toMatch(/abook +2 +1 +0 +1/);
    expect(stdout).toContain("abook: 1 left out because its identity is not in the export");
    expect(stdout).toContain("The channel goes on at the old place, too, and each place by itself");
    expect(code).toBe(0);
    const channels = await hubbubJson<{ nick: string }[]>(place, "channel", "list");
    expect(channels.map(({ nick }) => nick)).toEqual(["anna", "lis"]);
  });

  test("only looks with --dry-run", async () => {
    const file = jsonFile(channelExport(keys));
    const answer = await hubbubJson<any>(place, ...command, file, ...account, "--dry-run");
    expect(answer).toMatchObject({ dry_run: true, report: { sections: { channel: { imported: 1 } } } });
    expect(await hubbubJson(place, "channel", "list")).toHaveLength(1);
  });

  test.each([
    [["nowhere.json", ...account], 2, "There is no file nowhere.json"],
    [["https://hub.example", ...account], 2, "--login"],
    [["x.json", "--account", "nobody@example.org"], 1, "nobody@example.org"],
    [["x.json"], 2, "--account"],
  ])("refuses %j", async (args, expected, sentence) => {
    const { code, stderr } = await hubbub(place, [...command, ...args]);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(sentence)]);
  });

  test("says in one sentence where an archive breaks off", async () => {
    const file = join(place.folder, "anna.tar");
    await hubbub(place, ["channel", "export", "anna", "--archive", "--out", file]);
    writeFileSync(file, readFileSync(file).subarray(0, 3000));
    const { code, stderr } = await hubbub(place, [...command, file, ...account]);
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toMatch(/The archive is damaged or cut off: .*channel\.json/);
  });

  test("says in one sentence why an export is refused", async () => {
    const value = channelExport(keys);
    value["channel"].channel_guid += "x";
    const { code, stderr } = await hubbub(place, [...command, jsonFile(value), ...account]);
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("forged");
  });
});

describe("hubbub channel import from another hub", () => {
  const told: string[] = [];
  const asked: string[] = [];
  const old = new Hono();
  old.use(async (context, next) => (asked.push(context.req.path), next()));
  old.get("/api/z/1.0/version", (context) => context.json({ version: "1" }));
  old.get("/api/z/1.0/channel/export/basic", (context) => context.json(exported));
  old.post("/api/z/1.0/channel/moved", async (context) => {
    told.push(await context.req.text());
    return context.json({});
  });
  let exported: Json;
  let url: string;
  const server = createAdaptorServer({ fetch: old.fetch });

  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test("asks a private network only when the operator says so, and tells the old hub of the move", async () => {
    exported = { ...channelExport(keys), relocate: { channel_address: "alice", url } };
    for (const xchan of exported["xchan"]) xchan.xchan_photo_l = `${url}/photo.png`;
    const passwords = join(place.folder, "password.txt");
    writeFileSync(passwords, "a secret of long ago");
    const args = [...command, url, ...account, "--moving", "--login", "alice", "--password-file", passwords];
    const refused = await hubbub(place, args);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("This address is not public")]);
    expect(asked).toEqual([]);
    const open = { ...place, env: { ...place.env, HUBBUB_IMPORT_FROM: "10.0.0.0/8, 127.0.0.1" } };
    const { report } = await hubbubJson<any>(open, ...args);
    expect(report.sections.channel).toMatchObject({ imported: 1 });
    expect(report.warnings).toContainEqual(expect.stringContaining("The old hub was told"));
    expect(told).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(told[0]))).toMatchObject({ channel: "alice", nick: "alice" });
    // What strangers name in an export is asked of nobody in there.
    const hub = await openHub(readConfig(open.env));
    await runDue(hub);
    const waiting = await hub.db.selectFrom("job").select("name").where("name", "=", "fetch-avatar").execute();
    await hub.close();
    expect(waiting).toEqual([]);
    expect(asked).not.toContain("/photo.png");
  });

  test.each(["10.0.0.0/33", "http://10.0.0.1", "10.0.0.300", "::1/129"])("refuses the setting %s", async (given) => {
    const { code, stderr } = await hubbub({ env: { ...place.env, HUBBUB_IMPORT_FROM: given } }, ["channel", "list"]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("HUBBUB_IMPORT_FROM")]);
    expect(code).not.toBe(0);
  });
});

test("killed in the middle and called again it goes on where it was", async () => {
  const posts = 600;
  const file = join(place.folder, "long.json");
  await longExport(file, keys, posts);
  let killed = 0;
  // Short enough that no machine comes to the end before the last call.
  for (const milliseconds of [600, 800, 1000]) {
    const child = spawn(
      process.execPath,
      [resolve(import.meta.dirname, "../../bin/hubbub.ts"), ...command, file, ...account],
      {
        env: { PATH: process.env["PATH"], ...place.env },
        stdio: "ignore",
      },
    );
    const ended = new Promise<string | null>((done) => child.once("close", (_code, signal) => done(signal)));
    await sleep(milliseconds);
    child.kill("SIGKILL");
    if ((await ended) === "SIGKILL") killed += 1;
  }
  expect(killed).toBeGreaterThan(0);
  const { report } = await hubbubJson<any>(place, ...command, file, ...account);
  expect(report.sections.item).toEqual({ found: posts * 1.2, imported: posts * 1.2, there: 0, left: {} });
  const hub = await openPlace(place);
  const counted = await hub.db
    .selectFrom("item")
    .select((x) => x.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const answered = await hub.db
    .selectFrom("item")
    .select("id")
    .where("item_thread_top", "=", 0)
    .where("thr_parent_id", "=", 0)
    .execute();
  const channel = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select("statuses_count")
    .where("channel_address", "=", "alice")
    .executeTakeFirst();
  const runs = await hub.db.selectFrom("import_run").select("state").execute();
  await hub.close();
  expect([Number(counted.count), answered.length, channel?.statuses_count]).toEqual([posts * 1.2, 0, posts]);
  expect(runs).toEqual([{ state: "done" }]);
});

// What is read takes the memory; what is written goes in small pieces on both engines.
test.skipIf(onPostgres)("a long export takes no more memory than a short one", { timeout: 600_000 }, async () => {
  const [short, long] = [join(place.folder, "short.json"), join(place.folder, "long.json")];
  await longExport(short, keys, posts / 10, each);
  await longExport(long, keys, posts, each);
  expect(statSync(long).size).toBeGreaterThan(heap * 2 ** 20);
  const few = await peakOf([...command, short, ...account]);
  const many = await peakOf([...command, long, ...account]);
  expect(many - few).toBeLessThan(100 * 1024);
});

/** Few posts with much in them that nobody reads are enough to see whether it grows; texts of that length take minutes. */
const [posts, each] = [size(700, 12_000), { sentences: 100, padding: size(125_000, 0) }];

/**
 * Megabytes that JavaScript may take: less than the long export has, and little room for rubbish that waits to be cleared.
 * With 60 of them it does next to nothing but clear.
 */
const heap = 80;

/** The most memory of its own (kB) that a command ever had; the database file, which is mapped, is not counted. */
async function peakOf(args: string[]): Promise<number> {
  const report = join(place.folder, "peak.txt");
  const preload = join(place.folder, "peak.cjs");
  writeFileSync(
    preload,
    `const fs = require("node:fs");
    let peak = 0;
    const look = () => {
      peak = Math.max(peak, Number(/RssAnon:\\s+(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]));
      fs.writeFileSync(${JSON.stringify(report)}, String(peak));
    };
    setInterval(look, 50).unref();
    process.on("exit", look);`,
  );
  const env = { ...place.env, NODE_OPTIONS: `--max-old-space-size=${heap} --require ${preload}` };
  const { code, stderr } = await hubbubProcess({ env }, args);
  if (code !== 0) throw new Error(stderr);
  return Number(readFileSync(report, "utf8"));
}
