import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { clientOf } from "../../test/support/client.ts";
import type { Client } from "../../test/support/client.ts";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { readBlob } from "../domain/files/blobs.ts";
import { HubError } from "../errors.ts";
import { openBlobs } from "../storage/blobs/open.ts";
import { jsonWriter } from "./answer.ts";
import { endpoint } from "./endpoint.ts";
import type { Face } from "./face.ts";
import { kind } from "./input.ts";
import { mountFaces } from "./serve.ts";
import { asText, lastOf } from "./values.ts";
import { words } from "../faces/words/words.ts";

/** What becomes of file parts: whole, or nothing of them stays. */

let hub: TestHub;
let client: Client;
let app: Hono;
let server: ServerType;

const rows = [
  endpoint({
    path: "take",
    methods: ["POST"],
    access: "public",
    summary: "Takes files.",
    answer: "Anything",
    files: ["media"],
    input: z.object({ text: kind({ type: "string", description: "A text." }, (values) => asText(lastOf(values))) }),
    async handle(hub, _caller, { text }, { files }) {
      if (text === "refuse") throw new HubError("denied", "No.");
      const contents = await Promise.all(files.map(({ staged }) => readBlob(hub, staged)));
      return files.map(({ name, filename, type, staged }, index) => ({
        name,
        filename,
        type,
        size: staged.size,
        start: contents[index]!.toString("latin1", 0, 20),
        text,
      }));
    },
  }),
];

const face: Face = {
  name: "small",
  messages: words,
  prefixes: ["/api"],
  areas: () => Promise.resolve([{ title: "Small", rows }]),
  paths: (row) => [{ path: `/api/${row.path}`, alias: "", version11: false }],
  formats: ["json"],
  writers: { json: jsonWriter },
  badText: "refuse",
  refusesNul: false,
  unknownBody: "refuse",
  names: "flat",
  mergeSlashes: false,
  otherNames: {},
  credentials: "log-in",
  nickIsChannel: false,
  jsonp: false,
  answers: () => Promise.resolve({}),
  failure: ({ kind, sentence }) => ({
    status: { "too-large": 413, denied: 403, unavailable: 503, broken: 500 }[kind as string] ?? 400,
    body: { error: sentence },
  }),
};

beforeAll(async () => {
  hub = await openTestHub({ env: { HUBBUB_MAX_UPLOAD: "1000000" } });
  app = new Hono();
  mountFaces(app, hub, [face]);
  client = clientOf(app);
  server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await hub.close();
});
afterEach(() => {
  if (staged().length > 0) throw new Error("Something was left in the staging area.");
});

function staged(): string[] {
  const folder = join(hub.config.dataDir, "blobs", "staging");
  return existsSync(folder) ? readdirSync(folder) : [];
}

const form = (parts: [name: string, value: string | File][]): FormData => {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
};
const file = (bytes: string | Uint8Array<ArrayBuffer>, name = "notes.txt", type = "text/plain"): File =>
  new File([bytes], name, { type });

