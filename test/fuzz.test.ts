import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../src/http/endpoint.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import { rowsOf } from "../src/http/face.ts";
import type { Face, EndpointPath } from "../src/http/face.ts";
import { connect } from "../src/domain/connections/connections.ts";
import { faces } from "../src/main.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Answer, Client } from "./support/client.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import { movingGif, picture } from "./support/pictures.ts";
import { size } from "./support/size.ts";
import { anyCharacter, anySegment } from "./support/any-character.ts";

/**
 * Bad input of every kind to every endpoint: a clear refusal in the face's error form or a proper answer, never a 5xx, and
 * after a refusal everything is as it was.
 */

let world: TestApp;
let alma: Person;
/** The same person, with a bearer token. */
let almasApp: Client;

const clientFor = ({ credentials }: Face): Client => (credentials === "bearer" ? almasApp : alma);

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  const bruno = await world.person("bruno");
  await connect(world.hub, alma.channel, { xchan_hash: bruno.channel.channel_hash });
  await connect(world.hub, bruno.channel, { xchan_hash: alma.channel.channel_hash });
  almasApp = await mastodonPerson(world, alma.channel, "read write follow push profile");
  const post = (form: object) => alma.post("/api/z/1.0/item/update", form as Record<string, unknown>);
  await post({ body: "a post with #tag", category: "c" });
  await post({ body: "a comment", parent: 1 });
  await post({ body: "a private one", contact_allow: [bruno.channel.channel_hash] });
});
afterAll(() => world.close());

const runs = size(4, 150);

/** A value in the form in which it stands in a query: already escaped, or deliberately not. */
const hostile = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "1",
      "2",
      "3",
      "0",
      "true",
      "false",
      "now - 1 day",
      "2024-02-30",
      "post",
      "text/plain",
      "alma",
      "Friends",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "",
      "+",
      "%20",
      "%00",
      "a%00b",
      "%FF%FE",
      "%ED%A0%80",
      "%C0%AF",
      "%",
      "%zz",
      "\u00ff",
      "%F0%9F%98%80",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "-1",
      "-9223372036854775809",
      "2147483648",
      "4294967296",
      "9007199254740993",
      "9".repeat(400),
      "1e9",
      "0x10",
      "NaN",
      "1.5",
      "Infinity",
      "@1e99",
      "now + 999999999999 years",
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        "' or 1=1 --",
        '"; drop table item; --',
        "%25%25",
        "_",
        "\\",
        "$1",
        "?",
        "<script>alert(1)</script>",
        "<>",
        "<<<>>>",
        "<a><b>",
        "[b][/b",
        "../../etc/passwd",
        "%0d%0aSet-Cookie: a=b",
        "{}",
        "[]",
        "null",
        "javascript:alert(1)",
        "http://[",
        "@alma @bruno #a %23b",
      )
      .map((text) => encodeURIComponent(decodeSafely(text))),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCharacter, maxLength: 50 }).map((text) => encodeURIComponent(text.toWellFormed())),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1000, max: 60_000 }).map((length) => "a".repeat(length)) },
);

/** What makes a call succeed where it is there; the rest is what may make it fail. */
const usual: Record<string, string> = {
  body: "text",
  abook_id: "2",
  item_id: "1",
  group_id: "1",
  address: "bruno@hub.example",
  guid: "guid-1",
  cat: "note",
  k: "colour",
  v: "red",
  status: "text",
  id: "1",
  screen_name: "bruno",
};

type Sent = { name: string; suffix: string; value: string };

function parametersOf(row: Endpoint, face: Face): fc.Arbitrary<Sent[]> {
  const names = [
    ...Object.keys(row.input.shape),
    ...Object.values(row.otherNames ?? {}).flat(),
    ...Object.values(face.otherNames).flat(),
  ];
  const name = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...names, ...(names.length === 0 ? ["x"] : [])) },
    { weight: 1, arbitrary: fc.constantFrom("channel", "f", "callback", "__proto__", "constructor", "toString", "") },
  );
  const suffix = fc.oneof(
    { weight: 8, arbitrary: fc.constant("") },
    { weight: 3, arbitrary: fc.constantFrom("[]", "[0]", "[x]", "[", "[0][1]", "%5B%5D") },
  );
  const asUsual = names
    .filter((known) => usual[known] !== undefined)
    .map((known) => ({ name: known, suffix: "", value: usual[known]! }));
  return fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constant(asUsual) }, { weight: 2, arbitrary: fc.subarray(asUsual) }),
      fc.array(fc.record({ name, suffix, value: hostile }), { maxLength: 4 }),
    )
    .map((parts) => parts.flat());
}

