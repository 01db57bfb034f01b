import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { password } from "../../../../../test/support/hub.ts";
import { picture } from "../../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../../test/support/visitor.ts";
import { proxied } from "../../../../domain/proxy/addresses.ts";
import { removeSiteBlock, setSiteBlock } from "../../../../domain/peers/site-blocks.ts";
import { setSetting } from "../../../../domain/identity/site/site-settings.ts";

/** Media of other sites at addresses of ours (federation contract 14). */

type Reply = (headers: Record<string, string>) => Response;

let world: TestApp;
let alma: Visitor;
let nobody: Visitor;
let jpeg: Uint8Array<ArrayBuffer>;
let asked: string[];
const replies = new Map<string, Reply>();
const film = new Uint8Array(9 * 2 ** 20).map((_, at) => at % 251);
film.set(Buffer.from("\0\0\0\x20ftypisom", "latin1"));

beforeAll(async () => {
  world = await openTestApp({
    env: { HUBBUB_RATE_LIMITS: "on" },
    fetch: (url, { headers = {} } = {}) => {
      asked.push(headers["range"] === undefined ? url : `${url} ${headers["range"]}`);
      const reply = replies.get(url);
      return reply ? Promise.resolve(reply(headers)) : Promise.reject(new Error("far.example does not answer"));
    },
  });
  await world.person("alma");
  alma = visitorOf(world.app);
  await alma.logIn("alma", password);
  jpeg = new Uint8Array(
    await picture(300, 200)
      .withExif({ IFD0: { Copyright: "secret note" } })
      .jpeg()
      .toBuffer(),
  );
});
beforeEach(() => {
  asked = [];
  nobody = visitorOf(world.app);
  // A minute later the next visitor has all requests.
  world.hub.advance(61);
});
afterAll(() => world.close());

