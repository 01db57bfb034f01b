import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { clientOf } from "../../test/support/client.ts";
import type { Client } from "../../test/support/client.ts";
import { makeChannel, openTestHub, password } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { HubError } from "../errors.ts";
import { jsonWriter } from "./answer.ts";
import { endpoint } from "./endpoint.ts";
import { words } from "../faces/words/words.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import type { Face } from "./face.ts";
import { kind } from "./input.ts";
import { packingFor } from "./packing.ts";
import { mountFaces } from "./serve.ts";
import { asText, lastOf } from "./values.ts";
import { writeXml } from "./xml.ts";

const bearerOfAnotherSite = { "accept-encoding": "br", "sec-fetch-site": "cross-site", authorization: "Bearer x" };

/** What the plumbing can do for a face, on a small face of its own. */

let hub: TestHub;
let app: Hono;
let anonymous: Client;
let alma: Client;

const text = () => kind({ type: "string", description: "A text." }, (values) => asText(lastOf(values)));
const whole = () => kind({ type: "object", description: "All of it." }, (values) => lastOf(values));
const echo = (exchange: Exchange) => ({
  alias: exchange.alias,
  version11: exchange.version11,
  format: exchange.format,
});

const rows: Endpoint[] = [
  endpoint({
    path: "things/show",
    aliases: ["stuff/show"],
    pathId: "id",
    methods: "*",
    access: "public",
    summary: "A thing.",
    answer: "Anything",
    otherNames: { colour: ["color"] },
    input: z.object({ id: text(), colour: text() }),
    handle: (_hub, caller, input, exchange) => ({
      ...input,
      ...echo(exchange),
      caller: caller?.channel.channel_address ?? "",
    }),
    headers: ({ id }) => (id === "linked" ? { link: '<next>; rel="next"' } : {}),
    xml: "thing",
  }),
  endpoint({
    path: "svc/delete",
    methods: ["DELETE"],
    methodsAs: { friendica: ["DELETE", "POST"] },
    access: "channel",
    summary: "Deletes.",
    answer: "Anything",
    writes: true,
    jsonBody: "json",
    input: z.object({ json: whole() }),
    handle: (_hub, _caller, { json }, exchange) => ({ json, ...echo(exchange) }),
  }),
  endpoint({
    path: "fails",
    methods: ["GET"],
    access: "public",
    summary: "Fails in the way that it is told.",
    answer: "Anything",
    errors: { missing: [400, "No such thing."], comments_closed: "Permission denied." },
    input: z.object({ kind: text(), reason: text() }),
    handle: (_hub, _caller, { kind, reason }): never => {
      if (kind === "broken") throw new Error("select * from secret");
      throw new HubError(kind as "missing", "Public sentence.", { ...(reason && { reason }), retryAfter: 7 });
    },
  }),
  endpoint({
    path: "who",
    methods: ["GET"],
    access: "public",
    uncounted: true,
    summary: "The client's address and limits.",
    answer: "Anything",
    input: z.object({}),
    handle: (_hub, _caller, _input, { address, rate }) => ({ address, left: rate("read")?.remaining ?? -1 }),
  }),
];

const face: Face = {
  name: "small",
  messages: words,
  prefixes: ["/api"],
  areas: () => Promise.resolve([{ title: "Small", rows }]),
  paths: (row) =>
    [row.path, ...(row.aliases ?? [])].flatMap((name) => [
      { path: `/api/${name}`, alias: "", version11: false },
      { path: `/api/1.1/${name}`, alias: "", version11: true },
      ...(name.startsWith("svc/")
        ? [{ path: `/api/friendica/${name.slice(4)}`, alias: "friendica", version11: false }]
        : []),
    ]),
  formats: ["json", "xml"],
  writers: {
    json: jsonWriter,
    xml: {
      type: "application/xml; charset=utf-8",
      write: (value, row) => writeXml({ name: String(row.xml ?? "answer"), text: JSON.stringify(value) }),
      writeFailure: (body) => writeXml({ name: "status", text: JSON.stringify(body) }),
    },
  },
  badText: "replace",
  refusesNul: false,
  unknownBody: "ignore",
  names: "flat",
  mergeSlashes: true,
  otherNames: {},
  credentials: "log-in",
  nickIsChannel: false,
  jsonp: true,
  answers: () => Promise.resolve({}),
  failure: ({ kind, reason, sentence, status }) => ({
    status: status ?? (kind === "broken" ? 500 : kind === "method" ? 405 : 404),
    body: { kind, reason, sentence },
  }),
};

beforeAll(async () => {
  hub = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" } });
  await makeChannel(hub, "alma");
  app = new Hono();
  mountFaces(app, hub, [face]);
  anonymous = clientOf(app);
  alma = clientOf(app, `alma:${password}`);
});
afterAll(() => hub.close());