type Way = "query" | "form" | "json" | "multipart" | "odd type";

/** The same parameters on the ways that requests have for them. */
function send(client: Client, method: string, path: string, sent: Sent[], way: Way): Promise<Answer> {
  const encoded = sent.map(({ name, suffix, value }) => `${name}${suffix}=${value}`).join("&");
  if (method === "GET" || way === "query") return client.send(method, `${path}?${encoded}`);
  if (way === "form")
    return client.send(method, path, encoded, { headers: { "content-type": "application/x-www-form-urlencoded" } });
  if (way === "odd type")
    return client.send(method, path, encoded, { headers: { "content-type": "text/plain; charset=utf-16" } });
  if (way === "multipart") return client.send(method, path, multipart(sent));
  const object = Object.fromEntries(
    sent.map(({ name, suffix, value }, at) => [name + suffix, usual[name] === value ? value : jsonOf(value, at)]),
  );
  return client.send(method, path, JSON.stringify(object), {
    headers: { "content-type": "application/json" },
  });
}

function multipart(sent: Sent[]): FormData {
  const form = new FormData();
  for (const { name, value } of sent) {
    if (value.length % 3 === 0)
      form.append(name, new File([Buffer.from(value, "latin1")], "a.bin", { type: "application/octet-stream" }));
    else form.append(name, decodeSafely(value));
  }
  return form;
}

function jsonOf(value: string, at: number): unknown {
  const text = decodeSafely(value);
  return [text, Number(text), [text, text], { a: text }, [[text]], null, true, [], "\ud800", 1e308][
    (value.length + at) % 10
  ];
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * How many rows there are, by one statement: there are thousands of cases. Jobs that remove blobs are not counted: bytes that were
 * kept before a refusal have one, and it finds nothing to remove when rows speak of them.
 */
async function rowCounts(): Promise<Record<string, number>> {
  const counts = counted.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const jobs = sql`(select count(*) from job where name <> 'drop-blobs') as job`;
  const { rows } = await sql<Record<string, number>>`select ${sql.join([...counts, jobs])}`.execute(world.hub.db);
  return rows[0]!;
}

const counted = [
  "account",
  "channel",
  "xchan",
  "hubloc",
  "profile",
  "config",
  "photo",
  "abook",
  "abconfig",
  "pgrp",
  "pgrp_member",
  "message",
  "item",
  "term",
  "iconfig",
  "notify",
  "attach",
  "event",
  "mail",
  "conv",
];

function isProper(answer: Answer, face: Face): void {
  if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
  const type = answer.headers.get("content-type") ?? "";
  if (/^application\/((atom|rss)\+)?xml/.test(type)) {
    expect(XMLValidator.validate(answer.text)).toBe(true);
    if (answer.status >= 400) expect(answer.text).toContain(`<code>${answer.status}</code>`);
    return;
  }
  if (type.startsWith("application/javascript")) return;
  if (/^text\/(plain|event-stream)/.test(type)) return expect(answer.text).toMatch(/^(OK|:thump\n)$/);
  if (type.startsWith("application/x-www-form-urlencoded"))
    return expect(answer.text).toMatch(answer.status < 400 ? /^oauth_token=/ : /^error=[^&]+&oauth_problem=\w+$/);
  expect(answer.json).toBeDefined();
  if (answer.status < 400) return;
  if (face.credentials === "bearer") return expect(answer.json.error).toMatch(/./);
  expect(answer.json).toMatchObject({ code: answer.status, error: expect.stringMatching(/./) });
  if (face.name === "native")
    expect(answer.json).toMatchObject({ success: false, reason: expect.stringMatching(/^[a-z_]+$/) });
}

const rows: { face: Face; row: Endpoint; place: EndpointPath; title: string }[] = [];
for (const face of faces)
  for (const row of await rowsOf(face))
    rows.push({
      face,
      row,
      place: face.paths(row)[0]!,
      title: `${face.name} ${row.path} (${String(row.methods)})`,
    });

describe.each(rows)("$title", ({ face, row, place }) => {
  const methods = methodsOf(row, place.alias).filter((method) => method !== "HEAD");
  const formats = row.formats ?? face.formats;
  const paths = formats.length === 0 ? [place.path] : formats.map((format) => `${place.path}.${format}`);

  test("takes anything calmly", async () => {
    let before = await rowCounts();
    const call = fc.record({
      method: fc.constantFrom(...methods),
      path: fc.constantFrom(...paths),
      sent: parametersOf(row, face),
      way: fc.constantFrom<Way>("query", "form", "form", "json", "multipart", "odd type"),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ method, path, sent, way }) => {
        const answer = await send(clientFor(face), method, path, sent, way);
        isProper(answer, face);
        const after = await rowCounts();
        if (answer.status >= 400) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: runs },
    );
  });

  const withId = row.pathId === undefined ? place.path : `${place.path}/:id`;
  if (withId.includes("/:")) {
    test("takes anything in the place of its id", async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...methods), hostile, async (method, id) => {
          const path = withId.replace(/:\w+/g, () => id.replace(/[?#]/g, ""));
          isProper(await send(clientFor(face), method, path, [], "query"), face);
        }),
        { numRuns: runs },
      );
    });
  }
});

