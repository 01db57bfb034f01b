import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mastodonFace } from "../src/faces/mastodon/face.ts";
import { rowsOf } from "../src/http/face.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { Routes } from "../src/http/routes.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { formWith } from "./support/pictures.ts";
import { bearerFor, mastodonClient, mastodonPerson } from "./support/mastodon.ts";

/** What every endpoint of the Mastodon API promises, under all of its paths. */

let world: TestApp;
let anyone: Client;
let ann: Person;
let app: Client;
/** A token that is good for nothing that any row asks for. */
let narrow: Client;

beforeAll(async () => {
  world = await openTestApp();
  anyone = mastodonClient(world);
  ann = await world.person("ann");
  app = await mastodonPerson(world, ann.channel, "read write follow push profile");
  narrow = mastodonClient(world, await bearerFor(world, ann.channel, "push"));
});
afterAll(() => world.close());

const spots = (await rowsOf(mastodonFace)).flatMap((row) =>
  mastodonFace.paths(row).map(({ path, alias }) => ({ row, path, alias, title: `${path} (${String(row.methods)})` })),
);

const allowed = (path: string): string[] =>
  spots.filter((spot) => spot.path === path).flatMap(({ row, alias }) => methodsOf(row, alias));

const isStream = ({ textType }: Endpoint): boolean => textType?.startsWith("text/event-stream") ?? false;

const filled = ({ example = {} }: Endpoint, path: string): string =>
  path.replace(/:(\w+)/g, (_segment, name: string) => example[name] ?? "1");

describe.each(spots)("$title", ({ row, path, alias }) => {
  const method = methodsOf(row, alias)[0]!;
  const place = filled(row, path);

  test("takes its methods and no other, and lets browsers ask", async () => {
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      if (allowed(path).includes(other)) continue;
      const answer = await anyone.send(other, place);
      expect([other, answer.status, answer.json]).toEqual([other, 405, { error: "Method Not Allowed" }]);
    }
    const asked = await anyone.send("OPTIONS", place);
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  test("refuses wrong tokens, and those that it needs and has not", async () => {
    if (!row.provesApp) {
      const wrong = await mastodonClient(world, "wrong").send(method, place);
      expect([wrong.status, method === "HEAD" || wrong.json.error]).toEqual([401, "The access token is invalid"]);
    }
    const without = await anyone.send(method, place);
    if (row.access === "channel" || row.anyToken)
      expect([without.status, without.json.error]).toEqual([401, "This API requires an authenticated user"]);
    else if (!row.provesApp) expect(without.status).not.toBe(401);
    if (row.scope !== undefined && ![row.scope].flat().includes("push"))
      expect(await narrow.send(method, place)).toMatchObject({
        status: 403,
        json: { error: "This action is outside the authorized scopes" },
      });
  });

  test("answers as described, with its headers", async () => {
    const { example = {} } = row;
    const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name);
    const rest = Object.entries(example).filter(([name]) => !inPath.includes(name));
    const sent = new URLSearchParams(rest);
    const answer =
      method === "GET" ? await app.get(place, Object.fromEntries(rest)) : await app.send(method, place, sent);
    expect(answer.status).toBeLessThan(500);
    const json = "application/json; charset=utf-8";
    expect(answer.headers.get("content-type")).toBe(answer.status < 300 ? (row.textType ?? json) : json);
    expect(answer.headers.get("cache-control")).toMatch(/^((private, )?no-store|public, max-age=180)$/);
    expect(answer.headers.get("vary")).toMatch(/^Authorization(, Accept-Encoding)?$/);
    expect(answer.headers.get("set-cookie")).toBeNull();
    const tag = answer.headers.get("etag");
    expect(tag === null).toBe(method !== "GET" || answer.status !== 200 || isStream(row));
    if (tag !== null) {
      const known = { query: Object.fromEntries(rest), headers: { "if-none-match": tag } };
      const again = await app.send("GET", place, undefined, known);
      expect([again.status, again.text]).toEqual([304, ""]);
    }
    if (method === "GET")
      expect((await app.send("HEAD", place, undefined, { query: Object.fromEntries(rest) })).status).toBe(
        answer.status,
      );
  });
});

test("every endpoint of the contract's index is there, but for what it says is not", async () => {
  const index = readFileSync(`${import.meta.dirname}/../docs/contract/mastodon/12-endpoints.md`, "utf8");
  const routes = new Routes([mastodonFace]);
  const missing: string[] = [];
  for (const line of index.matchAll(/^\| ((?:GET|POST|PUT|PATCH|DELETE)[^|]*)\| ([^|]*)\|[^|]*\| ([^|]*)\|/gm)) {
    const [, methods, paths, served] = line as unknown as [string, string, string, string];
    // Who asks that to go on as a WebSocket is let in elsewhere.
    if (/^40[34]|hub\.streams/.test(served)) continue;
    for (const [, path] of paths.matchAll(/`(\/api\/v[^`?…]*)(?:\?[^`]*)?`/g))
      for (const [method] of methods.matchAll(/[A-Z]+/g)) {
        const { entry } = await routes.find(path!.replace(/:\w+/g, "1"));
        if (!entry?.routes.some((route) => route.methods.some((one) => one === method)))
          missing.push(`${method} ${path}`);
      }
  }
  expect(missing).toEqual([]);
});

test("lists have as many entries as contract 7.1 says, and no more", () => {
  const limits = spots.flatMap(({ row, path }) => {
    const { limit } = row.input.shape as Record<string, z.ZodType>;
    const said = limit && z.globalRegistry.get(limit);
    return said ? [[path, [said["default"], said["maximum"]]] as const] : [];
  });
  const kinds: [RegExp, number[]][] = [
    [/unread_count$/, [100, 1000]],
    [/followed_tags$|domain_blocks$/, [100, 200]],
    [
      /notifications(\/requests)?$|(followers|following|blocks|mutes|follow_requests|_by|directory|suggestions)$|accounts\/search$/,
      [40, 80],
    ],
    [/timelines\/|\/(statuses|favourites|bookmarks|quotes|scheduled_statuses|conversations)$|v\d\/search$/, [20, 40]],
  ];
  const known = limits.filter(([path]) => path !== "/api/v1/lists/:id/accounts");
  expect(known.length).toBeGreaterThan(25);
  expect(known.map(([path, is]) => [path, is])).toEqual(
    known.map(([path]) => [path, kinds.find(([kind]) => kind.test(path))?.[1]]),
  );
});

test("the limits that are nearest to their ends are told with every answer, all three headers together", async () => {
  const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
  const { headers } = await mastodonClient(limited).get("/api/v1/instance");
  expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["20000", "19999"]);
  const reset = headers.get("x-ratelimit-reset")!;
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(new Date(reset).getTime()).toBeGreaterThan(limited.hub.clock().getTime());
  const ann = await mastodonPerson(limited, (await limited.person("ann")).channel);
  const own = await ann.get("/api/v1/preferences");
  expect([own.headers.get("x-ratelimit-limit"), own.headers.get("x-ratelimit-remaining")]).toEqual(["3000", "2999"]);
  // One that is refused counts.
  const files = () =>
    ann.send("POST", "/api/v2/media", formWith({ focus: "x" }, [["file", Buffer.from("x"), "x.txt", "text/plain"]]));
  for (let n = 0; n < 200; n++) expect((await files()).status).toBeLessThan(429);
  expect((await files()).status).toBe(429);
  await limited.close();
});
