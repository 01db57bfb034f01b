import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { RefusedAddress } from "../../fetch/fetch.ts";
import type { Fetch } from "../../fetch/fetch.ts";

/** Pictures of identities that a bridge made known (native contract 6.14). */

let world: TestApp;
let alma: Person;
let picture: Buffer;
let answer: Fetch;
let asked: string[];
const api = "/api/z/1.0/xchan";
const none = "http://hub.example/photo/profile/l/0";

beforeAll(async () => {
  world = await openTestApp({
    fetch: (url, options) => {
      asked.push(url);
      return answer(url, options);
    },
  });
  alma = await world.person("alma");
  picture = await sharp({ create: { width: 500, height: 400, channels: 3, background: "#a33" } })
    .withExif({ IFD0: { Copyright: "secret note" } })
    .jpeg()
    .toBuffer();
});
beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve(new Response(new Uint8Array(picture)));
});
afterAll(() => world.close());

const add = async (guid: string, photo = "https://bridge.example/face.jpg") =>
  (await alma.post(api, { guid, name: "Remote", network: "rss", photo })).json;
const find = async (hash: string) => (await alma.get(api, { hash })).json;

test("are fetched once, drawn anew and shown from here", async () => {
  expect(await add("one")).toMatchObject({ photo_l: none, photo_mimetype: "image/png" });
  expect(asked).toEqual([]);
  await world.work();
  expect(asked).toEqual(["https://bridge.example/face.jpg"]);
  const made = await find("one");
  expect(made.photo_mimetype).toBe("image/jpeg");
  for (const [name, edge] of [
    ["photo_l", 300],
    ["photo_m", 80],
    ["photo_s", 48],
  ] as const) {
    expect(made[name]).toMatch(/^http:\/\/hub\.example\/photo\/[0-9a-f]{32}-[456]$/);
    const shown = await world.app.request(made[name]);
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: edge, height: edge });
    expect(bytes.includes("secret note")).toBe(false);
  }
  await add("one", "https://bridge.example/other.jpg");
  await world.work();
  expect(asked).toHaveLength(1);
  await world.hub.db
    .insertInto("job")
    .values({
      name: "fetch-avatar",
      payload: JSON.stringify({ xchan: await idOf("one"), url: "https://bridge.example/new.jpg" }),
      run_at: "2020-01-01 00:00:00",
      created: "2020-01-01 00:00:00",
    })
    .execute();
  await world.work();
  expect((await find("one")).photo_l).not.toBe(made.photo_l);
  expect(await world.hub.db.selectFrom("photo").select("id").where("uid", "=", 0).execute()).toHaveLength(3);
  expect((await world.app.request(made.photo_l)).status).toBe(404);
});

async function idOf(hash: string): Promise<number> {
  const row = await world.hub.db
    .selectFrom("xchan")
    .select("xchan_id")
    .where("xchan_hash", "=", hash)
    .executeTakeFirstOrThrow();
  return row.xchan_id;
}

test.each<[string, () => Promise<Response>]>([
  ["no picture", () => Promise.resolve(new Response("<html>"))],
  ["half a picture", () => Promise.resolve(new Response(new Uint8Array(picture.subarray(0, 300))))],
  ["nothing there", () => Promise.resolve(new Response("", { status: 404 }))],
  ["far too much", () => Promise.resolve(new Response(new Uint8Array(6 * 1024 * 1024)))],
  ["an inner address", () => Promise.reject(new RefusedAddress("This address is not public"))],
])("%s changes nothing, and is not tried again", async (what, reply) => {
  answer = reply;
  const guid = what.replaceAll(" ", "-");
  await add(guid);
  await world.work();
  expect((await find(guid)).photo_l).toBe(none);
  expect(await world.hub.db.selectFrom("job").select("id").where("name", "=", "fetch-avatar").execute()).toEqual([]);
});

test("a server that is away is asked again later, and then left alone", async () => {
  answer = () => Promise.resolve(new Response("", { status: 503 }));
  await add("away");
  for (const seconds of [0, 61, 3601, 100_000]) {
    world.hub.advance(seconds);
    await world.work();
  }
  expect(asked).toHaveLength(3);
  expect((await find("away")).photo_l).toBe(none);
  answer = () => Promise.resolve(new Response(new Uint8Array(picture)));
  await add("back");
  answer = () => Promise.reject(new Error("bridge.example does not answer"));
  await world.work();
  answer = () => Promise.resolve(new Response(new Uint8Array(picture)));
  world.hub.advance(61);
  await world.work();
  expect((await find("back")).photo_l).not.toBe(none);
});
