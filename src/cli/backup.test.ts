import { observerOf } from "../domain/identity/channels/observer.ts";
import { gunzipSync, gzipSync } from "node:zlib";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  hubbub,
  hubbubJson,
  hubbubProcess,
  makePeople,
  emptyPlace,
  newPlace,
  openPlace,
  post,
  serve,
  textsOf,
} from "../../test/support/command.ts";
import type { Place } from "../../test/support/command.ts";
import { onPostgres } from "../../test/support/hub.ts";
import { readConfig } from "../config/config.ts";
import type { DatabaseSettings } from "../config/database.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import { uploadPhotoFor } from "../domain/cloud/channel-photos.ts";
import { searchStatuses } from "../domain/items/timelines/search.ts";
import { avatarOf } from "../domain/photos/avatar.ts";
import type { Hold } from "../storage/hold.ts";
import { takeHold } from "../storage/hold.ts";

let place: Place;
let file: string;
beforeAll(async () => {
  place = await newPlace();
  file = join(place.folder, "hubbub.backup.gz");
  await makePeople(place, "anna", "ben");
  const hub = await openPlace(place);
  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#2266aa" } })
    .png()
    .toBuffer();
  const staged = await hub.blobs.stage(Readable.from([picture]), picture.length);
  const anna = (await findChannelByNick(hub, "anna"))!;
  await uploadPhotoFor(hub, "profile", anna, staged, { filename: "anna.png", type: "image/png" });
  await hub.close();
});
afterAll(() => place.remove());

type Written = { file: string; bytes: number; rows: Record<string, number>; blobs: number };

test("a backup of a hub that is being written to holds everything that was acknowledged before", async () => {
  const running = await serve(place);
  const texts: string[] = [];
  let posting = true;
  const posters = ["a", "b"].map(async (poster) => {
    for (let number = 0; posting; number++) {
      const text = `post ${poster}${number} \u2028 "ü" 🙂 end`;
      if ((await post(place, "anna", text)) !== undefined) texts.push(text);
    }
  });
  await expect.poll(() => texts.length, { interval: 10 }).toBeGreaterThan(9);
  const before = [...texts];
  const { stdout } = await hubbubProcess(place, ["backup", file, "--json"]);
  const written = JSON.parse(stdout) as Written;
  posting = false;
  await Promise.all(posters);
  expect([await running.stop(), running.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
  expect(written).toMatchObject({ file, bytes: statSync(file).size, blobs: 5 });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const other = await emptyPlace({ HUBBUB_BASE_URL: `http://localhost:${place.env["HUBBUB_PORT"]}` });
  expect(await hubbubJson(other, "restore", file)).toMatchObject({ rows: written.rows, blobs: written.blobs });
  const restored = await openPlace(other);
  const own = await textsOf(restored, "anna", "post ");
  expect(own.length).toBe(new Set(own).size);
  expect(before.filter((text) => !own.includes(text))).toEqual([]);
  expect((await avatarOf(restored, 1, "l")).bytes.length).toBeGreaterThan(100);
  const anna = (await findChannelByNick(restored, "anna"))!;
  const found = await searchStatuses(restored, observerOf(anna), "post end", { count: 200, skip: 0 });
  expect(found.length).toBe(Math.min(200, own.length));
  await restored.close();

  // The second hub goes on where the first one was: what waited is delivered, and new ids are beyond the old ones.
  const again = await serve(other);
  await expect.poll(async () => (await textsIn(other, "ben")).toSorted()).toEqual(own.toSorted());
  expect(await post(other, "ben", "still here")).toBeGreaterThan(written.rows["item"]!);
  await again.stop();
  await other.remove();
});

async function textsIn(place: Place, nick: string): Promise<string[]> {
  const hub = await openPlace(place);
  const texts = await textsOf(hub, nick, "post ");
  await hub.close();
  return texts;
}

test("ids that were given out before the backup are never given out again", async () => {
  const hub = await openPlace(place);
  const { id } = await addSetting(place);
  await hub.db.deleteFrom("config").where("id", "=", id).execute();
  await hub.close();
  await hubbubJson(place, "backup", file);
  const other = await emptyPlace();
  await hubbubJson(other, "restore", file);
  expect((await addSetting(other)).id).toBe(id + 1);
  expect((await addSetting(other)).id).toBe(id + 2);
  // Neither those of the hub that is replaced.
  await hubbubJson(other, "restore", file, "--force");
  expect((await addSetting(other)).id).toBe(id + 3);
  await other.remove();
});

async function addSetting(place: Place): Promise<{ id: number }> {
  const hub = await openPlace(place);
  const values = { uid: 1, cat: "test", k: `k${Math.random()}`, v: "", updated: "2026-01-01 00:00:00" };
  const row = await hub.db.insertInto("config").values(values).returning("id").executeTakeFirstOrThrow();
  await hub.close();
  return row;
}

test("a hub with accounts is not replaced by mistake", async () => {
  const { code, stderr } = await hubbub(place, ["restore", file]);
  expect([code, stderr]).toEqual([
    1,
    "This hub has accounts: restore into an empty one, or replace everything here with --force.\n",
  ]);
});

test("a backup that is damaged, cut off or from the future changes nothing", async () => {
  const whole = gunzipSync(readFileSync(file));
  const lines = whole.toString().trimEnd().split("\n");
  const broken: [Buffer, RegExp][] = [
    [gzipSync(lines.slice(0, -1).join("\n")), /not whole/],
    [readFileSync(file).subarray(0, -200), /not whole|damaged/],
    [gzipSync(lines.filter((line) => !line.includes('"anna@example.org"')).join("\n")), /damaged/],
    [gzipSync(whole.toString().replace('"migration":"0', '"migration":"9')), /newer than this one: update first/],
    [gzipSync(whole.toString().replace('"hubbub_backup":1', '"hubbub_backup":3')), /newer program/],
  ];
  const accounts = await hubbubJson(place, "account", "list");
  const files = listOf(place);
  const empty = await emptyPlace();
  const bad = join(place.folder, "bad.gz");
  for (const [bytes, sentence] of broken) {
    writeFileSync(bad, bytes);
    const calls = [
      hubbub(place, ["restore", bad, "--force"]),
      hubbub(empty, ["restore", bad]),
      hubbub(empty, ["backup", "verify", bad]),
    ];
    for (const { code, stdout, stderr } of await Promise.all(calls))
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(sentence)]);
  }
  expect(await hubbubJson(place, "account", "list")).toEqual(accounts);
  rmSync(bad);
  expect(listOf(place)).toEqual(files);
  expect(listOf(empty)).toEqual([]);
  await empty.remove();
});

