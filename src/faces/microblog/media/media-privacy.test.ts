import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer, Client } from "../../../../test/support/client.ts";
import { password } from "../../../../test/support/hub.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";
import { updateConnection } from "../../../domain/connections/connections.ts";

/** Photos and media of others, tried at every door: what a caller may not see answers exactly like what does not exist. */

let world: TestApp;
let ann: Person;
let ben: Person;
let cleo: Person;
let dora: Person;
/** Ann's: not attached to anything, for Ben alone, and in an album of Ann's that nobody else is told of. */
let alone: Media;
let forBen: Media;
let inAlbum: Media;

type Media = { id: string; resource: string; item: number };

const never: Media = { id: "987654321", resource: "f".repeat(64), item: 987_654_321 };
const words = "marmalade on the shelf";

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  ben = await world.person("ben");
  cleo = await world.person("cleo");
  dora = await world.person("dora");
  for (const other of [ben, cleo, dora]) await befriend(world.hub, ann.channel, other.channel);
  const dorasId = await connectionId(world.hub, ann.channel, dora.channel);
  await updateConnection(world.hub, ann.channel, dorasId, { blocked: true });
  alone = await uploaded();
  forBen = await uploaded();
  await ann.post("/api/statuses/update.json", {
    status: "x",
    media_ids: forBen.id,
    contact_allow: [ben.channel.channel_hash],
  });
  const photo = await ann.send(
    "POST",
    "/api/svc/photo/create.json",
    formWith({ album: "Secret", desc: words, allow_cid: ben.channel.channel_hash }, [
      ["media", await bytes(), "secret.png", "image/png"],
    ]),
  );
  inAlbum = await mediaOf(photo.json.id);
  await world.work();
});
afterAll(() => world.close());

const bytes = () => picture(400, 300).png().toBuffer();

async function uploaded(): Promise<Media> {
  const form = formWith({ alt_text: words }, [["media", await bytes(), "secret.png", "image/png"]]);
  const { json } = await ann.send("POST", "/api/media/upload.json", form);
  return mediaOf(/photo\/([0-9a-f]+)/.exec(json.image.svc_preview_url)![1]!);
}

async function mediaOf(resource: string): Promise<Media> {
  const { id } = await world.hub.db
    .selectFrom("attach")
    .select("id")
    .where("hash", "=", resource)
    .executeTakeFirstOrThrow();
  const item = await world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select("item.id")
    .where("message.resource_id", "=", resource)
    .where("item.uid", "=", ann.channel.channel_id)
    .executeTakeFirstOrThrow();
  return { id: String(id), resource, item: item.id };
}

/** Every endpoint that takes the id of a photo or of media. */
const doors: [string, (who: Client, media: Media) => Promise<Answer>][] = [
  ["svc/photo", (who, { resource }) => who.get("/api/svc/photo.json", { photo_id: resource })],
  ["svc/photo with a scale", (who, { resource }) => who.get("/api/svc/photo.xml", { photo_id: resource, scale: 2 })],
  ["friendica/photo", (who, { resource }) => who.get("/api/friendica/photo.json", { photo_id: resource })],
  [
    "svc/photo/update",
    (who, { resource }) => who.post("/api/svc/photo/update.json", { photo_id: resource, album: "Secret", desc: "x" }),
  ],
  [
    "svc/photo/update to public",
    (who, { resource }) =>
      who.post("/api/svc/photo/create.json", { photo_id: resource, album: "2026-03", allow_cid: "" }),
  ],
  [
    "svc/photo/delete",
    (who, { resource }) =>
      who.send("DELETE", "/api/svc/photo/delete.json", undefined, { query: { photo_id: resource } }),
  ],
  [
    "friendica/photo/delete",
    (who, { resource }) => who.post("/api/friendica/photo/delete.json", { photo_id: resource }),
  ],
  ["statuses/update", (who, { id }) => who.post("/api/statuses/update.json", { status: "x", media_ids: id })],
  [
    "media/metadata/create",
    (who, { id }) =>
      who.send("POST", "/api/media/metadata/create.json", JSON.stringify({ media_id: id, alt_text: { text: "x" } })),
  ],
  ["media/upload STATUS", (who, { id }) => who.post("/api/media/upload.json", { command: "STATUS", media_id: id })],
  ["media/upload FINALIZE", (who, { id }) => who.post("/api/media/upload.json", { command: "FINALIZE", media_id: id })],
  ["statuses/show of its item", (who, { item }) => who.get("/api/statuses/show.json", { id: item })],
  ["the native photo", (who, { resource }) => who.get("/api/z/1.0/photo", { photo_id: resource })],
  ["the native file", (who, { resource }) => who.get("/api/z/1.0/filemeta", { file_id: resource })],
];

/** Doors to the item, for whom the photo is not. */
const itemDoors: [string, (who: Client, media: Media) => Promise<Answer>][] = [
  ["a comment", (who, { item }) => who.post("/api/statuses/update.json", { status: "x", in_reply_to_status_id: item })],
  ["a like", (who, { item }) => who.post("/api/svc/activity/like.json", { id: item })],
  ["a star", (who, { item }) => who.post("/api/favorites/create.json", { id: item })],
  ["a reshare", (who, { item }) => who.post("/api/statuses/retweet.json", { id: item })],
];

