import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHub } from "../src/main.ts";
import type { RunningHub } from "../src/main.ts";
import { basic } from "./support/client.ts";
import { makeChannel, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { size } from "./support/size.ts";

/** Stopping leaves nobody without an answer, and waits for nobody who is slow. */

const stops = size(2, 20);

let settings: TestHub;
beforeAll(async () => {
  settings = await openTestHub();
  await makeChannel(settings, "alma");
});
afterAll(() => settings.close());

const login = basic(`alma:${password}`);

function start(): Promise<RunningHub> {
  const config = { ...settings.config, listen: { address: "127.0.0.1", port: 0 } };
  return startHub(config, { makeKeys: settings.makeKeys });
}

test("whoever writes meanwhile is answered, is told that it was the last answer, and then finds nobody", async () => {
  for (let round = 0; round < stops; round++) {
    const running = await start();
    const writers = Array.from({ length: 40 }, (_, n) => writer(running.url, `w${round}.${n}`, login));
    await expect.poll(() => writers.every(({ answered }) => answered.length > 0), { interval: 5 }).toBe(true);
    const closed = running.close();
    await Promise.all(writers.map(({ ended }) => ended));
    await closed;
    const rows = settings.db.selectFrom("message").select("body").where("body", "like", `w${round}.%`);
    const bodies = (await rows.execute()).map(({ body }) => body);
    const answered = writers.flatMap((one) => one.answered);
    expect(writers.filter(({ wasLast }) => !wasLast)).toEqual([]);
    expect(bodies.toSorted()).toEqual(answered.toSorted());
    await expect(fetch(`${running.url}/api/z/1.0/version`)).rejects.toThrow("fetch failed");
  }
});

test("whoever has sent half of a request is cut off soon", async () => {
  const running = await start();
  const socket = connect(Number(new URL(running.url).port), "127.0.0.1");
  const cut = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
  socket.on("error", () => undefined);
  socket.resume();
  socket.write("POST /api/z/1.0/item/update HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbody=");
  // The hub has it once it answers somebody who came later.
  await fetch(`${running.url}/api/z/1.0/version`);
  const began = performance.now();
  await Promise.all([running.close(), cut]);
  // Two seconds are promised; a busy machine may take longer.
  expect(performance.now() - began).toBeLessThan(8000);
});

/** One who posts over one connection as fast as answers come, until there are no more. */
type Writer = { answered: string[]; wasLast: boolean; ended: Promise<void> };

function writer(url: string, name: string, authorization: string): Writer {
  const { port } = new URL(url);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const who: Writer = { answered: [], wasLast: false, ended };
  const socket = connect(Number(port), "127.0.0.1");
  let sent = 0;
  const send = (): void => {
    const body = `body=${name}-${++sent}`;
    const head = `Host: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-www-form-urlencoded`;
    socket.write(`POST /api/z/1.0/item/update HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  };
  let text = "";
  socket.on("connect", send);
  socket.on("error", () => undefined);
  socket.on("close", () => resolve());
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (head < 0 || text.length < head + 4 + length) return;
    if (text.startsWith("HTTP/1.1 200")) who.answered.push(`${name}-${sent}`);
    who.wasLast = /\r\nconnection: close\r\n/i.test(text);
    text = "";
    if (!who.wasLast) send();
  });
  return who;
}