/** What lies in a place, without the files that a database makes as it needs them. */
function listOf({ folder }: Place): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return all
    .map(({ name }) => name)
    .filter((name) => !/-(wal|shm|held)$/.test(name))
    .toSorted();
}

test("a backup can be restored for a look and compared, without a hub", async () => {
  const { rows, blobs } = await hubbubJson<Written>(place, "backup", file);
  const nowhere = { env: { HUBBUB_DATA: join(place.folder, "nowhere") } };
  const verified = await hubbubJson(nowhere, "backup", "verify", file);
  expect(verified).toMatchObject({ file, rows, blobs, base_url: expect.stringMatching(/^http/) });
  expect(readdirSync(place.folder)).not.toContain("nowhere");
  const flipped = readFileSync(file);
  flipped[Math.floor(flipped.length / 2)]! ^= 1;
  const bad = join(place.folder, "flipped.gz");
  writeFileSync(bad, flipped);
  expect(await hubbub(nowhere, ["backup", "verify", bad])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/damaged/),
  });
});

test("a backup is called damaged also where the database refuses what the damage made of a row", async () => {
  const nowhere = { env: { HUBBUB_DATA: join(place.folder, "nowhere") } };
  const lines = gunzipSync(readFileSync(file)).toString().split("\n");
  const first = lines.findIndex((line) => line.startsWith('{"table":"account"')) + 1;
  lines[first] = JSON.stringify((JSON.parse(lines[first]!) as unknown[]).map(() => null));
  // The sum behind the file is still that of the row as it was.
  const sum = readFileSync(file).subarray(-8);
  const bad = join(place.folder, "refused.gz");
  writeFileSync(bad, Buffer.concat([gzipSync(lines.join("\n")).subarray(0, -8), sum]));
  expect(await hubbub(nowhere, ["backup", "verify", bad])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/damaged/),
  });
  rmSync(bad);
});

test("files that are there are not written again, all is sealed, and only who has the other half reads it", async () => {
  const to = join(place.folder, "kept");
  mkdirSync(to);
  const { identity, key } = await hubbubJson<{ identity: string; key: string }>(place, "backup", "key");
  const half = join(place.folder, "identity");
  writeFileSync(half, `# mine\n${identity}\n`);
  const sealing = { env: { ...place.env, HUBBUB_BACKUP_KEY: key } };
  const first = await hubbubJson<Written & { sent: number }>(sealing, "backup", "--beside", to);
  expect([first.sent, first.blobs]).toEqual([first.blobs, 5]);
  const again = await hubbubJson<Written & { sent: number }>(sealing, "backup", "--beside", to);
  expect([again.sent, again.blobs]).toEqual([0, 5]);
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".age")))
    expect(readFileSync(join(to, name)).toString("latin1")).toMatch(/^age-encryption\.org\/v1\n/);
  expect(await hubbub(place, ["backup", "verify", again.file])).toMatchObject({
    code: 1,
    stderr: "The backup is sealed: name the file with the private half of its key (--identity).\n",
  });
  expect(await hubbubJson(place, "backup", "verify", again.file, "--identity", half)).toMatchObject({
    rows: again.rows,
    blobs: 5,
  });
  const other = await emptyPlace();
  expect(await hubbubJson(other, "restore", again.file, "--identity", half)).toMatchObject({
    rows: again.rows,
    blobs: 5,
  });
  const restored = await openPlace(other);
  const names = await Array.fromAsync(restored.blobs.kept());
  expect(names.length).toBe(5);
  await restored.close();

  await findsDamage(again.file, /\.age$/, half);
  // Sealed ones are no good to who has no key.
  const plain = await hubbubJson<Written & { sent: number }>(place, "backup", "--beside", to);
  expect(plain.sent).toBe(5);
  await findsDamage(plain.file, /\.[0-9a-f]{64}$/, half);
  expect(await hubbubJson(other, "restore", plain.file, "--force")).toMatchObject({ rows: plain.rows, blobs: 5 });
  await other.remove();
});