/** The answer without what the caller said itself. */
function answered({ status, text }: Answer, { resource }: Media): [number, string] {
  return [status, text.replaceAll(resource, "ID")];
}

describe.each([...doors, ...itemDoors])("%s", (name, door) => {
  const outsiders = () =>
    itemDoors.some(([one]) => one === name)
      ? ([
          ["cleo", cleo],
          ["dora", dora],
        ] as const)
      : ([
          ["ben", ben],
          ["cleo", cleo],
          ["dora", dora],
        ] as const);

  test("tells nobody else of a photo", async () => {
    for (const [nick, who] of outsiders()) {
      const unknown = answered(await door(who, never), never);
      for (const media of [alone, forBen, inAlbum])
        expect([nick, ...answered(await door(who, media), media)]).toEqual([nick, ...unknown]);
      expect(unknown[0]).toBeGreaterThanOrEqual(400);
    }
  });

  test("tells the anonymous nothing at all", async () => {
    const answers = await Promise.all([alone, forBen, inAlbum, never].map((media) => door(world.anonymous, media)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

test("nothing has changed by all that", async () => {
  for (const { resource } of [alone, forBen, inAlbum])
    expect((await ann.get("/api/svc/photo.json", { photo_id: resource })).json.desc).toBe(words);
});

describe("lists", () => {
  test.each<[string, (who: Client) => Promise<Answer>]>([
    ["svc/photos/list", (who) => who.get("/api/svc/photos/list.json")],
    ["svc/photoalbums", (who) => who.get("/api/svc/photoalbums.json")],
    ["svc/photoalbum", (who) => who.get("/api/svc/photoalbum.json", { album: "Secret" })],
    ["home_timeline", (who) => who.get("/api/statuses/home_timeline.json", { count: 200, include_entities: true })],
    ["user_timeline", (who) => who.get("/api/statuses/user_timeline.json", { screen_name: "ann" })],
    ["public_timeline", (who) => who.get("/api/statuses/public_timeline.json")],
  ])("%s shows nothing of them", async (_name, list) => {
    for (const who of [cleo, dora]) {
      const { text } = await list(who);
      for (const secret of [words, alone.resource, forBen.resource, inAlbum.resource, "Secret"])
        expect(text).not.toContain(secret);
    }
  });
});

describe("addresses of the bytes", () => {
  const browsers = new Map<string, Visitor>();
  beforeAll(async () => {
    for (const nick of ["ann", "ben", "cleo", "dora", "nobody"]) {
      const browser = visitorOf(world.app);
      if (nick !== "nobody") await browser.logIn(nick, password);
      browsers.set(nick, browser);
    }
  });
  const seen = async (path: string) => {
    const statuses: number[] = [];
    for (const browser of browsers.values()) statuses.push((await browser.get(path)).status);
    return statuses;
  };

  test.each([0, 1, 2, 3])("scale %d", async (scale) => {
    for (const end of ["", ".png", ".png:small"]) {
      expect(await seen(`/photo/${alone.resource}-${scale}${end}`)).toEqual([200, 404, 404, 404, 404]);
      expect(await seen(`/photo/${forBen.resource}-${scale}${end}`)).toEqual([200, 200, 404, 404, 404]);
      // Scale 2 stands for the thumbnail that such photos lack, for the same people.
      expect(await seen(`/photo/${inAlbum.resource}-${scale}${end}`)).toEqual([200, 200, 404, 404, 404]);
    }
  });

  test("the file and its page", async () => {
    for (const path of [`/attach/${alone.resource}`, `/photos/ann/image/${alone.resource}`, `/photo/${alone.resource}`])
      expect(await seen(path)).toEqual([200, 404, 404, 404, 404]);
  });
});

test("a status with the address of somebody else's photo tells nothing of it", async () => {
  const url = (media: Media) => `http://hub.example/photo/${media.resource}-2.png`;
  const entityOf = async (media: Media) => {
    const { json } = await cleo.post("/api/statuses/update.json", {
      status: `[img]${url(media)}[/img]`,
      include_entities: true,
    });
    return JSON.stringify([json.attachments, json.entities.media])
      .replaceAll(media.resource, "ID")
      .replaceAll(media.resource.slice(0, 8), "ID");
  };
  expect(await entityOf(alone)).toBe(await entityOf(never));
});

test("an upload takes no file of somebody else's into its place", async () => {
  const before = await ann.get("/api/svc/photos/list.json");
  for (const album of ["Secret", "/photos/ann", "../ann"]) {
    const form = formWith({ album }, [["media", await bytes(), "secret.png", "image/png"]]);
    const { status } = await cleo.send("POST", "/api/media/upload.json", form);
    expect([200, 400]).toContain(status);
  }
  expect((await ann.get("/api/svc/photos/list.json")).json).toEqual(before.json);
});
