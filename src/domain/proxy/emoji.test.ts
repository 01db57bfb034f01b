import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { TestApp } from "../../../test/support/app.ts";
import { picture } from "../../../test/support/pictures.ts";
import { setSiteBlock } from "../peers/site-blocks.ts";
import { withEmoji } from "./emoji.ts";
import { trimMedia } from "./trim.ts";
import { mediaUsage, setMediaRules } from "./usage.ts";

/** Emoji of other hubs (federation contract 4.2). */

let world: TestApp;
const asked: string[] = [];
const answers = new Map<string, Uint8Array<ArrayBuffer> | number>();

beforeAll(async () => {
  world = await openTestApp({
    fetch: (url) => {
      asked.push(url);
      const answer = answers.get(url) ?? 404;
      return Promise.resolve(typeof answer === "number" ? new Response("", { status: answer }) : new Response(answer));
    },
  });
});
beforeEach(() => void (asked.length = 0));
afterAll(() => world.close());

const url = (name: string) => `https://far.example/emoji/${name}.png`;
const image = async (edge: number, background = "#2266aa") =>
  new Uint8Array(await picture(edge, edge, background).png().toBuffer());
const imgOf = (code: string) =>
  `<img class="emoji" src="http://hub.example/proxy/emoji/far.example/${code}" alt=":${code}:" title=":${code}:">`;
const shown = (code: string, host = "far.example") =>
  world.app.request(`http://hub.example/proxy/emoji/${host}/${code}`);
const write = (html: string, codes: string[], updated?: string, host = "far.example") =>
  withEmoji(
    world.hub,
    host,
    codes.map((code) => ({ code, url: url(code), updated: updated === undefined ? undefined : new Date(updated) })),
    html,
  );

test("stand in the words of a text as pictures of ours, fetched once and drawn anew", async () => {
  answers.set(
    url("tree"),
    new Uint8Array(
      await picture(64, 64)
        .withExif({ IFD0: { Copyright: "secret note" } })
        .png()
        .toBuffer(),
    ),
  );
  const html =
    '<p title=":tree:">A :tree:, :tree: and :bush: <code>:tree:</code><a href="https://x.example/:tree:">:tree:</a></p>';
  expect(await write(html, ["tree", "leaf"])).toBe(
    `<p title=":tree:">A ${imgOf("tree")}, ${imgOf("tree")} and :bush: <code>:tree:</code><a href="https://x.example/:tree:">${imgOf("tree")}</a></p>`,
  );
  expect((await shown("tree")).status).toBe(404);
  await world.work();
  await write("again :tree:", ["tree"]);
  await world.work();
  expect(asked).toEqual([url("tree")]);
  const answer = await shown("tree");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect([(await sharp(bytes).metadata()).width, bytes.includes("secret note")]).toEqual([64, false]);
  expect((await shown("tree", "other.example")).status).toBe(404);
});

test("are fetched again when the hub says that they have changed", async () => {
  answers.set(url("sun"), await image(32));
  await write(":sun:", ["sun"], "2026-01-01T00:00:00Z");
  await world.work();
  const before = (await shown("sun")).headers.get("etag");
  answers.set(url("sun"), await image(48, "#aa2266"));
  await write(":sun:", ["sun"], "2026-01-01T00:00:00Z");
  await world.work();
  await write(":sun:", ["sun"], "2026-02-01T00:00:00Z");
  await world.work();
  expect(asked).toEqual([url("sun"), url("sun")]);
  expect((await shown("sun")).headers.get("etag")).not.toBe(before);
});

test.each<[string, () => Promise<Uint8Array<ArrayBuffer> | number> | number]>([
  ["too large", () => image(513)],
  [
    "too many bytes",
    async () => {
      const raw = { width: 400, height: 400, channels: 3 } as const;
      return new Uint8Array(
        await sharp(randomBytes(400 * 400 * 3), { raw })
          .png()
          .toBuffer(),
      );
    },
  ],
  ["no picture", () => Promise.resolve(new Uint8Array(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")))],
  ["not there", () => 404],
])("what is %s stays a code, and is not asked for again", async (what, answer) => {
  const code = what.replaceAll(" ", "_");
  answers.set(url(code), await answer());
  await write(`:${code}:`, [code]);
  await world.work();
  await write(`:${code}:`, [code]);
  await world.work();
  expect(asked).toEqual([url(code)]);
  expect((await shown(code)).status).toBe(404);
});

test("a site that is away is asked again later", async () => {
  answers.set(url("late"), 503);
  await write(":late:", ["late"]);
  await world.work();
  answers.set(url("late"), await image(32));
  world.hub.advance(7200);
  await world.work();
  expect((await shown("late")).status).toBe(200);
});

test("a code has a form, a text 64 of them, and nothing comes from where the site wants no media", async () => {
  const codes = Array.from({ length: 70 }, (_, n) => `n${n}`);
  const written = await write(codes.map((code) => `:${code}:`).join(" "), codes);
  expect(written.match(/<img/g)).toHaveLength(64);
  expect(await write(":a.b: :../x:", ["a.b", "../x"])).toBe(":a.b: :../x:");
  await setSiteBlock(world.hub, { domain: "rude.example", level: "none", noMedia: true });
  answers.set(url("rude"), await image(32));
  await world.work();
  asked.length = 0;
  await write(":rude:", ["rude"], undefined, "rude.example");
  await world.work();
  expect(asked).toEqual([]);
});

test("count as copies, and go when there is no more room", async () => {
  expect((await mediaUsage(world.hub)).emoji).toBeGreaterThan(0);
  await setMediaRules(world.hub, { mediaBudget: 0 });
  await trimMedia(world.hub);
  expect((await mediaUsage(world.hub)).emoji).toBe(0);
  expect((await shown("tree")).status).toBe(404);
});
