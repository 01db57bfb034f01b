import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeChannel, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { upload } from "../cloud/upload.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { postItem } from "../items/posting/post.ts";
import { blobEntry, elsewhereEntry, fileEntry, itemsEntry, readEntryName } from "./archive-layout.ts";
import { exportArchive } from "./archive.ts";
import type { ArchiveProgress } from "./archive.ts";
import { exportChannel } from "./export-channel.ts";
import { monthsBefore } from "./months-before.ts";

let hub: TestHub;
let alma: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  alma = await makeChannel(hub, "alma");
  await postItem(hub, alma, { body: "a post" });
  for (const filename of ["one.bin", "two.bin", "three.bin"]) {
    const bytes = Buffer.alloc(12_000_000, filename);
    const staged = await hub.blobs.stage(Readable.from([bytes]), bytes.length);
    await upload(hub, alma, alma, staged, { filename, type: "application/octet-stream", folder: { hash: "" } });
  }
});
afterAll(() => hub.close());

/** The kept files that this process has open. */
const opened = () =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(join(hub.config.dataDir, "blobs")) ? [path] : [];
    } catch {
      return [];
    }
  });

const staging = () => readdirSync(join(hub.config.dataDir, "blobs", "staging"));

test("an archive is made while it is read, and tells how far it is", async () => {
  const told: ArchiveProgress[] = [];
  let bytes = 0;
  for await (const chunk of exportArchive(hub, alma, (progress) => told.push({ ...progress }))) bytes += chunk.length;
  expect(told).toHaveLength(12);
  expect(told[0]).toMatchObject({ entries: 1, items: 0, itemsTotal: 1, files: 0 });
  expect(told.at(-1)).toMatchObject({ entries: 12, items: 1, itemsTotal: 1, files: 3 });
  expect(bytes % 512).toBe(0);
  expect(bytes).toBeGreaterThan(36_000_000);
  expect(staging()).toEqual([]);
});

test("whoever goes away in the middle leaves nothing behind", async () => {
  const told: ArchiveProgress[] = [];
  const reader = exportArchive(hub, alma, (progress) => told.push({ ...progress })).getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(staging).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told.length).toBeLessThan(12);
});

test("whoever goes away while a file is being opened leaves it closed", async () => {
  let goAway = (): Promise<void> => Promise.resolve();
  let meanwhile: string[] = [];
  const read: TestHub["blobs"]["read"] = async (...where) => {
    const bytes = await hub.blobs.read(...where);
    meanwhile = opened();
    await goAway();
    return bytes;
  };
  const reader = exportArchive({ ...hub, blobs: { ...hub.blobs, read } }, alma).getReader();
  goAway = () => reader.cancel();
  await expect.poll(() => meanwhile).not.toEqual([]);
  await expect.poll(opened).toEqual([]);
});

test("a failure reaches the reader", async () => {
  const broken = { ...hub, blobs: { ...hub.blobs, stage: () => Promise.reject(new Error("the disk is gone")) } };
  const reading = async () => {
    for await (const chunk of exportArchive(broken, alma)) expect(chunk).toBeDefined();
  };
  await expect(reading()).rejects.toThrow("the disk is gone");
});

test("what is added after the beginning is not in an export", async () => {
  const pieces = await exportChannel(hub, alma, { posts: true });
  await postItem(hub, alma, { body: "too late" });
  const text = (await Array.fromAsync(pieces)).join("");
  expect((JSON.parse(text) as { item: { body: string }[] }).item.map(({ body }) => body)).toEqual(["a post"]);
});

test("names of entries are read as they are made", () => {
  const hash = "ab".repeat(32);
  expect(readEntryName("channel.json")).toEqual({ kind: "channel" });
  expect(readEntryName(elsewhereEntry)).toEqual({ kind: "elsewhere" });
  expect(readEntryName(itemsEntry(1))).toEqual({ kind: "items" });
  expect(readEntryName(fileEntry(1_234_567))).toEqual({ kind: "file" });
  expect(readEntryName(blobEntry(hash, 3))).toEqual({ kind: "blob", hash, revision: 3 });
  for (const name of ["", "../channel.json", "blobs/../x-1", `blobs/${hash}`, "files/a.json", "items/1.json/x"])
    expect(readEntryName(name)).toBeUndefined();
});

test.each([
  ["2026-03-31T12:00:00Z", 3, "2025-12-31 12:00:00"],
  ["2026-05-31T12:00:00Z", 3, "2026-02-28 12:00:00"],
  ["2026-01-15T00:00:00Z", 3, "2025-10-15 00:00:00"],
])("%s less %i months is %s", (moment, months, expected) => {
  expect(monthsBefore(new Date(moment), months)).toBe(expected);
});
