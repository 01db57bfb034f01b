import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { put } from "./support/files.ts";
import { hasSwift, warnWithoutSwift } from "./support/find-swift.ts";
import { befriend } from "./support/people.ts";
import { formWith, picture } from "./support/pictures.ts";
import { startS3Server } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";
import { openTcpProxy } from "./support/tcp-proxy.ts";
import type { TcpProxy } from "./support/tcp-proxy.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** The S3 server goes away under a hub that is used: who needs it hears so soon, and nobody else notices. */

if (!hasSwift) warnWithoutSwift();

describe.runIf(hasSwift)("an S3 server", () => {
  let server: S3Server;
  let way: TcpProxy;
  /** Answers at the same address, and cannot. */
  let ill: Server;
  let world: TestApp;
  let anna: Person;
  let ben: Person;
  let annaAtHome: Visitor;
  let jpeg: Buffer;
  beforeAll(async () => {
    server = await startS3Server();
    way = await openTcpProxy(portOf(server.endpoint));
    ill = createServer((request, response) => void request.resume().on("end", () => response.writeHead(500).end()));
    await new Promise<void>((resolve) => ill.listen(0, "127.0.0.1", resolve));
    const { url } = await server.bucket();
    const place = url.replace(`:${portOf(server.endpoint)}`, `:${way.port}`);
    world = await openTestApp({ env: { HUBBUB_BLOBS_URL: place } });
    [anna, ben] = [await world.person("anna"), await world.person("ben")];
    await befriend(world.hub, anna.channel, ben.channel);
    annaAtHome = visitorOf(world.app);
    await annaAtHome.logIn("anna", "correct horse");
    jpeg = await picture(64, 48).jpeg().toBuffer();
    await world.work();
  });
  afterAll(async () => {
    await world.close();
    way.close();
    ill.close();
    await server.stop();
  });

  const portOf = (endpoint: string): number => Number(new URL(endpoint).port);

  type Answer = { status: number; text: string; headers: Headers };
  type Door = [name: string, send: () => Promise<Answer>];

  let hash = "";
  const withPhoto = (fields: Record<string, string>): FormData =>
    formWith(fields, [["media", jpeg, "tree.jpg", "image/jpeg"]]);
  const doors: Door[] = [
    ["a page's file", () => annaAtHome.get(`/attach/${hash}`)],
    ["a picture", () => anna.send("POST", "/api/media/upload.json", withPhoto({}))],
    ["a native file", () => anna.get(`/api/z/1.0/filedata?file_id=${hash}`)],
    ["a file of a page", () => annaAtHome.post("/cloud/anna", { file: new Blob(["x"]), act: "upload" })],
    ["a status with a picture", () => anna.send("POST", "/api/statuses/update.json", withPhoto({ status: "x" }))],
  ];
  const others: Door[] = [
    ["verify", () => anna.get("/api/account/verify_credentials.json")],
    ["a timeline", () => anna.get("/api/statuses/home_timeline.json")],
    ["a page", () => annaAtHome.get("/network")],
    ["a status", () => anna.post("/api/statuses/update.json", { status: "without a picture" })],
  ];

  const ask = (some: readonly Door[]) => Promise.all(some.map(async ([name, send]) => [name, await send()] as const));

  async function expectRefusals(): Promise<void> {
    for (const [name, { status, headers, text }] of await ask(doors)) {
      expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "5"]);
      expect(text).toMatch(/cannot be reached|temporary problem/);
    }
  }

  async function expectAnswers(): Promise<void> {
    for (const [name, { status }] of await ask(others)) expect([name, status]).toEqual([name, 200]);
  }

  const counts = () =>
    Promise.all(
      (["attach", "photo"] as const).map(async (table) =>
        world.hub.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow(),
      ),
    );

  /** How often the server was asked for something that somebody wanted. */
  const attempts = (): number => new Map(world.hub.counters.s3).get("files")!.durations.count;

  /** What it says holds for a second. */
  const untilReadySays = (expected: number, facts: object) =>
    vi.waitFor(
      async () => {
        const { status, json } = await world.anonymous.get("/ready");
        expect([status, json]).toEqual([expected, expect.objectContaining(facts)]);
      },
      { timeout: 15_000 },
    );

  async function seconds(work: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    await work();
    return (performance.now() - began) / 1000;
  }

  type Step = () => Promise<void> | void;
  test.each<[string, Step, Step]>([
    ["is dead", () => server.kill(), () => server.startAgain()],
    ["takes connections and says nothing", () => server.hang(), () => server.goOn()],
    ["answers 500", () => way.leadTo(portOfIll()), () => way.leadTo(portOf(server.endpoint))],
  ])("that %s means 503 for who needs it, soon and then at once, and nothing for others", async (_how, end, begin) => {
    // After the case before it may be known for a second that nothing is taken.
    hash = await vi.waitFor(async () => (await put(world.hub, anna.channel, "here.txt", "here")).hash, 5000);
    await annaAtHome.get("/cloud/anna");
    await ask(others);
    const before = await counts();
    await end();
    try {
      const first = seconds(expectRefusals);
      expect(await seconds(expectAnswers)).toBeLessThan(5);
      expect(await first).toBeLessThan(9.5);
      const asked = attempts();
      expect(await seconds(expectRefusals)).toBeLessThan(2.5);
      // What is left behind by those who were refused waits, and everything else is done.
      await anna.post("/api/statuses/update.json", { status: "for ben" });
      expect(await seconds(world.work)).toBeLessThan(5);
      expect((await ben.get("/api/statuses/home_timeline.json")).text).toContain("for ben");
      expect(attempts()).toBe(asked);
      await untilReadySays(503, { database: true, blobs: false });
    } finally {
      await begin();
    }
    expect(await seconds(() => untilReadySays(200, { database: true, blobs: true }))).toBeLessThan(10);
    expect((await annaAtHome.get(`/attach/${hash}`)).text).toBe("here");
    expect(await counts()).toEqual(before);
    await world.work();
  });
  const portOfIll = (): number => (ill.address() as AddressInfo).port;
});