let count = 0;
/** An address that answers so, and ours for it. */
function at(reply: Reply, keeping?: "cache" | "proxy"): { url: string; path: string } {
  const url = `https://far.example/${++count}`;
  replies.set(url, reply);
  return { url, path: proxied(world.hub, url, keeping && { keeping }).slice("http://hub.example".length) };
}
const bytesAt = async (path: string): Promise<Buffer> => {
  const cookie = [...alma.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return Buffer.from(
    await (await world.app.request(`http://hub.example${path}`, { headers: { cookie } })).arrayBuffer(),
  );
};

describe("a picture", () => {
  test("is fetched for who is logged in, drawn anew, kept, and shown to everybody from then on", async () => {
    const { url, path } = at(() => new Response(jpeg, { headers: { "content-type": "text/html" } }));
    expect((await nobody.get(path)).status).toBe(404);
    expect(asked).toEqual([]);
    const [first, second] = await Promise.all([alma.get(path), alma.get(path)]);
    expect([first.status, second.status, first.headers.get("content-type")]).toEqual([200, 200, "image/jpeg"]);
    const seen = await nobody.get(path);
    expect([seen.status, seen.headers.get("cache-control")]).toEqual([200, "public, max-age=86400"]);
    expect(asked).toEqual([url]);
    const bytes = await bytesAt(path);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 300, height: 200 });
    expect(bytes.includes("secret note")).toBe(false);
    const part = await nobody.get(path, { range: "bytes=0-9" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 0-9/${bytes.length}`]);
    const known = await nobody.get(path, { "if-none-match": seen.headers.get("etag")! });
    expect(known.status).toBe(304);
  });

  test("of which no copy is kept is fetched each time, for who is logged in alone", async () => {
    const { url, path } = at(() => new Response(jpeg), "proxy");
    expect((await alma.get(path)).status).toBe(200);
    expect((await alma.get(path)).status).toBe(200);
    expect((await nobody.get(path)).status).toBe(404);
    expect(asked).toEqual([url, url]);
    await setSetting(world.hub, "mediaCopies", "everybody");
    await alma.get(path);
    await setSetting(world.hub, "mediaCopies", "connections");
    expect((await nobody.get(path)).status).toBe(200);
    await setSetting(world.hub, "mediaCopies", "nobody");
    const other = at(() => new Response(jpeg));
    expect((await alma.get(other.path)).status).toBe(200);
    expect((await nobody.get(other.path)).status).toBe(404);
    await setSetting(world.hub, "mediaCopies", "connections");
  });

  test("is shown only where it has the bytes that its author meant, and others stay what they are", async () => {
    const { url, path } = at(() => new Response(jpeg));
    const meant = createHash("sha256").update(jpeg).digest("hex");
    const pathOf = (digest: string): string => new URL(proxied(world.hub, url, { keeping: "cache", digest })).pathname;
    expect((await alma.get(pathOf("0".repeat(64)))).status).toBe(502);
    expect((await alma.get(pathOf(meant))).status).toBe(200);
    expect((await nobody.get(pathOf(meant))).status).toBe(200);
    expect((await nobody.get(pathOf("0".repeat(64)))).status).toBe(502);
    expect((await nobody.get(path)).status).toBe(404);
  });

  test("is shown no larger than pages need it", async () => {
    const large = new Uint8Array(await picture(4000, 1000).png().toBuffer());
    const { path } = at(() => new Response(large));
    expect(await sharp(await bytesAt(path)).metadata()).toMatchObject({ format: "png", width: 2048, height: 512 });
  });
});

describe("what is not shown", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, () => Promise<Reply> | Reply]>([
    ["a drawing that may run script", () => () => new Response(svg, { headers: { "content-type": "image/svg+xml" } })],
    [
      "a page",
      () => () => new Response(`<html>${"x".repeat(100)}</html>`, { headers: { "content-type": "image/png" } }),
    ],
    ["half a picture", () => () => new Response(jpeg.slice(0, 200))],
    ["nothing", () => () => new Response("", { status: 404 })],
    ["an error with a picture", () => () => new Response(jpeg, { status: 500 })],
    ["a film that does not tell its length", () => () => new Response(new Uint8Array(film.slice(0, 100)))],
    [
      "a film that is too long",
      () => () => new Response(film.slice(0, 100), { headers: { "content-length": String(2 ** 28) } }),
    ],
    [
      "too many pixels",
      async () => {
        const bomb = new Uint8Array(await picture(8000, 6000).png().toBuffer());
        return () => new Response(bomb);
      },
    ],
    [
      "too many bytes",
      () => () => {
        const piece = Buffer.alloc(2 ** 20, "\xff\xd8\xff", "latin1");
        let left = 40;
        return new Response(
          new ReadableStream({
            pull: (stream) => (left-- > 0 ? stream.enqueue(piece) : stream.close()),
          }),
        );
      },
    ],
  ])("%s: 502, remembered", async (_, make) => {
    const { path } = at(await make());
    expect((await alma.get(path)).status).toBe(502);
    expect((await alma.get(path)).status).toBe(502);
    expect((await nobody.get(path)).status).toBe(502);
    expect(asked).toHaveLength(1);
  });

  test("is asked for again later, and later still", async () => {
    const { url, path } = at(() => new Response("", { status: 503 }));
    for (const seconds of [0, 299, 2, 599, 2]) {
      world.hub.advance(seconds);
      expect((await alma.get(path)).status).toBe(502);
    }
    expect(asked).toHaveLength(3);
    replies.set(url, () => new Response(jpeg));
    world.hub.advance(6 * 3600);
    expect((await alma.get(path)).status).toBe(200);
  });

  test("what is of a host from which the site wants no pictures is not there, also where a copy is", async () => {
    const { url, path } = at(() => new Response(jpeg));
    expect((await alma.get(path)).status).toBe(200);
    for (const level of ["none", "suspend"] as const) {
      await setSiteBlock(world.hub, { domain: new URL(url).hostname, level, noMedia: level === "none" });
      for (const visitor of [alma, nobody]) expect((await visitor.get(path)).status).toBe(404);
    }
    await removeSiteBlock(world.hub, new URL(url).hostname);
    expect((await nobody.get(path)).status).toBe(200);
  });

  test("an address that we have not signed is not there", async () => {
    const { path } = at(() => new Response(jpeg));
    const [, , signature = "", encoded = ""] = path.split("/");
    const forged = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    for (const address of [`/proxy/${forged}/${encoded}`, `/proxy/${signature}/${encoded}x`, `/proxy/${signature}/%00`])
      expect((await alma.get(address)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});

describe("a film", () => {
  const whole: Reply = () => new Response(film, { headers: { "content-length": String(film.length) } });
  const inParts: Reply = ({ range }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (from === undefined) return whole({});
    const part = film.slice(Number(from), Number(to) + 1);
    const headers = { "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${film.length}` };
    return new Response(part, { status: 206, headers });
  };

  test.each([
    ["of a site that sends parts", inParts],
    ["of a site that sends everything each time", whole],
  ])("%s is passed on in the parts that a player wants", async (_, reply) => {
    const { url, path } = at(reply);
    const start = await alma.get(path, { range: "bytes=0-" });
    const size = film.length;
    expect([start.status, start.headers.get("content-range")]).toEqual([206, `bytes 0-${2 ** 23 - 1}/${size}`]);
    expect(start.headers.get("content-type")).toBe("video/mp4");
    asked = [];
    const end = await alma.get(path, { range: `bytes=${size - 10}-${size - 1}` });
    expect([end.status, end.headers.get("content-length")]).toEqual([206, "10"]);
    expect(asked).toEqual([`${url} bytes=${size - 10}-${size - 1}`]);
    expect((await bytesAt(path)).equals(film)).toBe(true);
    expect((await nobody.get(path, { range: "bytes=0-" })).status).toBe(404);
  });
});

test("who has no log-in asks 60 times a minute, whatever for", async () => {
  const { path } = at(() => new Response(jpeg));
  await alma.get(path);
  const statuses = new Set<number>();
  for (let times = 0; times < 60; times++)
    statuses.add((await nobody.get(times % 2 === 0 ? path : "/proxy/a/b")).status);
  expect([...statuses]).toEqual([200, 404]);
  const refused = await nobody.get(path);
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect((await alma.get(path)).status).toBe(200);
  world.hub.advance(61);
  expect((await nobody.get(path)).status).toBe(200);
});
