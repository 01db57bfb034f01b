import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { BlobsAway } from "../../errors.ts";
import { s3Objects } from "./objects.ts";
import type { S3Objects } from "./objects.ts";

/** A server that does some things and not others is tried with what is wanted of it. */

let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
let asked: string[];
let objects: S3Objects;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  request.resume().on("end", () => answer(request, response));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { id: "key", secret: "secret" };
  const place = { kind: "s3", endpoint, bucket: "box", prefix: "", region: "us-east-1", style: "path", keys } as const;
  objects = s3Objects(place, { silence: 100, patience: 400 });
});

const isHead = ({ method }: IncomingMessage): boolean => method === "HEAD";
const write = () => objects.put("a", Readable.from([Buffer.from("x")]));

test("one that answers HEAD and nothing else is waited for once, and used again when it answers", async () => {
  answer = (request, response) => isHead(request) && response.end();
  await expect(objects.text("a")).rejects.toBeInstanceOf(BlobsAway);
  await expect(write()).rejects.toBeInstanceOf(BlobsAway);
  const before = asked.filter((one) => one.endsWith("/a")).length;
  await expect(objects.text("a")).rejects.toBeInstanceOf(BlobsAway);
  await expect(write()).rejects.toBeInstanceOf(BlobsAway);
  expect(asked.filter((one) => one.endsWith("/a"))).toHaveLength(before);
  answer = (_, response) => response.end("here");
  await vi.waitFor(async () => expect(await objects.text("a")).toBe("here"), 5000);
  await vi.waitFor(write, 5000);
});

test("one that takes nothing is read from", async () => {
  answer = ({ method }, response) => response.writeHead(method === "GET" ? 200 : 503).end("here");
  await expect(write()).rejects.toBeInstanceOf(BlobsAway);
  const before = asked.filter((one) => one.startsWith("PUT /box/a")).length;
  await expect(write()).rejects.toBeInstanceOf(BlobsAway);
  expect(asked.filter((one) => one.startsWith("PUT /box/a"))).toHaveLength(before);
  expect(await objects.text("a")).toBe("here");
});
