import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic } from "./support/client.ts";
import { hubbubJson, makePeople, newPlace, serve } from "./support/command.ts";
import type { Place, Serving } from "./support/command.ts";
import { password } from "./support/hub.ts";
import { size } from "./support/size.ts";

/** A file of 1 GB goes in and comes out of a hub that never takes more than 300 MB of memory; one of 192 MB would show it. */

const length = size(3 * 2 ** 26, 2 ** 30);
const piece = 4 * 1024 * 1024;
const most = 300 * 1024 * 1024;

let place: Place;
let running: Serving;
beforeAll(async () => {
  place = await newPlace({ HUBBUB_MAX_UPLOAD: String(2 * length) });
  await makePeople(place, "anna");
  running = await serve(place, { isLight: true });
});
afterAll(async () => {
  await running.stop();
  await place.remove();
});

test("a large file up and down, bit by bit", async () => {
  const sent = createHash("sha256");
  const form = Readable.from(multipart("tape.bin", contents(sent)));
  const uploaded = await call("item/update", { method: "POST", body: form, duplex: "half", headers: multipartHeaders });
  expect(uploaded.json).toMatchObject({ success: true });

  const listed = await call("files?filename=tape.bin");
  expect(listed.json.results).toHaveLength(1);
  const { hash, filesize } = listed.json.results[0];
  expect(filesize).toBe(String(length));

  const received = createHash("sha256");
  for (let start = 0; start < length; start += 2 * piece) {
    const { json } = await call(`filedata?file_id=${hash}&start=${start}&length=${2 * piece}`);
    received.update(Buffer.from(json.attach.content, "base64"));
  }
  expect(received.digest("hex")).toBe(sent.digest("hex"));
  expect(peakMemory(running.child.pid!)).toBeLessThan(most);
});

test("an upload that is killed in the middle leaves nothing to be seen", async () => {
  const aborted = new AbortController();
  const form = Readable.from(
    multipart(
      "half.bin",
      (function* () {
        for (let count = 0; count < 10; count++) yield Buffer.alloc(piece, count);
        aborted.abort();
        yield Buffer.alloc(piece);
      })(),
    ),
  );
  const request = { method: "POST", body: form, duplex: "half", headers: multipartHeaders, signal: aborted.signal };
  await expect(call("item/update", request)).rejects.toThrow("abort");
  expect((await call("files?filename=half.bin")).json.results).toEqual([]);
  expect((await call("channel/stream")).json).toHaveLength(1);
  expect(await hubbubJson(place, "channel", "list")).toHaveLength(1);
});

function* contents(hash: ReturnType<typeof createHash>): Generator<Buffer> {
  for (let at = 0; at < length; at += piece) {
    const block = Buffer.alloc(piece);
    for (let word = 0; word < piece; word += 4096) block.writeUInt32LE((at + word) / 4096, word);
    hash.update(block);
    yield block;
  }
}

const multipartHeaders = { "content-type": "multipart/form-data; boundary=edge" };

function* multipart(name: string, bytes: Iterable<Buffer>): Generator<Buffer> {
  yield Buffer.from('--edge\r\ncontent-disposition: form-data; name="body"\r\n\r\nA long tape\r\n');
  yield Buffer.from(
    `--edge\r\ncontent-disposition: form-data; name="media"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  );
  yield* bytes;
  yield Buffer.from("\r\n--edge--\r\n");
}

async function call(path: string, init: Record<string, unknown> = {}) {
  const headers = { authorization: basic(`anna:${password}`), ...(init["headers"] as Record<string, string>) };
  const response = await fetch(`${place.url}/api/z/1.0/${path}`, { ...init, headers });
  return { status: response.status, json: (await response.json()) as any };
}

/** The most memory that the process has held so far, in bytes. */
function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
}
