import { XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../src/http/endpoint.ts";
import type { Format } from "../src/http/exchange.ts";
import { methodsOf } from "../src/http/endpoint.ts";
import { rowsOf } from "../src/http/face.ts";
import type { Face, EndpointPath } from "../src/http/face.ts";
import { faces } from "../src/main.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import { clientOf } from "./support/client.ts";
import type { Answer } from "./support/client.ts";

/** What every endpoint of the faces with passwords and signatures promises, under all of its paths; mastodon-rows.test.ts has the third. */

let world: TestApp;
let alma: Person;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
});
afterAll(() => world.close());

type Spot = { face: Face; row: Endpoint; place: EndpointPath; title: string };

const withLogIn = faces.filter(({ credentials }) => credentials === "log-in");

const spots: Spot[] = [];
for (const face of withLogIn)
  for (const row of await rowsOf(face))
    for (const place of face.paths(row))
      spots.push({ face, row, place, title: `${place.path} (${String(row.methods)})` });
/** One path each: what does not depend on the name is tried under the first. */
const rows = spots.filter(({ face, row, place }) => face.paths(row)[0]!.path === place.path);

/** Methods of all rows at the path. */
function allowed(path: string): string[] {
  return spots.filter(({ place }) => place.path === path).flatMap(({ row, place }) => methodsOf(row, place.alias));
}

function anyMethod({ row, place }: Spot): string {
  return methodsOf(row, place.alias)[0]!;
}

function formats({ face, row }: Spot): Format[] {
  return [...(row.formats ?? face.formats)];
}