describe.each(rows.filter(({ row }) => (row.files ?? []).length > 0))("files for $title", ({ face, row, place }) => {
  const method = methodsOf(row, place.alias).find((name) => ["POST", "PUT", "PATCH"].includes(name))!;
  const path = place.path.replace(/:\w+/g, "1");
  const name = row.files![0] === "*" ? "media" : row.files![0]!;

  test("takes any upload calmly, and keeps nothing of one that it refuses", async () => {
    const file = fc.record({
      name: fc.constantFrom(name, `${name}[]`, `${name}[0]`, "other"),
      filename: hostileName,
      type: fc.constantFrom(
        "image/jpeg",
        "image/png",
        "text/html",
        "application/octet-stream",
        "",
        "x",
        "a/b; c=\u00ff",
      ),
      bytes: fc.oneof(fc.constantFrom(...(await hostileFiles())), fc.uint8Array({ maxLength: 300 })),
    });
    const call = fc.tuple(fc.array(file, { minLength: 1, maxLength: 3 }), parametersOf(row, face));
    let before = await rowCounts();
    await fc.assert(
      fc.asyncProperty(call, async ([files, sent]) => {
        const answer = await clientFor(face).send(method, path, uploadOf(files, sent), {
          headers: { "content-type": "multipart/form-data; boundary=edge" },
        });
        isProper(answer, face);
        expect(stagedBlobs()).toEqual([]);
        const after = await rowCounts();
        if (answer.status >= 400) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: runs },
    );
    await world.work();
    expect((await alma.get("/api/z/1.0/files")).status).toBe(200);
    expect((await alma.get("/api/z/1.0/photos")).status).toBe(200);
  });
});

type Upload = { name: string; filename: string; type: string; bytes: Uint8Array };

/** Written by hand, because no client sends such names. */
function uploadOf(files: readonly Upload[], sent: readonly Sent[]): Uint8Array<ArrayBuffer> {
  const pieces = sent.flatMap(({ name, value }) => [
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${decodeSafely(value)}\r\n`,
  ]);
  const parts = files.flatMap(({ name, filename, type, bytes }) => [
    Buffer.from(
      `--edge\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return new Uint8Array(Buffer.concat([Buffer.from(pieces.join("")), ...parts, Buffer.from("--edge--\r\n")]));
}

const hostileName = fc.oneof(
  fc.constantFrom(
    "a.png",
    "a.jpg",
    "a.txt",
    "a.html",
    "",
    ".",
    "..",
    "...",
    "/",
    "../../etc/passwd",
    "C:\\\\a\\\\b.txt",
  ),
  fc.constantFrom(
    "a\0b.png",
    "\u202egnp.exe",
    "%2e%2e%2fx",
    `${"\u00e9".repeat(400)}.png`,
    ".htaccess",
    "con",
    "a\tb",
    " . ",
  ),
  fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.toWellFormed().replace(/["\r\n]/g, "")),
);

/** Pictures that are none, or not what they say, or larger than they look. */
async function hostileFiles(): Promise<Uint8Array[]> {
  const png = await picture(30, 20).png().toBuffer();
  const jpeg = await picture(30, 20).jpeg().toBuffer();
  const wide = Buffer.from(png);
  // Says that it is 60,000 pixels wide and high.
  wide.writeUInt32BE(60_000, 16);
  wide.writeUInt32BE(60_000, 20);
  return [
    png,
    jpeg,
    wide,
    await movingGif(20, 20, 3),
    png.subarray(0, 40),
    jpeg.subarray(0, jpeg.length / 2),
    Buffer.from("GIF89a"),
    Buffer.from("RIFF\0\0\0\0WEBPVP8 "),
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    Buffer.from("BEGIN:VCALENDAR"),
    Buffer.alloc(0),
    Buffer.from("hello"),
  ];
}

/** What lies in the folder of uploads that are under way. */
function stagedBlobs(): string[] {
  const folder = join(world.hub.config.dataDir, "blobs", "staging");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("bodies that are broken, deep or large", async () => {
  const deep = `${'{"body":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["application/json", deep],
    ["application/json", "[".repeat(1_000_000)],
    ["application/json", '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"body":{"toString":1}}'],
    ["application/json", Buffer.from([0xff, 0xfe, 0x00])],
    ["application/json", "x".repeat(5_000_000)],
    ["application/x-www-form-urlencoded", "a=1&".repeat(100_000)],
    ["application/x-www-form-urlencoded", `body=${"%25".repeat(2_000_000)}`],
    ["application/x-www-form-urlencoded; charset=utf-16", "body=x"],
    ["multipart/form-data", "no boundary"],
    ["multipart/form-data; boundary=a", '--a\r\nContent-Disposition: form-data; name="body"\r\n\r\nno end'],
    ["multipart/form-data; boundary=a", "--a\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--a--\r\n"],
    ["multipart/form-data; boundary=a", "--a--\r\n"],
    ["multipart/form-data; boundary=a", '--a\r\nContent-Disposition: form-data; name="body"\r\n\r\nx\r\n'.repeat(5000)],
    [
      "multipart/form-data; boundary=a",
      Buffer.concat([
        Buffer.from('--a\r\nContent-Disposition: form-data; name="body"\r\n\r\n'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from("\r\n--a--\r\n"),
      ]),
    ],
    ["\u0001", "x"],
    ["application/octet-stream", "x"],
  ];
  const sent = bodies.map(([type, body]) => [type, new Uint8Array(Buffer.from(body))] as const);
  const posts = rows.filter(({ row, place }) => methodsOf(row, place.alias).includes("POST"));
  let before = await rowCounts();
  for (const [at, { face, place }] of posts.entries()) {
    for (const [type, body] of sent) {
      // What is large takes most of the time and is refused before any row sees it.
      if (body.length > 10_000 && at % size(30, 1) !== 0) continue;
      const answer = await alma.send("POST", place.path, body, { headers: { "content-type": type } });
      isProper(answer, face);
      const after = await rowCounts();
      if (answer.status >= 400) expect(after).toEqual(before);
      before = after;
    }
  }
});

test("paths and headers that nobody sends on purpose", async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      "api",
      "z",
      "1.0",
      "red",
      "1.1",
      "item",
      "update",
      "..",
      ".",
      "",
      "%2e%2e",
      "%00",
      "%ff",
      "version.xml",
      "__proto__",
      "constructor",
      ".json",
    ),
    anySegment,
  );
  const header = fc.oneof(
    fc.constantFrom(
      "Basic",
      "Basic ",
      "Basic =",
      "Basic Og==",
      "Basic /////",
      "basic YQ==",
      "Bearer x",
      'OAuth oauth_token="x"',
      "Digest x",
      " ",
      ",",
    ),
    fc.base64String().map((text) => `Basic ${text}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 6 }), header, async (segments, authorization) => {
      const answer = await world.anonymous.get(`/api/${segments.join("/")}`, {}, { headers: { authorization } });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: size(300, 3000) },
  );
});
