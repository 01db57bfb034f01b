import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { put } from "../../../../test/support/files.ts";
import { picture } from "../../../../test/support/pictures.ts";
import { postItem } from "../../../domain/items/posting/post.ts";
import { setOnlySignedReads } from "../../../domain/peers/signed-reads.ts";
import { digestMultibase } from "../digest-multibase.ts";
import { everybody } from "../everybody.ts";

/** Photos and files as objects; who may see them is in test/privacy-elsewhere.test.ts and test/privacy-pictures.test.ts. */

let world: TestApp;
let alma: Person;
let photo: string;
const base = "http://hub.example";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  ({ hash: photo } = await put(world.hub, alma.channel, "jars.png", await picture(1300, 900).png().toBuffer()));
  await world.hub.db.updateTable("photo").set({ description: 'a "jar"' }).where("resource_id", "=", photo).execute();
});
afterAll(() => world.close());

const get = (path: string, accept = "application/activity+json") =>
  world.anonymous.get(path, {}, { headers: { accept } });
const digestAt = async (url: string): Promise<string> => {
  const answer = await world.app.request(url, { headers: { accept: "image/*" } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return digestMultibase(createHash("sha256").update(bytes).digest("hex"));
};

test("a photo is an image, whichever rendition is asked for, with the address of that", async () => {
  const { status, json, headers } = await get(`/photo/${photo}`);
  expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([
    200,
    "application/activity+json",
    "Accept",
  ]);
  expect(headers.get("cache-control")).toBe("public, max-age=180");
  expect(json).toMatchObject({
    id: `${base}/photo/${photo}`,
    type: "Image",
    attributedTo: `${base}/channel/alma`,
    to: [everybody],
    published: "2026-03-01T12:00:00Z",
    mediaType: "image/png",
    name: 'a "jar"',
    summary: 'a "jar"',
    width: 1300,
    height: 900,
    url: `${base}/photo/${photo}-0.png`,
    blurhash: expect.any(String),
  });
  expect(json.digestMultibase).toBe(await digestAt(json.url));
  const medium = (await get(`/photo/${photo}-2.png`)).json;
  expect([medium.id, medium.url, medium.width]).toEqual([json.id, `${base}/photo/${photo}-2.png`, 640]);
  expect(medium.digestMultibase).toBe(await digestAt(medium.url));
});

test("what posts attach is an object at its address as well", async () => {
  const { uuid } = await postItem(world.hub, alma.channel, { body: `[img]${base}/photo/${photo}-1.png[/img]` });
  const [attached] = (await get(`/item/${uuid}`)).json.attachment;
  const { json } = await get(new URL(attached.url).pathname);
  for (const name of ["type", "mediaType", "width", "height", "url", "blurhash", "digestMultibase"])
    expect([name, json[name]]).toEqual([name, attached[name]]);
});

test("a file is a document, and no folder is one", async () => {
  const { hash } = await put(world.hub, alma.channel, "recipe.html", "<b>tea</b>");
  const { json } = await get(`/attach/${hash}`);
  expect(json).toMatchObject({
    id: `${base}/attach/${hash}`,
    type: "Document",
    attributedTo: `${base}/channel/alma`,
    to: [everybody],
    name: "recipe.html",
    mediaType: "text/plain",
    url: `${base}/attach/${hash}`,
    digestMultibase: digestMultibase(createHash("sha256").update("<b>tea</b>").digest("hex")),
  });
  const { folder } = await put(world.hub, alma.channel, "milk.txt", "milk", { folder: undefined });
  expect(folder).not.toBe("");
  expect((await get(`/attach/${folder}`)).status).toBe(404);
});

test.each([
  ["a browser", "image/avif,image/webp,image/*;q=0.8,*/*;q=0.5"],
  ["a program that takes images alone", "image/*"],
  ["one that takes audio alone", "audio/ogg"],
  ["one for JSON", "application/json"],
  ["whoever likes files as much", "application/activity+json, image/png"],
  ["whoever takes anything", "*/*"],
  ["whoever cannot be understood", "???"],
])("%s gets the bytes, which caches keep apart", async (_, accept) => {
  const answer = await get(`/photo/${photo}-2.png`, accept);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(answer.headers.get("vary")).toContain("Accept");
});

test.each([
  "application/activity+json, */*;q=0.1",
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  "application/activity+json, application/ld+json, text/html;q=0.1",
])("whoever asks by %s gets the object", async (accept) => {
  expect((await get(`/photo/${photo}`, accept)).json.type).toBe("Image");
});

test("bytes are there for all where objects are for those who sign", async () => {
  await setOnlySignedReads(world.hub, true);
  const statuses = [(await get(`/photo/${photo}`)).status, (await get(`/photo/${photo}`, "image/png")).status];
  await setOnlySignedReads(world.hub, false);
  expect(statuses).toEqual([401, 200]);
});