function wellFormed(answer: Answer): void {
  const type = answer.headers.get("content-type");
  if (type === "application/json; charset=utf-8") expect(answer.json).toBeDefined();
  else if (type === "application/xml; charset=utf-8") expect(XMLValidator.validate(answer.text)).toBe(true);
  else if (type === "application/x-www-form-urlencoded; charset=utf-8")
    expect(answer.text).toMatch(/^\w+=[\w.%&=()'-]*$/);
  else expect(type).toMatch(/^application\/(rss|atom)\+xml; charset=utf-8$/);
}

/** What was read and comes in one piece has a tag; whoever has it already gets nothing but that. */
async function isNotSentTwice({ status, headers }: Answer, spot: Spot, path: string): Promise<void> {
  const tag = headers.get("etag");
  const isRead = anyMethod(spot) === "GET" && !spot.row.writes && !spot.row.ownForm;
  if (tag === null) return expect([path, status === 200 && isRead && !comesInPieces(spot)]).toEqual([path, false]);
  const again = await alma.get(path, {}, { headers: { "if-none-match": tag } });
  expect([path, again.status, again.text, again.headers.get("etag")]).toEqual([path, 304, "", tag]);
}

/** Exports and lists of all files are as long as what a channel has. */
function comesInPieces({ row }: Spot): boolean {
  return row.path.includes("export") || ["files", "photos"].includes(row.path);
}

/** The error form of each face; what it must hold whatever the endpoint. */
function isFailure(answer: Answer, face: Face, path: string): void {
  wellFormed(answer);
  if (answer.text.startsWith("error=")) return expect(answer.text).toMatch(/&oauth_problem=\w+$/);
  if (!answer.json) return expect(answer.text).toContain(`<code>${answer.status}</code>`);
  expect(answer.json).toMatchObject({ code: answer.status, error: expect.stringMatching(/./) });
  expect(answer.json.request).toBe(face.name === "native" ? path : path.slice(1));
}

/** What a row answers is what the reference says that it answers, and what it refuses is the error object. */
async function isAsDescribed({ status, json }: Answer, { face, row }: Spot): Promise<void> {
  const schemas = await face.answers();
  const names = status === 200 ? row.answer.split(" | ") : ["Error"];
  const wrong = names.map((name) => {
    const schema = schemas[name.replace("[]", "")]!;
    return (name.endsWith("[]") ? z.array(schema) : schema).safeParse(json).error?.issues;
  });
  expect(wrong.includes(undefined) ? [] : wrong).toEqual([]);
}

describe.each(spots)("$title", (spot) => {
  const { face, row, place } = spot;

  test("takes its methods and no other", async () => {
    const methods = allowed(place.path);
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      if (methods.includes(method)) continue;
      const answer = await world.anonymous.send(method, place.path);
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get("allow")!.split(", ").toSorted()).toEqual(
        [...new Set([...methods, "OPTIONS"])].toSorted(),
      );
      if (method !== "HEAD") isFailure(answer, face, place.path);
    }
  });

  test("answers OPTIONS without credentials", async () => {
    const answer = await world.anonymous.send("OPTIONS", place.path);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("needs its credentials", async () => {
    for (const format of formats(spot)) {
      const path = `${place.path}.${format}`;
      // Somebody who names nobody is asked who they are (microblog contract 3.5).
      const query = row.access === "public" ? { screen_name: "alma" } : {};
      const answer = await world.anonymous.send(anyMethod(spot), path, undefined, { query });
      if (row.access === "public") expect(answer.status).not.toBe(401);
      else {
        expect([401, 403]).toContain(answer.status);
        if (answer.status === 401) expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
        isFailure(answer, face, path);
      }
    }
  });
});

describe.each(rows)("$title", (spot) => {
  const { face, place } = spot;

  test("refuses wrong credentials", async () => {
    const answer = await clientOf(world.app, "alma:wrong").send(anyMethod(spot), place.path);
    // Where tokens are given, a signature is asked for, and a password is nothing.
    expect(answer.status).toBe(spot.row.givesToken ? 400 : 401);
    isFailure(answer, face, place.path);
  });

  test("answers in each of its formats", async () => {
    for (const format of formats(spot)) {
      const path = `${place.path}.${format}`;
      const answer = await alma.send(anyMethod(spot), path);
      expect(answer.status).toBeLessThan(500);
      wellFormed(answer);
      if (answer.status !== 200) isFailure(answer, face, path);
      if (format === "json" && !spot.row.ownForm) await isAsDescribed(answer, spot);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-request-id")).toMatch(/./);
      expect(answer.headers.get("set-cookie")).toBeNull();
      await isNotSentTwice(answer, spot, path);
    }
  });

  test("understands its own example, and answers or refuses it as described", async () => {
    const { row } = spot;
    if (!row.example) return;
    const method = methodsOf(row, place.alias).find((one) => one !== "GET" && one !== "HEAD") ?? "GET";
    const query = method === "POST" ? {} : row.example;
    const body = method === "POST" ? new URLSearchParams(row.example) : undefined;
    const sent = row.alwaysJson ? row.example[row.jsonBody!] : body;
    // What it does may be anything, moving house included.
    const somebody = await world.person(`somebody${rows.indexOf(spot)}`);
    const answer = await somebody.send(method, place.path, sent, { query: row.alwaysJson ? {} : query });
    expect(answer.status).toBeLessThan(500);
    if (!row.ownForm) await isAsDescribed(answer, spot);
  });

  test("has no other format", async () => {
    for (const format of ["json", "xml", "rss", "atom"] as const) {
      if (formats(spot).includes(format)) continue;
      expect([format, (await alma.send(anyMethod(spot), `${place.path}.${format}`)).status]).toEqual([format, 404]);
    }
  });

  test("answers HEAD like GET, without a body", async () => {
    if (!allowed(place.path).includes("GET")) return;
    const [head, get] = [await alma.send("HEAD", place.path), await alma.get(place.path)];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });

  test("does not act as somebody else's channel", async () => {
    if (spot.row.access === "public") return;
    const answer = await alma.send(anyMethod(spot), place.path, undefined, { query: { channel: "nobody" } });
    expect(answer.status).toBe(403);
    isFailure(answer, face, place.path);
  });
});

test("no two endpoints of a face share a path and a method", () => {
  const seen = spots.flatMap(({ row, place }) =>
    methodsOf(row, place.alias).map((method) => `${method} ${place.path}`),
  );
  expect(seen.filter((name, at) => seen.indexOf(name) !== at)).toEqual([]);
});
