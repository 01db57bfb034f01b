import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic } from "../../../test/support/client.ts";
import { makeChannel, onPostgres, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import type { Hub } from "../../hub.ts";
import { startHub } from "../../main.ts";
import type { RunningHub } from "../../main.ts";
import { hubMetrics, processMetrics } from "./metrics.ts";

/** What the programs of an operator ask, over HTTP. */

let settings: TestHub;
let running: RunningHub;
const warned: Record<string, unknown>[] = [];
const token = "f00dfeedf00dfeedf00d";

beforeAll(async () => {
  settings = await openTestHub({
    env: { HUBBUB_METRICS_TOKEN: token, HUBBUB_METRICS_FROM: "10.1.2.0/24", HUBBUB_TRUST_PROXY: "on" },
  });
  await makeChannel(settings, "alma");
  running = await start(settings, { slowStatement: 0.0001 });
});
afterAll(async () => {
  await running.close();
  await settings.close();
});

function start(hub: TestHub, more: Partial<Hub["config"]> = {}): Promise<RunningHub> {
  const warning = (_: string, what: Record<string, unknown>): void => void warned.push(what);
  const log = { warning, info: () => undefined, error: () => undefined, isEnabledFor: () => false };
  const config = { ...hub.config, ...more, listen: { address: "127.0.0.1", port: 0 } };
  return startHub(config, { makeKeys: hub.makeKeys, log: log as unknown as Hub["log"] });
}

const get = (path: string, headers: Record<string, string> = {}, url = running.url): Promise<Response> =>
  fetch(`${url}${path}`, { headers });
const withToken = { authorization: `Bearer ${token}` };

async function samples(): Promise<string[]> {
  return (await (await get("/metrics", withToken)).text()).trimEnd().split("\n");
}

test("it lives, and is ready", async () => {
  expect(await (await get("/health")).text()).toBe("ok\n");
  const ready = await get("/ready");
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { ready: true, database: true, migrations: true, blobs: true, stopping: false },
  ]);
});

test("metrics are for those with the token or an address of the operator's", async () => {
  const statusOf = async (headers: Record<string, string>) => (await get("/metrics", headers)).status;
  expect(await statusOf(withToken)).toBe(200);
  expect(await statusOf({ "x-forwarded-for": "10.1.2.3" })).toBe(200);
  expect(await statusOf({ "x-forwarded-for": "10.1.3.3" })).toBe(404);
  expect(await statusOf({ authorization: `Bearer ${token}0` })).toBe(404);
  expect(await statusOf({})).toBe(404);
});

test("where no proxy is trusted, nothing that came through one has an address of the operator's", async () => {
  const other = await start(settings, { trustProxy: false, metrics: { token: "", from: ["127.0.0.1"] } });
  const statusOf = async (headers: Record<string, string>) => (await get("/metrics", headers, other.url)).status;
  expect([await statusOf({}), await statusOf({ "x-forwarded-for": "127.0.0.1" })]).toEqual([200, 404]);
  expect(await statusOf({ authorization: "Bearer " })).toBe(200);
  await other.close();
});

test("requests are counted by row and status, and what is written down has the form of Prometheus", async () => {
  const authorization = basic(`alma:${password}`);
  await get("/api/z/1.0/verify", { authorization });
  await get("/api/z/1.0/verify");
  await get("/nowhere/at/all");
  await fetch(`${running.url}/nowhere`, { method: "PROPFIND" });
  await get("/actor", { accept: "application/activity+json" });
  const lines = await samples();
  const form = /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? [-+\d.e]+)$/;
  expect(lines.filter((line) => !form.test(line))).toEqual([]);
  const requests = lines.filter((line) => line.startsWith("hubbub_requests_total{"));
  expect(requests).toContain('hubbub_requests_total{face="native",method="GET",row="verify",status="200"} 1');
  expect(requests).toContain('hubbub_requests_total{face="native",method="GET",row="verify",status="401"} 1');
  expect(requests).toContain('hubbub_requests_total{face="web",method="GET",row="none",status="404"} 1');
  expect(requests).toContain('hubbub_requests_total{face="web",method="other",row="none",status="404"} 1');
  expect(requests.filter((line) => line.includes('face="federation",method="GET",row="/actor"'))).toHaveLength(1);
  expect(lines).toContain('hubbub_request_seconds_count{face="native",method="GET",row="verify"} 2');
  const valueOf = (name: string) =>
    Number(
      lines
        .find((line) => line.startsWith(`${name} `))!
        .split(" ")
        .at(-1),
    );
  expect(valueOf("hubbub_statement_seconds_count")).toBeGreaterThan(3);
  expect(valueOf("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  const info = lines.find((line) => line.startsWith("hubbub_info"));
  expect(info).toContain(`engine="${onPostgres ? "postgres" : "sqlite"}"`);
});

test("the board asks for nothing that is not measured", () => {
  const board = readFileSync(join(import.meta.dirname, "../../../docs/monitoring/grafana.json"), "utf8");
  const measured = new Set([...processMetrics, ...hubMetrics].map(({ name }) => name));
  const asked = [...board.matchAll(/\b(?:hubbub|process|nodejs)_\w+/g)].map(([name]) => name);
  const bare = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, "");
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !measured.has(bare(name)))).toEqual([]);
  expect([...measured].filter((name) => !asked.some((one) => bare(one) === name))).toEqual([]);
});

test("a statement that takes too long is written down with the row that asked", async () => {
  warned.length = 0;
  await get("/api/z/1.0/verify", { authorization: basic(`alma:${password}`) });
  expect(warned).toContainEqual({
    ms: expect.any(Number),
    asked: "GET verify (native)",
    statement: expect.stringMatching(/^select /),
  });
  expect((await samples()).find((line) => line.startsWith("hubbub_slow_statements_total"))).not.toMatch(/ 0$/);
});

test.each(["/api/z/1.0/version", "/login", "/ready", "/actor"])(
  "%s takes the name of a request from the proxy",
  async (path) => {
    const idOf = async (id: string) => (await get(path, { "x-request-id": id })).headers.get("x-request-id");
    expect(await idOf("abc-123/4")).toBe("abc-123/4");
    for (const odd of ["with space", "x".repeat(200), '"quoted"'])
      expect(await idOf(odd)).toMatch(/^[0-9a-f]{10}-\w+$/);
  },
);

test("what cannot work is not ready: without its files, and when it stops", async () => {
  const other = await openTestHub();
  const lost = await start(other);
  rmSync(join(other.config.dataDir, "hubbub-id"));
  const ready = await get("/ready", {}, lost.url);
  expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await ready.json()).toMatchObject({ ready: false, database: true, blobs: false });
  const closed = lost.close();
  expect(await (await get("/ready", {}, lost.url)).json()).toMatchObject({ ready: false, stopping: true });
  await closed;
  await other.close();
});
