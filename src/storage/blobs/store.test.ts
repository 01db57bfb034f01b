import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { warnWithoutSwift, hasSwift } from "../../../test/support/find-swift.ts";
import { startS3Server } from "../../../test/support/s3-server.ts";
import type { S3Server } from "../../../test/support/s3-server.ts";
import { directoryBlobs } from "./directory.ts";
import { movingBlobs } from "./moving.ts";
import { readS3Place } from "../../config/storage-places.ts";
import { s3Objects } from "../s3/objects.ts";
import { s3Blobs } from "./s3.ts";
import type { BlobStore } from "./store.ts";

let server: S3Server | undefined;
beforeAll(async () => void (server = hasSwift ? await startS3Server() : warnWithoutSwift()));
afterAll(() => server?.stop());

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function directory(): BlobStore {
  return directoryBlobs(newFolder());
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  folders.push(folder);
  return folder;
}

async function bucket(prefix = ""): Promise<BlobStore> {
  const { name, url } = await server!.bucket();
  return s3Blobs(readS3Place(url.replace(`${name}?`, `${name}${prefix}?`))!, newFolder());
}

/** What every store promises: each has an entry here. */
const stores: Record<string, () => Promise<BlobStore> | BlobStore> = {
  "in a directory": directory,
  ...(hasSwift && {
    "on S3": () => bucket(),
    "on S3 below a prefix": () => bucket("/of/ours"),
    "on its way from a directory to S3": async () => movingBlobs(await bucket(), directory()),
    "on its way from S3 to a directory": async () => movingBlobs(directory(), await bucket()),
  }),
};

describe.each(Object.entries(stores))("a blob store %s", (_where, open) => {
  let store: BlobStore;
  beforeAll(async () => void (store = await open()));

  const stage = (text: string, limit = 100) => store.stage(Readable.from([Buffer.from(text)]), limit);
  const textOf = async (...where: Parameters<BlobStore["read"]>) =>
    (await buffer(await store.read(...where))).toString();
  const names = async () => (await Array.fromAsync(store.kept())).map(({ name }) => name).toSorted();

  test("stages bytes, which nobody has until they are kept under a name", async () => {
    const staged = await stage("hello");
    expect(staged).toMatchObject({ size: 5, sha256: expect.stringMatching(/^2cf24dba5fb0a30e/) });
    expect([await textOf(staged), await names()]).toEqual(["hello", []]);
    await store.keep(staged, "one");
    expect([await textOf("one"), await store.size("one"), await names()]).toEqual(["hello", 5, ["one"]]);
    await expect(store.read(staged)).rejects.toMatchObject({ kind: "missing" });
  });

  test("refuses more than the limit, and keeps nothing of it", async () => {
    await expect(stage("much too long", 5)).rejects.toMatchObject({ code: "file_too_large" });
    expect((await stage("exact", 5)).size).toBe(5);
  });

  test("reads parts, up to the end", async () => {
    await store.keep(await stage("0123456789"), "digits");
    expect([await textOf("digits", 3, 4), await textOf("digits", 8, 9), await textOf("digits", 10)]).toEqual([
      "3456",
      "89",
      "",
    ]);
    const parts = [
      await store.readAt("digits", 2, 3),
      await store.readAt("digits", 8, 5),
      await store.readAt("digits", 20, 5),
    ];
    expect(parts.map(String)).toEqual(["234", "89", ""]);
  });

  test("says of what is not there that it is missing", async () => {
    await expect(store.read("nothing")).rejects.toMatchObject({ kind: "missing" });
    await expect(store.readAt("nothing", 0, 1)).rejects.toMatchObject({ kind: "missing" });
    expect(await store.size("nothing")).toBeUndefined();
    await store.remove("nothing");
  });

  test("gives a name to the bytes that come last", async () => {
    await store.keep(await stage("first"), "same");
    await store.keep(await stage("second"), "same");
    expect(await textOf("same")).toBe("second");
  });

  test("removes, and puts aside", async () => {
    for (const name of ["gone", "aside"]) await store.keep(await stage(name), name);
    await store.remove("gone");
    await store.setAside("aside");
    expect((await names()).filter((name) => /gone|aside/.test(name))).toEqual([]);
    const staged = await stage("never kept");
    await store.remove(staged);
    await expect(store.read(staged)).rejects.toMatchObject({ kind: "missing" });
  });

  test("sweeps what was staged before a moment, and nothing newer or kept", async () => {
    const staged = await stage("forgotten");
    await store.sweep(new Date(Date.now() - 60_000));
    expect(await textOf(staged)).toBe("forgotten");
    const before = await names();
    await store.sweep(new Date(Date.now() + 60_000));
    await expect(store.read(staged)).rejects.toMatchObject({ kind: "missing" });
    expect(await names()).toEqual(before);
  });

  test("has a mark that counts once it is settled", async () => {
    const { mark } = store;
    const first = await mark.offer();
    expect([await mark.read(), await mark.settle("another"), await mark.read()]).toEqual([undefined, false, undefined]);
    expect([await mark.settle(first), await mark.settle(first), await mark.read()]).toEqual([true, true, first]);
    await mark.remove();
    expect([await mark.read(), await mark.settle(first)]).toEqual([undefined, false]);
    await mark.withdraw(await mark.offer("second"));
    expect([await mark.settle("second"), await mark.read()]).toEqual([false, undefined]);
  });
});

describe.runIf(hasSwift)("what is large on S3", () => {
  test("goes in parts, is copied in parts, and leaves nothing where it ends before its end", async () => {
    const { name, url } = await server!.bucket();
    const place = readS3Place(url)!;
    const blobs = s3Blobs(place, newFolder(), { part: 4, piece: 4 });
    const objects = s3Objects(place, { part: 4, piece: 4 });
    await blobs.keep(await blobs.stage(Readable.from([Buffer.from("0123456789")]), 10), "digits");
    expect([await blobs.size("digits"), (await blobs.readAt("digits", 3, 6)).toString()]).toEqual([10, "345678"]);
    await blobs.setAside("digits");
    expect(await objects.text("aside/digits")).toBe("0123456789");
    for (const text of ["", "1234", "12345678"]) {
      await objects.put("exact", Readable.from([Buffer.from(text)]));
      expect(await objects.text("exact")).toBe(text);
    }
    const ends = Readable.from(
      (function* () {
        yield Buffer.from("never whole");
        throw new Error("the source is gone");
      })(),
    );
    await expect(objects.put("exact", ends)).rejects.toThrow("the source is gone");
    expect(await objects.text("exact")).toBe("12345678");
    expect(await server!.uploads(name)).toBe(0);
    await server!.beginUpload(name, "left over");
    await blobs.sweep(new Date(Date.now() - 60_000));
    expect(await server!.uploads(name)).toBe(1);
    await blobs.sweep(new Date(Date.now() + 60_000));
    expect(await server!.uploads(name)).toBe(0);
  });
});
