import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeConfig } from "../src/config/describe.ts";
import { readConfig } from "../src/config/config.ts";
import { printDocs } from "../src/http/reference/markdown.ts";
import { inBraces } from "../src/http/reference/parameters.ts";
import { faces, startHub } from "../src/main.ts";
import { rowsOf } from "../src/http/face.ts";
import type { RunningHub } from "../src/main.ts";
import { basic } from "./support/client.ts";
import { makeChannel, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";

/** What only a real socket shows. */

let settings: TestHub;
let running: RunningHub;
const headers = { authorization: basic(`alma:${password}`) };

beforeAll(async () => {
  settings = await openTestHub();
  const { config } = settings;
  running = await startHub({ ...config, listen: { address: "127.0.0.1", port: 0 } }, { makeKeys: settings.makeKeys });
  await makeChannel(running.hub, "alma");
});
afterAll(async () => {
  await running.close();
  await settings.close();
});

test("a connection stays open for longer than proxies keep theirs", async () => {
  const { headers } = await fetch(`${running.url}/login`);
  expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(120);
});

/** Sends these bytes and answers what comes back until the other side closes. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(running.url).port), "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

async function post(
  body: RequestInit["body"],
  more: Record<string, string> = {},
): Promise<{ status: number; json: any }> {
  const response = await fetch(`${running.url}/api/z/1.0/item/update`, {
    method: "POST",
    headers: { ...headers, ...more },
    body: body ?? null,
  });
  return { status: response.status, json: await response.json() };
}

describe("over a socket", () => {
  test("the ready hub answers", async () => {
    const response = await fetch(`${running.url}/api/z/1.0/version.json?x=1`);
    expect([response.status, await response.json()]).toEqual([200, expect.any(String)]);
    expect(response.headers.get("content-length")).toBe(
      String((await (await fetch(`${running.url}/api/z/1.0/version`)).text()).length),
    );
  });

  test("only a hub with an https address tells browsers to keep to that", async () => {
    const { config } = settings;
    const secure = { ...config, baseUrl: "https://hub.example", listen: { address: "127.0.0.1", port: 0 } };
    const other = await openTestHub();
    const https = await startHub({ ...secure, dataDir: other.config.dataDir, database: other.config.database });
    for (const path of [
      "/login",
      "/api/z/1.0/version",
      "/api/statuses/home_timeline.json",
      "/nowhere",
      "/assets/none",
    ]) {
      const told = async (url: string) => (await fetch(url + path)).headers.get("strict-transport-security");
      expect([path, await told(https.url), await told(running.url)]).toEqual([path, "max-age=31536000", null]);
    }
    await https.close();
    await other.close();
  });

  test("every way of sending a form", async () => {
    const form = new FormData();
    form.append("body", "ä multipart");
    expect((await post(form)).json.item.body).toBe("ä multipart");
    expect((await post(new URLSearchParams({ body: "ä form" }))).json.item.body).toBe("ä form");
    expect((await post('{"body":"ä json"}', { "content-type": "application/json" })).json.item.body).toBe("ä json");
  });

  test("HEAD has no body, 405 says what is allowed", async () => {
    expect(await raw("HEAD /api/z/1.0/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 200 [^]*\r\n\r\n$/,
    );
    expect(await raw("BREW /api/z/1.0/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(await raw("PROPFIND /api/z/1.0/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1.1 405 [^]*allow: GET, POST, HEAD, OPTIONS/i,
    );
  });

  test("a program of old names no host, or puts one slash too many", async () => {
    for (const path of ["/api/compat/version", "//api/compat/version.json", "//oauth/request_token"]) {
      const answer = await raw(`GET ${path} HTTP/1.0\r\n\r\n`);
      expect(answer).toMatch(
        path.includes("oauth") ? /^HTTP\/1.1 400 [^]*oauth_problem=/ : /^HTTP\/1.1 200 [^]*"0.9.7"$/,
      );
    }
  });

  test("a body over the limit is refused while it is still on its way", async () => {
    const { status, json } = await post(new URLSearchParams({ body: "x".repeat(6_000_000) }));
    expect([status, json.reason]).toEqual([413, "too_large"]);
    const form = new FormData();
    form.append("body", "x".repeat(6_000_000));
    expect((await post(form)).status).toBe(413);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(100_000))),
    });
    const init = {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as RequestInit;
    const response = await fetch(`${running.url}/api/z/1.0/item/update`, init).catch(() => undefined);
    if (response) expect(response.status).toBe(413);
    expect((await fetch(`${running.url}/api/z/1.0/version`)).status).toBe(200);
  });

  test("a sender who hangs up half-way harms nobody", async () => {
    const port = Number(new URL(running.url).port);
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          `POST /api/z/1.0/item/update HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"body":`,
        );
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on("close", () => resolve());
    });
    expect((await fetch(`${running.url}/api/z/1.0/version`)).status).toBe(200);
  });
});

test("X-Forwarded-For is believed only where the operator says so", () => {
  expect(readConfig({}).trustProxy).toBe(false);
});

test("the OpenAPI document describes every row", async () => {
  const response = await fetch(`${running.url}/api/openapi.json`);
  const document = (await response.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
  expect(document.openapi).toBe("3.1.0");
  for (const face of faces) {
    for (const row of await rowsOf(face))
      expect(Object.keys(document.paths)).toContain(inBraces(face.paths(row)[0]!.path));
  }
});

test("the reference names every parameter", async () => {
  const docs = await printDocs(faces);
  expect(docs["native.md"]).toContain("### network/stream — GET, POST");
  expect(docs["native.md"]).toContain("| `gid`, `group` | integer | no |");
  expect(docs["native.md"]).toContain("| `abook_id` | integer | yes |");
});

test.each([
  ["postgres://hubbub:p:a/s@s@db.example/hubbub", "postgres://hubbub:***@db.example/hubbub"],
  [
    "postgres://db.example/hubbub?user=hubbub&password=secret&x=1",
    "postgres://db.example/hubbub?user=hubbub&password=***&x=1",
  ],
  ["postgres://hubbub@localhost/hubbub", "postgres://hubbub@localhost/hubbub"],
  ["sqlite:/var/lib/hubbub.db", "sqlite:/var/lib/hubbub.db"],
])("the address of the database is shown without its password: %s", (url, shown) => {
  const rows = describeConfig({ HUBBUB_DATABASE_URL: url });
  expect(rows.find((row) => row.name === "HUBBUB_DATABASE_URL")).toMatchObject({ value: shown, source: "environment" });
});