/** A blob that is gone or that somebody has changed is found. */
async function findsDamage(file: string, name: RegExp, identity: string): Promise<void> {
  const folder = join(place.folder, "kept", "blobs");
  const blob = join(
    folder,
    readdirSync(folder, { recursive: true, encoding: "utf8" }).find((one) => name.test(one))!,
  );
  const bytes = readFileSync(blob);
  const verify = () => hubbub(place, ["backup", "verify", file, "--identity", identity]);
  const last = bytes.length - 1;
  writeFileSync(blob, bytes.with(last, bytes[last]! ^ 1));
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringMatching(/damaged: blobs.*not what was/) });
  rmSync(blob);
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringMatching(/not whole: blobs.*missing/) });
  writeFileSync(blob, bytes);
  expect(await verify()).toMatchObject({ code: 0 });
}

// It takes both engines, so it has its place in one of the two runs.
if (onPostgres) {
  test("each engine reads the backups of the other", async () => {
    const small = await emptyPlace();
    small.env["HUBBUB_DATABASE_URL"] = `sqlite:${join(small.folder, "hubbub.db")}`;
    const back = await emptyPlace();
    await hubbubJson(place, "backup", file);
    await hubbubJson(small, "restore", file);
    const there = join(small.folder, "there.gz");
    await hubbubJson(small, "backup", there);
    await hubbubJson(back, "restore", there);
    await hubbubJson(back, "backup", join(back.folder, "back.gz"));
    const [first, second, third] = [file, there, join(back.folder, "back.gz")].map(contentOf);
    // A restored hub remembers from when it is.
    const same = (lines: string[]): string[] =>
      lines
        .filter((line) => !/^\["(?:restored_from|has_missed|last_backup)"/.test(line))
        .map((line) => line.replace(/"setting":\d+/, ""));
    expect(same(second!)).toEqual(same(first!));
    expect(same(third!)).toEqual(same(first!));
    for (const one of [small, back]) await one.remove();
  });
}

test("nothing is restored under a hub that runs, and no hub starts under a restore", async () => {
  const { database } = readConfig(place.env);
  for (const command of ["serve", "work"] as const) {
    const running = await serve(place, { command });
    expect(await hubbub(place, ["restore", file, "--force"])).toMatchObject({
      code: 1,
      stderr: "A hub is running on this database: stop it (every `serve` and `work`), then restore.\n",
    });
    expect(await takeHold(database, "alone")).toBeUndefined();
    await running.stop("SIGKILL");
  }
  const alone = await untilAlone(database);
  expect(await hubbub(place, ["serve"])).toMatchObject({
    code: 1,
    stderr: "A backup is being restored into this database: start when that is done.\n",
  });
  await alone.release();
});

test("a folder gets a file named after the time; a backup that fails leaves nothing behind", async () => {
  const { file: made } = await hubbubJson<Written>(place, "backup", place.folder);
  expect(made).toMatch(/hubbub-\d{8}T\d{6}\.backup\.gz$/);
  expect((await hubbub(place, ["backup", join(place.folder, "nowhere", "x.gz")])).code).toBe(1);
  expect(readdirSync(place.folder).filter((name) => name.includes("partial"))).toEqual([]);
});

/** A server notices by and by that a process is gone. */
async function untilAlone(database: DatabaseSettings): Promise<Hold> {
  let hold: Hold | undefined;
  await expect.poll(async () => (hold = await takeHold(database, "alone"))).toBeDefined();
  return hold!;
}

/** The rows of a backup, in an order and in a form that both engines share. */
function contentOf(backup: string): string[] {
  const lines = gunzipSync(readFileSync(backup)).toString().trimEnd().split("\n");
  return (
    lines
      .slice(1)
      // Each place has a mark of its own.
      .filter((line) => !line.startsWith('["data_folder"'))
      .map((line) => JSON.stringify(JSON.parse(line)))
      .toSorted()
  );
}
