import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findChannelByNick } from "../src/domain/identity/channels/channels.ts";
import { readPlace } from "../src/blobs-place.ts";
import type { S3Place } from "../src/blobs-place.ts";
import { s3Blobs } from "../src/storage/blobs/s3.ts";
import type { BlobStore } from "../src/storage/blobs/store.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { basic } from "./support/client.ts";
import { hubbub, hubbubJson, makePeople, newPlace, openPlace, serve } from "./support/command.ts";
import type { Place } from "./support/command.ts";
import { only, put } from "./support/files.ts";
import { warnWithoutSwift, hasSwift } from "./support/find-swift.ts";
import { password } from "./support/hub.ts";
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
    /** The same store, which waits for a server that hangs not as long as usual. */
    let impatient: BlobStore;
    let anna: Person;
    let annaAtHome: Visitor;
    let jpeg: Buffer;
    beforeAll(async () => {
      const { name, url } = await server.bucket();
      bucket = name;
      world = await openTestApp({ env: { HUBBUB_BLOBS_URL: url } });
      impatient = s3Blobs(readPlace(url) as S3Place, world.hub.config.dataDir, 300);
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

    const photo = (): [string, Buffer, string, string] => ["media", jpeg, "tree.jpg", "image/jpeg"];
    /** Each as its face says it. */
    const doors: [name: string, send: () => Promise<{ status: number; text: string; headers: Headers }>][] = [
      ["a page's file", () => annaAtHome.get(`/attach/${hash}`)],
      ["a picture", () => anna.send("POST", "/api/media/upload.json", formWith({}, [photo()]))],
      ["a native file", () => anna.get(`/api/z/1.0/filedata?file_id=${hash}`)],
      ["a file of a page", () => annaAtHome.post("/cloud/anna", { file: new Blob(["x"]), act: "upload" })],
      [
        "a picture for Mastodon",
        () => anna.send("POST", "/api/statuses/update.json", formWith({ status: "x" }, [photo()])),
      ],
    ];
    let hash = "";

    /** What it says holds for a second. */
    const untilReadySays = (expected: number, facts: object) =>
      vi.waitFor(
        async () => {
          const { status, json } = await world.anonymous.get("/ready");
          expect([status, json]).toEqual([expected, expect.objectContaining(facts)]);
        },
        { timeout: 60_000 },
      );

    let usual: BlobStore;
    function hang(): void {
      server.hang();
      usual = world.hub.blobs;
      world.hub.blobs = impatient;
    }
    function goOn(): void {
      server.goOn();
      world.hub.blobs = usual;
    }

    const counts = () =>
      Promise.all(
        (["item", "attach", "photo"] as const).map(async (table) =>
          world.hub.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<number>().as("n"))
            .executeTakeFirstOrThrow(),
        ),
      );

    type Step = () => Promise<void> | void;
    test.each<[string, Step, Step]>([
      ["is dead", () => server.kill(), () => server.startAgain()],
      ["hangs", hang, goOn],
    ])("a server that %s means 503 soon at every door, and nothing is stored", async (_how, end, begin) => {
      hash = (await put(world.hub, anna.channel, "here.txt", "here")).hash;
      await annaAtHome.get("/cloud/anna");
      const before = await counts();
      await end();
      const asked = Promise.all(doors.map(async ([name, send]) => [name, await send()] as const));
      const [answers] = await Promise.all([asked, untilReadySays(503, { database: true, blobs: false })]).finally(
        begin,
      );
      for (const [name, { status, headers, text }] of answers) {
        expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "5"]);
        expect(text).toMatch(/cannot be reached|temporary problem/);
      }
      expect(await counts()).toEqual(before);
      expect((await annaAtHome.get(`/attach/${hash}`)).text).toBe("here");
      await untilReadySays(200, { database: true, blobs: true });
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
      const hub = await openPlace(where);
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
});
