import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backUpTo } from "../src/domain/backups/back-up.ts";
import { backUpWhenDue } from "../src/domain/backups/scheduled.ts";
import { backupState } from "../src/domain/backups/state.ts";
import { findChannelByNick } from "../src/domain/identity/channels/channels.ts";
import type { BlobStore } from "../src/storage/blobs/store.ts";
import { openPlace } from "../src/storage/places/open.ts";
import { BlobsAway } from "../src/errors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { basic } from "./support/client.ts";
import {
  emptyPlace,
  hubbub,
  hubbubJson,
  makePeople,
  newPlace,
  openPlace as openPlaceHub,
  serve,
} from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { only, put } from "./support/files.ts";
import { warnWithoutSwift, hasSwift } from "./support/find-swift.ts";
import { makeChannel, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { formWith, picture } from "./support/pictures.ts";
import { startS3Server } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** A hub whose files and photos are on a real S3 server, by the doors that people use. */

if (!hasSwift) warnWithoutSwift();

describe.runIf(hasSwift)("blobs on S3", () => {
  let server: S3Server;
  beforeAll(async () => void (server = await startS3Server()));
  afterAll(() => server.stop());

  describe("at the doors", () => {
    let world: TestApp;
    let bucket: string;
    let anna: Person;
    let annaAtHome: Visitor;
    let jpeg: Buffer;
    beforeAll(async () => {
      const { name, url } = await server.bucket();
      bucket = name;
      world = await openTestApp({ env: { HUBBUB_BLOBS_URL: url } });
      anna = await world.person("anna");
      annaAtHome = visitorOf(world.app);
      await annaAtHome.logIn("anna", "correct horse");
      jpeg = await picture(64, 48).jpeg().toBuffer();
    });
    afterAll(() => world.close());

    const kept = async (): Promise<number> =>
      (await server.names(bucket)).filter((name) => name.startsWith("kept/")).length;

    test("files come whole, by parts and not at all to whom they are not for", async () => {
      const text = "0123456789".repeat(20_000);
      const file = await put(world.hub, anna.channel, "digits.txt", text);
      const path = `/attach/${file.hash}`;
      const whole = await annaAtHome.get(path);
      expect([whole.status, whole.text === text]).toEqual([200, true]);
      const etag = whole.headers.get("etag")!;
      const part = await annaAtHome.get(path, { range: "bytes=199990-", "if-range": etag });
      expect([part.status, part.text, part.headers.get("content-range")]).toEqual([
        206,
        "0123456789",
        "bytes 199990-199999/200000",
      ]);
      expect((await annaAtHome.get(path, { range: "bytes=200000-" })).status).toBe(416);
      expect((await annaAtHome.get(path, { "if-none-match": etag })).status).toBe(304);
      const hidden = await put(world.hub, anna.channel, "hidden.txt", "mine", {
        audience: only(anna.channel),
      });
      expect((await annaAtHome.get(`/attach/${hidden.hash}`)).text).toBe("mine");
      expect((await world.anonymous.get(`/attach/${hidden.hash}`)).status).toBe(404);
    });

    test("what is deleted leaves the bucket, and nothing else does", async () => {
      const before = await kept();
      const sent = await anna.send(
        "POST",
        "/api/media/upload.json",
        formWith({}, [["media", jpeg, "tree.jpg", "image/jpeg"]]),
      );
      expect(sent.status).toBe(200);
      expect(await kept()).toBeGreaterThan(before);
      const { resource_id } = await world.hub.db
        .selectFrom("photo")
        .select("resource_id")
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      expect((await anna.post("/api/friendica/photo/delete.json", { photo_id: resource_id })).status).toBe(200);
      world.hub.advance(7200);
      await world.work();
      expect(await kept()).toBe(before);
    });

    test("visitors are sent to the server for what is public, for a minute, and nobody for anything else", async () => {
      const { config } = world.hub;
      const { blobs } = config;
      const shown = await put(world.hub, anna.channel, "public.jpg", jpeg, { type: "image/jpeg" });
      const hidden = await put(world.hub, anna.channel, "hidden.jpg", jpeg, {
        type: "image/jpeg",
        audience: only(anna.channel),
      });
      const saved = await put(world.hub, anna.channel, "public.html", "<p>Hi</p>", { type: "text/html" });
      world.hub.config = { ...config, blobs: { ...blobs, redirect: true } };
      const visitor = visitorOf(world.app);
      for (const path of [`/attach/${shown.hash}`, `/photo/${shown.hash}-0.jpg`]) {
        const sent = await visitor.get(path);
        expect([sent.status, sent.headers.get("cache-control")]).toEqual([302, "public, max-age=30"]);
        const address = new URL(sent.location);
        expect([address.origin, address.searchParams.get("X-Amz-Expires")]).toEqual([server.endpoint, "60"]);
        const bytes = await fetch(address);
        expect([bytes.status, bytes.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
        expect((await bytes.bytes()).length).toBeGreaterThan(100);
        expect((await fetch(sent.location.replace("kept/", "kept/x"))).status).toBe(403);
        expect((await annaAtHome.get(path)).status).toBe(200);
      }
      expect((await visitor.get(`/attach/${saved.hash}`)).status).toBe(200);
      expect((await visitor.get(`/attach/${hidden.hash}`)).status).toBe(404);
      expect((await annaAtHome.get(`/attach/${hidden.hash}`)).status).toBe(200);
      const policy = (await visitor.get("/channel/anna")).headers.get("content-security-policy");
      expect(policy).toContain(`img-src 'self' data: ${server.endpoint};`);
      world.hub.config = config;
      expect((await visitor.get(`/attach/${shown.hash}`)).status).toBe(200);
    });

    test("a wrong key is said to the operator, and to nobody else", async () => {
      const { url } = await server.bucket();
      const wrong = url.replace(/:[^:@]*@/, ":hunter2@");
      const { code, stdout } = await hubbub({ env: { ...placeless, HUBBUB_BLOBS_URL: wrong } }, ["doctor"]);
      expect([code, stdout]).toEqual([1, expect.stringMatching(/FAILED +blobs.*403 SignatureDoesNotMatch/)]);
      expect(stdout).not.toContain("hunter2");
    });
    const placeless = { HUBBUB_DATA: "/nonexistent/hubbub" };
  });

  describe("files move", () => {
    let place: Place;
    let onS3: string;
    let bucket: string;
    beforeAll(async () => {
      place = await newPlace();
      const { name, url } = await server.bucket();
      [bucket, onS3] = [`s3://${name}`, url];
      await makePeople(place, "anna");
    });
    afterAll(() => place.remove());

    const inDirectory = (): string[] => {
      const folder = join(place.folder, "blobs", "kept");
      return existsSync(folder) ? readdirSync(folder).flatMap((part) => readdirSync(join(folder, part))) : [];
    };
    const withBlobs = (at: string, from = "none"): Place => ({
      ...place,
      env: { ...place.env, HUBBUB_BLOBS_URL: at, HUBBUB_BLOBS_FROM_URL: from },
    });
    const add = async (where: Place, ...names: string[]): Promise<string[]> => {
      const hub = await openPlaceHub(where);
      const anna = (await findChannelByNick(hub, "anna"))!;
      const hashes: string[] = [];
      for (const name of names) hashes.push((await put(hub, anna, name)).hash);
      await hub.close();
      return hashes;
    };
    const read = (hash: string) =>
      fetch(`${place.url}/attach/${hash}`, { headers: { authorization: basic(`anna:${password}`) } }).then((answer) =>
        answer.text(),
      );
    const check = async (where: Place) => {
      const { named, kept, lost, unknown } = await hubbubJson<any>(where, "files", "check");
      return { named, kept, lost: lost.count, unknown: unknown.count };
    };

    test("brings everything to S3 and back while the hub serves, and each store knows whether it is the hub's", async () => {
      const hashes = await add(place, "one", "two", "three");
      expect(await check(place)).toMatchObject({ named: 3, kept: 3 });
      const [there, back] = [withBlobs(onS3, "directory"), withBlobs("directory", onS3)];
      const running = await serve(there);
      hashes.push(...(await add(there, "four")));
      const whileItMoves = hashes.map(read);
      expect(await hubbubJson(there, "files", "move")).toMatchObject({ blobs: 3, bytes: 11, from: place.folder });
      expect(await Promise.all(whileItMoves)).toEqual(["one", "two", "three", "four"]);
      expect(await Promise.all(hashes.map(read))).toEqual(["one", "two", "three", "four"]);
      expect(inDirectory()).toEqual([]);
      await running.stop();
      const strange = (store: string) => ({ code: 1, stderr: expect.stringContaining(`${store} does not belong`) });
      expect(await hubbub(place, ["files", "check"])).toMatchObject(strange(place.folder));
      const s3Alone = withBlobs(onS3);
      expect(await check(s3Alone)).toEqual({ named: 4, kept: 4, lost: 0, unknown: 0 });
      const again = await serve(back);
      expect(await Promise.all(hashes.map(read))).toEqual(["one", "two", "three", "four"]);
      expect(await hubbubJson(back, "files", "move")).toMatchObject({ blobs: 4, to: place.folder });
      expect(await Promise.all(hashes.map(read))).toEqual(["one", "two", "three", "four"]);
      await again.stop();
      expect(await check(place)).toEqual({ named: 4, kept: 4, lost: 0, unknown: 0 });
      expect(await hubbub(s3Alone, ["files", "check"])).toMatchObject(strange(`${bucket}/`));
    });

    test("asks where from", async () => {
      expect(await hubbub(place, ["files", "move"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("HUBBUB_BLOBS_FROM_URL"),
      });
    });

    test("backup and restore are the same on S3", async () => {
      const { file } = await hubbubJson<{ file: string }>(place, "backup", place.folder);
      const other = await newPlace();
      const { url } = await server.bucket();
      const target = { ...other, env: { ...other.env, HUBBUB_BLOBS_URL: url } };
      await hubbubJson(target, "restore", file);
      expect(await check(target)).toEqual({ named: 4, kept: 4, lost: 0, unknown: 0 });
      await other.remove();
    });
  });

  describe("backups", () => {
    let hub: TestHub;
    let to: string;
    let bucket: string;
    beforeAll(async () => {
      const { name, url } = await server.bucket();
      [bucket, to] = [name, url.replace(`${name}?`, `${name}/nightly?`)];
      hub = await openTestHub({ env: { HUBBUB_BACKUP_TO: to } });
      const anna = await makeChannel(hub, "anna");
      for (const name of ["one", "two", "three"]) await put(hub, anna, name);
    });
    afterAll(() => hub.close());

    const blobsThere = async (): Promise<string[]> =>
      (await server.names(bucket)).filter((name) => name.startsWith("nightly/blobs/"));

    test("go on where a server that was killed has ended them, and send nothing twice", async () => {
      const { blobs } = hub;
      let reads = 0;
      // Each blob is read twice: for its digest, and to be sent.
      const read: BlobStore["read"] = async (...where) => {
        if (++reads === 3) await server.kill();
        return blobs.read(...where);
      };
      hub.blobs = { ...blobs, read };
      await expect(backUpWhenDue(hub)).rejects.toThrow(BlobsAway);
      hub.blobs = blobs;
      expect((await backupState(hub)).last).toBeUndefined();
      await server.startAgain();
      expect(await blobsThere()).toHaveLength(1);
      const place = openPlace(hub.config.backups.to!);
      expect(await backUpTo(hub, place)).toMatchObject({ blobs: 3, sent: 2, missing: 0 });
      expect(await backupState(hub)).toMatchObject({ isDue: false });
      hub.advance(24 * 3600);
      expect(await backUpTo(hub, place)).toMatchObject({ blobs: 3, sent: 0 });
      expect(await server.uploads(bucket)).toBe(0);
    });

    test("stand in the figures, as all requests to S3 do", () => {
      const { count, failures } = { ...metricsOf("backups") };
      expect(count).toBeGreaterThan(failures!);
      expect(failures).toBeGreaterThan(0);
    });
    function metricsOf(use: string) {
      const found = [...hub.counters.s3].find(([one]) => one === use);
      return found && { count: found[1].durations.count, failures: found[1].failures };
    }

    test("are kept by rule, and removed with the blobs that none needs", async () => {
      const place = openPlace(hub.config.backups.to!);
      await place.put("blobs/zz/zz-forgotten.0", Readable.from([Buffer.from("x")]));
      const days = Array.from({ length: 8 }, (_, day) => `2025010${day + 1}`);
      const files = days.flatMap((day) => ["database.gz", "blobs.gz"].map((end) => `hubbub-${day}T000000.${end}`));
      await Promise.all(files.map((name) => place.put(name, Readable.from([gzipSync("")]))));
      hub.setClock("2040-01-01T00:00:00Z");
      await backUpWhenDue(hub);
      const names = await server.names(bucket);
      expect(names.filter((name) => name.includes("20250101"))).toEqual([]);
      expect(names.filter((name) => name.includes("20250108"))).toHaveLength(2);
      expect(await blobsThere()).toHaveLength(3);
    });

    test("are verified and restored from there, sealed ones too", async () => {
      const other = await newPlace();
      const { identity, key } = await hubbubJson<{ identity: string; key: string }>(other, "backup", "key");
      const half = join(other.folder, "identity");
      writeFileSync(half, `${identity}\n`);
      await makePeople(other, "ben");
      const ben = await openPlaceHub(other);
      await put(ben, (await findChannelByNick(ben, "ben"))!, "sealed");
      await ben.close();
      const sealing = { env: { ...other.env, HUBBUB_BACKUP_KEY: key, HUBBUB_BACKUP_TO: to.replace("nightly", "ben") } };
      const there = sealing.env.HUBBUB_BACKUP_TO;
      const made = await hubbubJson<{ file: string; rows: object }>(sealing, "backup", "--beside", there);
      expect(made.file).toMatch(/^s3:\/\/bucket-[\d-]+\/ben\/hubbub-\w+\.database\.gz\.age$/);
      expect(await hubbubJson(sealing, "backup", "verify", there, "--identity", half)).toMatchObject({
        file: made.file,
        rows: made.rows,
        blobs: 1,
      });
      expect((await hubbub(sealing, ["doctor"])).stdout).toMatch(/ok +backups: the last one is from/);
      const target = await emptyPlace();
      const whole = { rows: made.rows, blobs: 1 };
      expect(await hubbubJson(target, "restore", there, "--identity", half)).toMatchObject(whole);
      const plain = {
        env: { ...sealing.env, HUBBUB_BACKUP_KEY: "", HUBBUB_BACKUP_TO: to.replace("nightly", "plain") },
      };
      const open = plain.env.HUBBUB_BACKUP_TO;
      await hubbubJson(plain, "backup", "--beside", open);
      expect(await hubbubJson(plain, "backup", "verify", open)).toMatchObject({ blobs: 1 });
      expect(await hubbubJson(target, "restore", open, "--force")).toMatchObject({ blobs: 1 });
      for (const one of [target, other]) await one.remove();
    });
  });
});