describe("file parts", () => {
  test("arrive with name, type and bytes, in their order, beside texts", async () => {
    const { json } = await client.send(
      "POST",
      "/api/take",
      form([
        ["media[]", file("first")],
        ["text", "hello"],
        ["media[]", file("", "empty.bin", "application/octet-stream")],
      ]),
    );
    expect(json).toEqual([
      { name: "media", filename: "notes.txt", type: "text/plain", size: 5, start: "first", text: "hello" },
      {
        name: "media",
        filename: "empty.bin",
        type: "application/octet-stream",
        size: 0,
        start: "",
        text: "hello",
      },
    ]);
  });

  test("a name loses what no column holds", async () => {
    const body = '--b\r\ncontent-disposition: form-data; name="media"; filename="a\0b\x07.txt"\r\n\r\nx\r\n--b--\r\n';
    const answer = await client.send("POST", "/api/take", body, {
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    expect(answer.json).toMatchObject([{ filename: "ab.txt" }]);
  });

  test("a field that was left empty is no file", async () => {
    const body = '--b\r\ncontent-disposition: form-data; name="media"; filename=""\r\n\r\n\r\n--b--\r\n';
    const answer = await client.send("POST", "/api/take", body, {
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    expect(answer.json).toEqual([]);
  });

  test("what no handler keeps is gone after the answer, also after a refusal", async () => {
    const kept = await client.send("POST", "/api/take", form([["media", file("x")]]));
    const refused = await client.send(
      "POST",
      "/api/take",
      form([
        ["media", file("x")],
        ["text", "refuse"],
      ]),
    );
    expect([kept.status, refused.status]).toEqual([200, 403]);
    expect(staged()).toEqual([]);
  });

  test("a file over the limit is refused, and neither it nor its neighbours stay", async () => {
    const answer = await client.send(
      "POST",
      "/api/take",
      form([
        ["media", file("small")],
        ["media", file(new Uint8Array(1_000_001))],
        ["media", file("after")],
      ]),
    );
    expect([answer.status, answer.json.error]).toEqual([413, "The file is larger than 1000000 bytes."]);
    expect(staged()).toEqual([]);
  });

  test.each([
    ["without an end", '--b\r\ncontent-disposition: form-data; name="media"; filename="x"\r\n\r\nhalf of'],
    ["without a part", "nothing here"],
    ["with a part that has no headers", "--b\r\n\r\nx"],
    ["with a text that is not UTF-8", '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\n\xff\r\n--b--\r\n'],
  ])("a form %s is a clear refusal", async (_name, body) => {
    const answer = await client.send("POST", "/api/take", Buffer.from(body, "latin1"), {
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    expect(answer.status).toBe(400);
    expect(answer.json.error).not.toBe("");
    expect(staged()).toEqual([]);
  });

  test("a form without a boundary is a clear refusal", async () => {
    const answer = await client.send("POST", "/api/take", "x", { headers: { "content-type": "multipart/form-data" } });
    expect(answer.status).toBe(400);
  });
});

describe("uploads that break off", () => {
  test("the connection goes in the middle: nothing stays", async () => {
    const { port } = server.address() as AddressInfo;
    const sending = request({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/api/take",
      headers: { "content-type": "multipart/form-data; boundary=b", "content-length": "500000" },
    });
    sending.on("error", () => undefined);
    sending.write('--b\r\ncontent-disposition: form-data; name="media"; filename="x"\r\n\r\n');
    sending.write("x".repeat(200_000));
    await eventually(() => staged().length === 1);
    sending.destroy();
    await eventually(() => staged().length === 0);
  });

  test("a full disk is said, and nothing of the file stays", async () => {
    const blobs = openBlobs(hub.config);
    const full = await openTestHub({
      blobs: {
        ...blobs,
        stage: (bytes: Readable) => {
          bytes.resume();
          return Promise.reject(new HubError("unavailable", "The disk of this hub is full; nothing was stored."));
        },
      },
    });
    const other = new Hono();
    mountFaces(other, full, [face]);
    const answer = await clientOf(other).send("POST", "/api/take", form([["media", file("x")]]));
    await full.close();
    expect([answer.status, answer.json.error]).toEqual([503, "The disk of this hub is full; nothing was stored."]);
  });
});

test("the sweeper removes what was staged long ago, and nothing newer", async () => {
  const blobs = openBlobs(hub.config);
  const { Readable: Stream } = await import("node:stream");
  const one = await blobs.stage(Stream.from([Buffer.from("x")]), 10);
  await blobs.sweep(new Date(Date.now() - 60_000));
  expect(staged()).toEqual([one.id]);
  await blobs.sweep(new Date(Date.now() + 60_000));
  expect(staged()).toEqual([]);
});

async function eventually(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 10 }).toBe(true);
}
