import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Caches } from "../caches.ts";
import { BeatRing } from "./beat-ring.ts";
import { EventStream, eventHeaders } from "./event-stream.ts";

/** Answers that go on, over sockets. */

const hub = { caches: new Caches() };
let server: Server;
/** Those that are open or have been. */
const streams: EventStream[] = [];
let ended = 0;

beforeAll(async () => {
  const answer = (): Response => {
    const stream = new EventStream(hub, { beat: () => ":\n\n", ended: () => void ended++, mostWaiting: 64 * 1024 });
    streams.push(stream);
    stream.send("first", "said before anybody reads", 1);
    return stream.answer({ status: 200, headers: { ...eventHeaders, "x-more": "yes" } });
  };
  // A server that is made puts the adaptor's answers in the place of Node's: what is loaded afterwards makes those.
  createAdaptorServer({ fetch: answer });
  const { eventsOverSockets } = await import("./events-over-sockets.ts");
  server = createAdaptorServer({ fetch: eventsOverSockets(hub, answer) }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Reader = { socket: Socket; text: () => string; stream: EventStream };

async function read(version = "1.1"): Promise<Reader> {
  const before = streams.length;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (piece: Buffer) => (text += piece.toString())).on("error", () => undefined);
  socket.write(`GET / HTTP/${version}\r\nHost: hub.example\r\n\r\n`);
  await expect.poll(() => text).toContain("said before anybody reads");
  return { socket, text: () => text, stream: streams[before]! };
}

test.each(["1.0", "1.1"])("events go to their connection as they come, and end with it (HTTP/%s)", async (version) => {
  const { socket, text, stream } = await read(version);
  stream.send("news", "{}", 2);
  stream.send("news", "{}");
  stream.write(":\n\n");
  stream.end();
  await once(socket, "close");
  const [head, body] = text().split(/\r\n\r\n(.*)/s);
  expect(body).toBe(
    "id: 1\nevent: first\ndata: said before anybody reads\n\nid: 2\nevent: news\ndata: {}\n\nevent: news\ndata: {}\n\n:\n\n",
  );
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toContain("content-type: text/event-stream; charset=utf-8");
  expect(head).toContain("x-more: yes");
  expect(head).toContain("connection: close");
  expect(head).not.toContain("transfer-encoding");
});

test("it is over once for who goes away, and for who does not read", async () => {
  const gone = await read();
  const before = ended;
  gone.socket.destroy();
  await expect.poll(() => gone.stream.isOver).toBe(true);
  const slow = await read();
  slow.socket.pause();
  const much = "x".repeat(64 * 1024);
  // The system takes a few megabytes before anything waits.
  for (let n = 0; n < 1000 && !slow.stream.isOver; n++) slow.stream.send("news", much);
  expect(slow.stream.isOver).toBe(true);
  slow.stream.end();
  expect(ended).toBe(before + 2);
  slow.socket.destroy();
});

test("in memory an answer is read as any other", async () => {
  const stream = new EventStream(hub, { beat: () => "", ended: () => undefined });
  stream.send("one", "1");
  const answer = stream.answer({ status: 200, headers: {} });
  const text = answer.text();
  stream.send("two", "2");
  stream.end();
  stream.send("three", "3");
  expect(await text).toBe("event: one\ndata: 1\n\nevent: two\ndata: 2\n\n");
});

test("all beat in their time, with one timer and none when nobody is left", () => {
  vi.useFakeTimers();
  try {
    const ring = new BeatRing(1000);
    const said: string[] = [];
    const speaker = (name: string) => ({ beat: () => name, write: (text: string) => void said.push(text) });
    const [one, two] = [speaker("one"), speaker("two")];
    ring.add(one);
    vi.advanceTimersByTime(500);
    ring.add(two);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3000);
    expect(said.toSorted()).toEqual(["one", "one", "one", "two", "two", "two"]);
    ring.delete(one);
    ring.delete(one);
    vi.advanceTimersByTime(1000);
    expect(said.length).toBe(7);
    ring.delete(two);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("an open stream holds little more than its connection", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const count = 400;
  for (const { socket } of [await read(), await read()]) socket.destroy();
  const before = heap();
  const readers: Reader[] = [];
  while (readers.length < count) readers.push(...(await Promise.all(Array.from({ length: 20 }, () => read()))));
  const each = (heap() - before) / count;
  // The other ends of the connections are in this process, too.
  expect(each).toBeLessThan(20_000);
  for (const { socket } of readers) socket.destroy();
});
