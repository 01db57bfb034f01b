import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic } from "../../test/support/client.ts";
import { makeChannel, onPostgres, openTestHub, password } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { startHub } from "../main.ts";

/** What a collector of traces hears from a hub: it takes OTLP over HTTP, as all of them do. */

type Told = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};

const told: Told[] = [];
let texts = "";
let status = 200;
let collector: Server;
let hub: TestHub;

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((found) => {
      const { resourceSpans } = found as { resourceSpans: { scopeSpans: { spans: Told[] }[] }[] };
      texts += JSON.stringify(found);
      told.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  hub = await openTestHub({
    env: { HUBBUB_TRACES_URL: `http://127.0.0.1:${port}/v1/traces`, HUBBUB_TRUST_PROXY: "on", HUBBUB_PORT: "0" },
  });
  await makeChannel(hub, "alma");
});
afterAll(async () => {
  await hub.close();
  collector.closeAllConnections();
  collector.close();
});

const proxy = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

function attributesOf({ attributes }: Told): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

test("requests and jobs are told with their statements, and nothing of what they are about", async () => {
  const running = await startHub(hub.config, { makeKeys: hub.makeKeys });
  const headers = { authorization: basic(`alma:${password}`), "x-request-id": "proxy-1" };
  const post = (path: string, more: object = {}): Promise<Response> =>
    fetch(`${running.url}${path}`, {
      method: "POST",
      body: new URLSearchParams({ status: "Violets are blue", source: "crow" }),
      headers: { ...headers, ...more },
    });
  const update = await post("/api/statuses/update.json", { traceparent: `00-${proxy.traceId}-${proxy.spanId}-01` });
  const refused = await post("/api/statuses/nowhere.json");
  await expect.poll(() => [...running.hub.counters.jobs]).not.toEqual([]);
  await running.close();
  expect([update.status, refused.status]).toEqual([200, 404]);

  const request = told.find(({ name }) => name === "POST statuses/update (microblog)")!;
  expect(request).toMatchObject({ traceId: proxy.traceId, parentSpanId: proxy.spanId });
  expect(attributesOf(request)).toMatchObject({
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "hubbub.request_id": "proxy-1",
  });
  const statements = told.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  const insert = statements.find(({ name }) => name === "insert")!;
  expect(attributesOf(insert)).toMatchObject({
    "db.system.name": onPostgres ? "postgresql" : "sqlite",
    "db.query.text": expect.stringContaining("insert into"),
  });
  const jobs = told.filter(({ name }) => name.startsWith("job "));
  expect(new Set(jobs.map(({ parentSpanId }) => parentSpanId ?? ""))).toEqual(new Set([""]));
  const within = new Set(jobs.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  expect(told.some(({ traceId, parentSpanId }) => within.has(`${traceId} ${parentSpanId}`))).toBe(true);
  for (const secret of ["Violets", "crow", password, "alma@example.org", headers.authorization.slice(6)])
    expect(texts).not.toContain(secret);
});

test("a collector that takes nothing is spoken of once, and holds up nobody", async () => {
  status = 400;
  const warned: unknown[] = [];
  const warning = (_: string, { error }: { error?: unknown }): void => void (error !== undefined && warned.push(error));
  const log = { warning, info: () => undefined, error: () => undefined, isEnabledFor: () => false };
  const running = await startHub(hub.config, { makeKeys: hub.makeKeys, log: log as unknown as TestHub["log"] });
  expect((await fetch(`${running.url}/health`)).status).toBe(200);
  await running.close();
  expect(warned).toHaveLength(1);
});
