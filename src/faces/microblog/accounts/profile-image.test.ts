import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { readXml, textAt } from "../../../../test/support/microblog.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { createProfile, defaultProfile, findProfile } from "../../../domain/identity/channels/profiles.ts";
import { readBlob } from "../../../domain/files/blobs.ts";
import { avatarOf, hasAvatar } from "../../../domain/photos/avatar.ts";

/** account/update_profile_image (microblog contract 8.1). */

let world: TestApp;
let ann: Person;
let ben: Person;
let red: Buffer;

const path = "/api/account/update_profile_image.json";

beforeAll(async () => {
  world = await openTestApp();
  [ann, ben] = [await world.person("ann"), await world.person("ben")];
  red = await picture(500, 400, "#ff0000").png().toBuffer();
});
beforeEach(() => world.hub.advance(60));
afterAll(() => world.close());

const send = (fields: Record<string, string>, name?: string, bytes = red, who = ann): Promise<Answer> =>
  who.send("POST", path, formWith(fields, name ? [[name, bytes, "me.png", "image/png"]] : []));

/** The colour of the channel's picture. */
async function colour(who = ann): Promise<number[]> {
  const { bytes } = await avatarOf(world.hub, who.channel.channel_id, "l");
  return (await sharp(bytes).stats()).channels.slice(0, 3).map((one) => Math.round(one.mean));
}

async function rows(who = ann) {
  return world.hub.db
    .selectFrom("photo")
    .select(["resource_id", "imgscale", "width", "height", "photo_usage", "profile", "blob"])
    .where("uid", "=", who.channel.channel_id)
    .where("imgscale", ">=", 4)
    .orderBy("id")
    .execute();
}