describe("paths", () => {
  test.each([
    ["/api/things/show", {}, { id: undefined }],
    ["/api/things/show/", {}, { id: undefined }],
    ["/api//things///show", {}, { id: undefined }],
    ["/api/stuff/show/7", {}, { id: "7" }],
    ["/api/things/show/7.json", { id: "8" }, { id: "7", format: "json" }],
    ["/api/things/show.json", { id: "8" }, { id: "8" }],
    ["/api/things/show/john.doe", {}, { id: "john.doe" }],
    ["/api/things/show/a%2Fb%00c", {}, { id: "a/bc" }],
    ["/api/things/show/%ff", {}, { id: "%ff" }],
    ["/api/1.1/things/show/7", {}, { id: "7", version11: true }],
    ["/api/things/show", { color: "red" }, { colour: "red" }],
    ["/api/things/show", { colour: "blue", color: "red", f: "x" }, { colour: "blue" }],
  ])("%s %j", async (path, query, expected) => {
    const answer = await anonymous.get(path, query);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
  });

  test.each([
    "/api/things",
    "/api/things/show/1/2",
    "/api/fails/1",
    "/api/things/show.rss",
    "/api/Things/show",
    "/api",
  ])("%s is unknown", async (path) => {
    expect((await anonymous.get(path)).json).toMatchObject({ kind: "unknown" });
  });

  test("the last segment alone names the format", async () => {
    const xml = await anonymous.get("/api/things/show/7.xml", { id: "a.json" });
    expect(xml.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(xml.text).toContain("<thing>");
    expect((await anonymous.get("/api/nothing.xml")).text).toContain("<status>");
    expect((await anonymous.get("/api/things/show", { id: "7.xml" })).headers.get("content-type")).toContain("json");
  });

  test("methods may differ with the name", async () => {
    expect((await alma.post("/api/svc/delete")).status).toBe(405);
    expect((await alma.post("/api/friendica/delete")).json).toMatchObject({ alias: "friendica" });
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
      expect((await anonymous.send(method, "/api/things/show")).status).toBe(200);
  });
});

describe("input", () => {
  test("a JSON body may be a parameter as a whole", async () => {
    const send = (body: string) =>
      alma.send("DELETE", "/api/svc/delete", body, { headers: { "content-type": "application/json" } });
    expect((await send("[1,2]")).json.json).toEqual([1, 2]);
    expect((await send('{"a":1}')).json.json).toEqual({ a: 1 });
    expect((await send('{"json":"[]"}')).json.json).toBe("[]");
  });

  test("text that is not UTF-8 is replaced, a body of no known type is none", async () => {
    expect((await anonymous.send("GET", "/api/things/show?id=a%FFb")).json.id).toBe("a\ufffdb");
    const headers = { "content-type": "text/plain" };
    expect((await anonymous.send("POST", "/api/things/show?id=1", "id=2", { headers })).json.id).toBe("1");
    expect(
      (await anonymous.send("POST", "/api/things/show?id=1", "", { headers: { "content-type": "application/json" } }))
        .json.id,
    ).toBe("1");
  });
});

describe("answers", () => {
  test("headers that follow from the value", async () => {
    expect((await anonymous.get("/api/things/show/linked")).headers.get("link")).toBe('<next>; rel="next"');
  });

  test("errors in the endpoint's own words, and faults in none", async () => {
    const fail = (kind: string, reason?: string) => anonymous.get("/api/fails", { kind, reason });
    expect(await fail("missing")).toMatchObject({ status: 400, json: { sentence: "No such thing." } });
    expect(await fail("denied", "comments_closed")).toMatchObject({ json: { sentence: "Permission denied." } });
    expect(await fail("denied")).toMatchObject({ json: { sentence: "Public sentence." } });
    expect(await fail("broken")).toMatchObject({ status: 500, json: { sentence: "system error" } });
    expect((await fail("too-many")).headers.get("retry-after")).toBe("7");
  });

  test("whoever has the same already is told so, and whoever else gets their own", async () => {
    const first = await alma.get("/api/things/show/1");
    const tag = first.headers.get("etag")!;
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = (from: Client, etag: string, path = "/api/things/show/1") =>
      from.get(path, {}, { headers: { "if-none-match": etag } });
    const same = await again(alma, `"x", ${tag}`);
    expect([same.status, same.text, same.headers.get("etag"), same.headers.get("content-type")]).toEqual([
      304,
      "",
      tag,
      null,
    ]);
    expect([same.headers.get("vary"), same.headers.get("cache-control")]).toEqual(["Authorization", "no-store"]);
    expect(await again(alma, tag, "/api/things/show/2")).toMatchObject({ status: 200, json: { id: "2" } });
    const other = await again(anonymous, tag);
    expect([other.status, other.json.caller]).toEqual([200, ""]);
    const head = await alma.send("HEAD", "/api/things/show/1", undefined, { headers: { "if-none-match": tag } });
    expect([head.status, head.headers.get("etag")]).toEqual([304, tag]);
    const changed = await alma.send("DELETE", "/api/svc/delete", "{}", { headers: { "if-none-match": "*" } });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, null]);
    expect((await anonymous.get("/api/fails", { kind: "missing" })).headers.get("etag")).toBeNull();
  });

  test.each([
    ["long", 300],
    ["very long", 5000],
  ])("%s ones are packed as whoever asks can read them, and are the same to those who know them", async (_, times) => {
    const ask = async (headers: Record<string, string>, id = "läng,".repeat(times)) => {
      const {
        status,
        headers: told,
        body,
      } = await app.request(`/api/things/show?id=${encodeURIComponent(id)}`, { headers });
      return { status, headers: told, bytes: body ? await buffer(body) : Buffer.alloc(0) };
    };
    const plain = await ask({});
    expect(plain.bytes.toString()).toContain("läng,".repeat(times));
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([
      null,
      "Authorization, Accept-Encoding",
    ]);
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, packing] of [
      ["gzip, deflate, br", "br"],
      ["gzip;q=0.5, br;q=0", "gzip"],
    ] as const) {
      const packed = await ask({ "accept-encoding": accepted });
      expect([packed.status, packed.headers.get("content-encoding")]).toEqual([200, packing]);
      expect(unpack[packing](packed.bytes).toString()).toBe(plain.bytes.toString());
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(packed.headers.get("etag")).toBe(plain.headers.get("etag"));
      const same = await ask({ "accept-encoding": accepted, "if-none-match": plain.headers.get("etag")! });
      expect([same.status, same.bytes.length, same.headers.get("vary")]).toEqual([304, 0, plain.headers.get("vary")]);
      expect(same.headers.get("content-encoding")).toBeNull();
    }
    expect((await ask({ "accept-encoding": "br" }, "short")).headers.get("content-encoding")).toBeNull();
    expect((await ask({}, "short")).headers.get("vary")).toBe("Authorization");
  });

  test("nothing is packed where another site may have put words beside what a remembered password shows", async () => {
    const ask = (site: string, from = alma) =>
      from.get(
        "/api/things/show",
        { id: "guess ".repeat(300) },
        { headers: { "accept-encoding": "br", "sec-fetch-site": site } },
      );
    expect((await ask("same-origin")).headers.get("content-encoding")).toBe("br");
    expect((await ask("cross-site")).headers.get("content-encoding")).toBeNull();
    expect((await ask("cross-site", anonymous)).headers.get("content-encoding")).toBeNull();
    expect(packingFor(new Request("http://x/", { headers: bearerOfAnotherSite }))).toBe("br");
  });

  test("JSONP: for GET without credentials, and for errors too", async () => {
    const wrapped = await anonymous.get("/api/things/show", { callback: "my.f" });
    expect(wrapped.headers.get("content-type")).toBe("application/javascript; charset=utf-8");
    expect(wrapped.text).toMatch(/^my\.f\(\{.*\}\)$/);
    expect(await anonymous.get("/api/fails", { kind: "missing", callback: "f" })).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^f\(/),
    });
    expect((await anonymous.get("/api/things/show", { callback: "alert(1)" })).json.sentence).toBe(
      "Invalid callback name",
    );
    expect((await alma.get("/api/things/show", { callback: "f" })).json).toBeDefined();
    expect((await anonymous.post("/api/things/show", { callback: "f" })).json).toBeDefined();
    expect((await anonymous.get("/api/things/show.xml", { callback: "f" })).text).toMatch(/^<\?xml/);
  });
});

describe("who calls", () => {
  test("credentials are optional at public endpoints, and count", async () => {
    expect((await alma.get("/api/things/show")).json.caller).toBe("alma");
    expect((await anonymous.get("/api/things/show")).json.caller).toBe("");
  });

  test("behind a proxy the last forwarded address is the client's; each has its own limit", async () => {
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const first = (await anonymous.get("/api/who", {}, from("203.0.113.9, 198.51.100.1"))).json;
    expect(first.address).toBe("198.51.100.1");
    expect(first.left).toBe(20_000);
    await anonymous.get("/api/things/show", {}, from("198.51.100.1"));
    expect((await anonymous.get("/api/who", {}, from("198.51.100.1"))).json.left).toBe(19_999);
    expect((await anonymous.get("/api/who", {}, from("198.51.100.2"))).json.left).toBe(20_000);
  });
});
