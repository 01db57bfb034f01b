import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { uploadPhotoFor } from "../cloud/channel-photos.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { folderPlace } from "../../storage/places/folder.ts";
import { retained } from "./retained.ts";
import { backUpWhenDue } from "./scheduled.ts";
import { backupState } from "./state.ts";

const folder = mkdtempSync(join(tmpdir(), "hubbub-backups-"));
const to = join(folder, "to");
let hub: TestHub;
let alma: Channel;
beforeAll(async () => {
  mkdirSync(to);
  hub = await openTestHub({ env: { HUBBUB_BACKUP_TO: to, HUBBUB_BACKUP_HOURS: "24" } });
  alma = await makeChannel(hub, "alma");
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});

const made = (): string[] =>
  readdirSync(to)
    .filter((name) => name.includes(".database."))
    .toSorted();

test("they are made when it is time, told, and kept by rule with the blobs that they need", async () => {
  expect(await backupState(hub)).toMatchObject({ last: undefined, isDue: true, isLate: true });
  await backUpWhenDue(hub);
  await backUpWhenDue(hub);
  expect(made()).toEqual(["hubbub-20260301T120000.database.gz"]);
  expect(await backupState(hub)).toMatchObject({ last: "2026-03-01 12:00:00", isLate: false });
  for (let day = 0; day < 9; day++) {
    hub.advance(24 * 3600);
    await backUpWhenDue(hub);
  }
  expect(made().map((name) => name.slice(7, 15))).toEqual(
    ["01", "04", "05", "06", "07", "08", "09", "10"].map((day) => `202603${day}`),
  );
  hub.advance(49 * 3600);
  expect(await backupState(hub)).toMatchObject({ isLate: true });
});

test("blobs that none of them needs go, after a while; others stay", async () => {
  const place = folderPlace(to);
  const blobs = async () => (await Array.fromAsync(place.list("blobs/"))).map(({ name }) => name).toSorted();
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#2266aa" } })
    .png()
    .toBuffer();
  const staged = await hub.blobs.stage(Readable.from([picture]), picture.length);
  await uploadPhotoFor(hub, "profile", alma, staged, { filename: "a.png", type: "image/png" });
  // Files are from now, whatever the hub's clock says: to it this one is new, and then old.
  await place.put("blobs/zz/zz-forgotten.0", Readable.from(["x"]));
  await backUpWhenDue(hub);
  const found = await blobs();
  expect(found).toContain("blobs/zz/zz-forgotten.0");
  expect(found.length).toBeGreaterThan(1);
  hub.setClock("2040-01-01T00:00:00Z");
  await backUpWhenDue(hub);
  expect(await blobs()).toEqual(found.filter((name) => name !== "blobs/zz/zz-forgotten.0"));
});

test("of days, weeks and months the newest stays", () => {
  const stamps: string[] = [];
  for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2026, 6, 1); at += 12 * 3600 * 1000)
    stamps.push(new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, ""));
  const stays = [...retained(stamps)].toSorted();
  const months = ["0731", "0831", "0930", "1031", "1130", "1231"].map((day) => `2025${day}`);
  const since = ["0131", "0228", "0331", "0430", "0531", "0614", "0621"];
  const week = ["0624", "0625", "0626", "0627", "0628", "0629", "0630"];
  expect(stays.map((stamp) => stamp.slice(0, 8))).toEqual([
    ...months,
    ...[...since, ...week].map((day) => `2026${day}`),
  ]);
  expect(stays.every((stamp) => stamp.endsWith("T120000"))).toBe(true);
  expect(retained([])).toEqual(new Set());
});