describe("the channel's own picture", () => {
  test("changes, and the answer is the user", async () => {
    const posted = await ann.post("/api/statuses/update.json", { status: "Hello", contact_allow: [] });
    const before = await photoDate();
    const { status, json } = await send({}, "image");
    expect([status, json]).toMatchObject([
      200,
      {
        screen_name: "ann",
        default_profile_image: false,
        profile_image_url_large: `http://hub.example/photo/profile/l/${ann.channel.channel_id}`,
        status: { id: posted.json.id },
      },
    ]);
    expect(json.status.user).toBeUndefined();
    expect(await colour()).toEqual([255, 0, 0]);
    expect((await photoDate()) > before).toBe(true);
    expect(
      (await rows()).map(({ imgscale, width, height, photo_usage, profile }) => [
        imgscale,
        width,
        height,
        photo_usage,
        profile,
      ]),
    ).toEqual([
      [4, 300, 300, 1, 1],
      [5, 80, 80, 1, 1],
      [6, 48, 48, 1, 1],
    ]);
    const [photo] = (await ann.get("/api/svc/photos/list.json")).json;
    expect(photo).toMatchObject({ album: "Profile Photos", filename: "me.png" });
    expect((await ann.get("/api/svc/photo.json", { photo_id: photo.id, scale: 4 })).json).toMatchObject({
      profile: 1,
      width: 300,
      height: 300,
    });
    const seen = await visitorOf(world.app).get(`/photo/profile/s/${ann.channel.channel_id}`);
    expect([seen.status, seen.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test("has all three sizes, however small the image is", async () => {
    const tiny = await picture(10, 10, "#00ff00").png().toBuffer();
    expect((await send({ skip_status: "true" }, "media", tiny)).json.status).toBeUndefined();
    const made = (await rows()).slice(3);
    expect(made.map(({ imgscale, width, photo_usage }) => [imgscale, width, photo_usage])).toEqual([
      [4, 300, 1],
      [5, 80, 1],
      [6, 48, 1],
    ]);
    for (const { blob, width } of made)
      expect((await sharp(await readBlob(world.hub, blob)).metadata()).width).toBe(width);
    expect((await rows()).slice(0, 3).map(({ photo_usage, profile }) => [photo_usage, profile])).toEqual(
      [0, 1, 2].map(() => [0, 0]),
    );
    expect(await colour()).toEqual([0, 255, 0]);
  });

  test.each<[string, () => Promise<Answer>]>([
    ["image as base64", () => ann.post(path, { image: red.toString("base64") })],
    ["media as base64", () => ann.post(path, { media: red.toString("base64") })],
    ["image as base64 in a multipart form", () => send({ image: red.toString("base64") })],
    [
      "the id of the default profile",
      async () => send({ profile_id: String((await defaultProfile(world.hub, ann.channel.channel_id)).id) }, "image"),
    ],
    ["an empty profile id", () => send({ profile_id: "" }, "image")],
  ])("is taken as %s", async (_name, call) => {
    await send({}, "image", await picture(20, 20, "#0000ff").png().toBuffer());
    expect((await call()).status).toBe(200);
    expect(await colour()).toEqual([255, 0, 0]);
  });

  test("answers in XML", async () => {
    const form = formWith({}, [["image", red, "me.png", "image/png"]]);
    const root = readXml(await ann.send("POST", path.replace("json", "xml"), form));
    expect([root.name, textAt(root, "screen_name")]).toEqual(["user", "ann"]);
  });
});

test("another profile gets its picture alone", async () => {
  const profile = await createProfile(world.hub, ann.channel, "Work");
  await send({}, "image");
  const blue = await picture(400, 400, "#0000ff").jpeg().toBuffer();
  expect((await send({ profile_id: String(profile.id) }, "image", blue)).status).toBe(200);
  expect(await colour()).toEqual([255, 0, 0]);
  const { photo, thumb } = await findProfile(world.hub, ann.channel.channel_id, profile.id);
  expect([photo, thumb]).toEqual([
    expect.stringMatching(/^http:\/\/hub\.example\/photo\/[0-9a-f]{64}-4\.jpg$/),
    photo.replace("-4.jpg", "-5.jpg"),
  ]);
  for (const url of [photo, thumb]) expect((await visitorOf(world.app).get(new URL(url).pathname)).status).toBe(200);
  const resource = /photo\/([0-9a-f]+)/.exec(photo)![1]!;
  expect((await ann.get("/api/svc/photo.json", { photo_id: resource })).json.profile).toBe(0);
  await ann.send("DELETE", "/api/svc/photo/delete.json", undefined, { query: { photo_id: resource } });
  expect((await findProfile(world.hub, ann.channel.channel_id, profile.id)).photo).toBe(
    `http://hub.example/photo/profile/l/${ann.channel.channel_id}`,
  );
});

test("replacing the bytes of the profile photo changes the picture", async () => {
  await send({}, "image");
  const { resource_id } = (await rows()).findLast((row) => row.photo_usage === 1)!;
  const green = await picture(200, 200, "#00ff00").png().toBuffer();
  const form = formWith({ photo_id: resource_id, album: "Profile Photos" }, [["media", green, "x.png", "image/png"]]);
  const { json } = await ann.send("POST", "/api/svc/photo/update.json", form);
  expect([json.profile, Object.keys(json.link)]).toEqual([1, ["0", "1", "2", "4", "5", "6"]]);
  expect(await colour()).toEqual([0, 255, 0]);
});

describe("refusals", () => {
  test.each<[string, () => Promise<Answer>, number, string]>([
    ["no image", () => send({}), 400, "no media data submitted"],
    ["no image and an unknown profile", () => send({ profile_id: "99999" }), 400, "no media data submitted"],
    ["an unknown profile", () => send({ profile_id: "99999" }, "image"), 400, "profile_id not available"],
    ["no profile id", () => send({ profile_id: "x" }, "image"), 400, "profile_id not available"],
    [
      "somebody else's profile",
      async () => send({ profile_id: String((await defaultProfile(world.hub, ben.channel.channel_id)).id) }, "image"),
      400,
      "profile_id not available",
    ],
    ["text", () => send({}, "image", Buffer.from("no image")), 400, "Unsupported filetype"],
    ["half an image", () => send({}, "image", red.subarray(0, 300)), 400, "unable to process image data"],
    ["bad base64", () => ann.post(path, { image: "%%" }), 400, "unable to process image data"],
  ])("%s", async (_name, call, status, error) => {
    const before = await everything();
    const answer = await call();
    expect([answer.status, answer.json]).toEqual([
      status,
      { error, code: status, request: "api/account/update_profile_image.json" },
    ]);
    expect(await everything()).toEqual(before);
  });

  test("GET without credentials is 405, which clients take for support", async () => {
    expect((await world.anonymous.get(path)).status).toBe(405);
    expect((await world.anonymous.send("POST", path, formWith({}, []))).status).toBe(401);
    expect(await hasAvatar(world.hub, ben.channel.channel_id)).toBe(false);
  });
});

async function everything() {
  const photos = await world.hub.db.selectFrom("photo").selectAll().orderBy("id").execute();
  const files = await world.hub.db.selectFrom("attach").selectAll().where("is_dir", "=", 0).orderBy("id").execute();
  return { photos, files };
}

async function photoDate(): Promise<string> {
  const { xchan_photo_date } = await world.hub.db
    .selectFrom("xchan")
    .select("xchan_photo_date")
    .where("xchan_hash", "=", ann.channel.channel_hash)
    .executeTakeFirstOrThrow();
  return xchan_photo_date;
}
