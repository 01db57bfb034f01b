import { setTimeout as wait } from "node:timers/promises";
import { Connection } from "./connection.ts";

/** A request; `{n}` in its path or body becomes another number each time. */
export type Call = {
  method: "GET" | "POST";
  path: string;
  login?: string;
  authorization?: string;
  cookie?: string;
  accept?: string;
  /** In place of all others. */
  headers?: Record<string, string>;
  body?: string;
};

export type LoadOrder = {
  port: number;
  calls: Call[];
  connections: number;
  seconds: number;
  /** The load ends after so many requests, whatever the time. */
  most: number;
  /** Milliseconds between an answer and the next request on a connection. */
  pause: number;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  /** Milliseconds, one for each request. */ times: number[];
  bytes: number;
  errors: string[];
};

/** Sends the calls in turn over a few connections until the time is over. */
async function run({ port, calls, connections, seconds, most, pause }: LoadOrder): Promise<LoadResult> {
  const times: number[] = [];
  const errors: string[] = [];
  let bytes = 0;
  let next = Math.floor(Math.random() * calls.length);
  let sent = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const one = async (): Promise<void> => {
    const connection = new Connection(port);
    while (performance.now() < end && sent < most && errors.length < 10) {
      const call = calls[next++ % calls.length]!;
      sent++;
      const from = performance.now();
      const received = await connection.send(written(call, port));
      times.push(performance.now() - from);
      bytes += received.bytes;
      if (received.status < 200 || received.status > 299)
        errors.push(`${received.status} for ${call.method} ${call.path}`);
      if (pause > 0) await wait(pause);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, one)).catch((error: unknown) => errors.push(String(error)));
  return { requests: times.length, seconds: (performance.now() - started) / 1000, times, bytes, errors };
}

const prepared = new Map<Call, Buffer>();
let counter = Date.now();

function written(call: Call, port: number): Buffer {
  const known = prepared.get(call);
  if (known) return known;
  const numbered = call.path.includes("{n}") || call.body?.includes("{n}");
  const number = numbered ? String(counter++) : "";
  const bytes = request(call, port, number);
  if (!numbered) prepared.set(call, bytes);
  return bytes;
}

function request(call: Call, port: number, number: string): Buffer {
  const text = call.body?.replace("{n}", number);
  const lines = [`${call.method} ${call.path.replace("{n}", number)} HTTP/1.1`];
  if (call.headers) lines.push(...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`));
  else lines.push(...usualHeaders(call, port));
  if (text !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text ?? ""}`);
}

function usualHeaders({ login, authorization, cookie, accept, body }: Call, port: number): string[] {
  const lines = [`Host: 127.0.0.1:${port}`, "User-Agent: hubbub-bench"];
  if (login !== undefined) lines.push(`Authorization: Basic ${Buffer.from(login).toString("base64")}`);
  if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
  if (cookie !== undefined) lines.push(`Cookie: ${cookie}`);
  if (accept !== undefined) lines.push(`Accept: ${accept}`);
  if (body !== undefined) lines.push("Content-Type: application/x-www-form-urlencoded");
  return lines;
}

process.on("message", (order) => {
  prepared.clear();
  void run(order as LoadOrder).then((result) => process.send!(result));
});
process.once("disconnect", () => process.exit());
