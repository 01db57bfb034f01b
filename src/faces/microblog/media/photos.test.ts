import { anonymous } from "../../../../test/support/observers.ts";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { childOf, childrenOf, readXml, textAt } from "../../../../test/support/microblog.ts";
import { befriend, connectionId } from "../../../../test/support/people.ts";
import { formWith, picture } from "../../../../test/support/pictures.ts";
import { createGroup } from "../../../domain/groups/groups.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { findPhoto } from "../../../domain/photos/find.ts";

/** Photos and albums of the extension interface (microblog contract 9.4, 9.5). */

let world: TestApp;
let ann: Person;
let ben: Person;
let cleo: Person;
let large: Buffer;
let small: Buffer;
let cidOfBen: number;
let friends: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, ben, cleo] = [await world.person("ann"), await world.person("ben"), await world.person("cleo")];
  await befriend(world.hub, ann.channel, ben.channel);
  await befriend(world.hub, ann.channel, cleo.channel);
  cidOfBen = await connectionId(world.hub, ann.channel, ben.channel);
  friends = (await createGroup(world.hub, ann.channel.channel_id, "Sailors")).id;
  large = await picture(1600, 1200).jpeg().toBuffer();
  small = await picture(90, 60).png().toBuffer();
});
afterAll(() => world.close());

type Fields = Record<string, string>;

const save = (fields: Fields, bytes?: Buffer, path = "/api/svc/photo/create.json", who = ann): Promise<Answer> =>
  who.send("POST", path, formWith(fields, bytes ? [["media", bytes, "boat.jpg", "image/jpeg"]] : []));

async function created(fields: Fields = {}, bytes = small): Promise<any> {
  const answer = await save({ album: "Boats", ...fields }, bytes);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"id"')]);
  return answer.json;
}

const photoOf = async (id: string, query = {}, who = ann) => who.get("/api/svc/photo.json", { photo_id: id, ...query });

/** Who finds the picture. */
async function whoSees(resource: string): Promise<string[]> {
  const observers = [ann, ben, cleo].map(({ nick, channel }) => [nick, observerOf(channel)] as const);
  const seeing: string[] = [];
  for (const [nick, observer] of [...observers, ["nobody", anonymous] as const]) {
    const found = await findPhoto(world.hub, observer, { resource, scale: 0 }).catch(() => undefined);
    if (found) seeing.push(nick);
  }
  return seeing;
}

const everybody = ["ann", "ben", "cleo", "nobody"];

async function usualAudience(channel_allow_cid: string): Promise<void> {
  const { channel_id } = ann.channel;
  await world.hub.db.updateTable("channel").set({ channel_allow_cid }).where("channel_id", "=", channel_id).execute();
}

async function itemOf(resource: string) {
  return world.hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .select(["item.id", "item.item_hidden", "item.item_deleted", "message.resource_id", "message.body"])
    .where("item.uid", "=", ann.channel.channel_id)
    .where("message.resource_id", "=", resource)
    .executeTakeFirst();
}

describe("svc/photo/create", () => {
  test("answers the photo object", async () => {
    const photo = await created({ desc: "A boat", allow_cid: "" }, large);
    expect(photo).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      created: "2026-03-01 12:00:00",
      edited: "2026-03-01 12:00:00",
      title: "",
      desc: "A boat",
      album: "Boats",
      filename: "boat.jpg",
      type: "image/jpeg",
      height: 1200,
      width: 1600,
      profile: 0,
      link: Object.fromEntries([0, 1, 2].map((n) => [n, `http://hub.example/photo/${photo.id}-${n}.jpg`])),
      "media-id": expect.any(Number),
      scales: [
        [1600, 1200],
        [1024, 768],
        [640, 480],
      ].map(([width, height], scale) => ({
        id: expect.any(Number),
        scale,
        link: `http://hub.example/photo/${photo.id}-${scale}.jpg`,
        width,
        height,
        size: expect.any(Number),
      })),
      allow_cid: "",
      deny_cid: "",
      allow_gid: "",
      deny_gid: "",
      svc_activities: { like: [], dislike: [], attendyes: [], attendno: [], attendmaybe: [] },
      svc_comments: [],
      friendica_activities: { like: [], dislike: [], attendyes: [], attendno: [], attendmaybe: [], announce: [] },
      friendica_comments: [],
      rights_mismatch: false,
    });
    expect(await whoSees(photo.id)).toEqual(everybody);
  });

  test("makes an item that shows in no timeline before somebody answers", async () => {
    const { id, link } = await created({ allow_cid: `<${cidOfBen}>` });
    const item = await itemOf(id);
    expect(item).toMatchObject({ item_hidden: 1, body: expect.stringContaining(link["2"]) });
    await world.work();
    const ids = async (who: Person) =>
      (await who.get("/api/statuses/home_timeline.json")).json.map((status: any) => status.id as number);
    expect(await ids(ann)).not.toContain(item!.id);
    const answered = { status: "Fine boat", in_reply_to_status_id: item!.id };
    expect((await cleo.post("/api/statuses/update.json", answered)).status).toBe(404);
    expect((await ben.post("/api/statuses/update.json", answered)).json.text).toBe("Fine boat");
    await world.work();
    expect(await ids(ann)).toContain(item!.id);
  });

  test("its item appears with the first reaction, too", async () => {
    const { id } = await created({ allow_cid: `<${cidOfBen}>` });
    const item = await itemOf(id);
    const like = (who: Person, verb = "like") => who.post(`/api/svc/activity/${verb}.json`, { id: item!.id });
    expect([(await like(cleo)).status, (await like(ben, "unlike")).status]).toEqual([400, 200]);
    expect((await itemOf(id))!.item_hidden).toBe(1);
    expect((await like(ben)).json).toBe("ok");
    expect((await itemOf(id))!.item_hidden).toBe(0);
    expect((await photoOf(id)).json.svc_activities.like).toMatchObject([{ screen_name: "ben" }]);
  });

  test.each(["update", "create"])("svc/photo/%s without an id creates, with PUT it is refused", async (name) => {
    const path = `/api/svc/photo/${name}.json`;
    expect((await save({ album: "Boats" }, small, path)).json.album).toBe("Boats");
    expect((await save({ album: "Boats" }, small, path.replace("svc", "friendica"))).json.link).toEqual([
      expect.stringMatching(/-0\.png$/),
      expect.stringMatching(/-1\.png$/),
      expect.stringMatching(/-2\.png$/),
    ]);
    expect((await ann.send("PUT", path, formWith({}, []))).status).toBe(405);
  });

  test("takes base64, and any type by its bytes", async () => {
    const answer = await ann.post("/api/svc/photo/create.json", { album: "Boats", media: small.toString("base64") });
    expect([answer.status, answer.json]).toMatchObject([200, { filename: "image.png", type: "image/png", width: 90 }]);
    for (const format of ["gif", "webp", "png", "jpeg"] as const) {
      const bytes = await picture(50, 40).toFormat(format).toBuffer();
      expect(await created({}, bytes)).toMatchObject({ type: `image/${format}`, width: 50, height: 40 });
    }
  });

  test("uses the channel's usual audience when none is said", async () => {
    await usualAudience(`<${ben.channel.channel_hash}>`);
    const photo = await created();
    expect(photo.allow_cid).toBe(`<${cidOfBen}>`);
    expect(await whoSees(photo.id)).toEqual(["ann", "ben"]);
    expect(await whoSees((await created({ allow_cid: "" })).id)).toEqual(everybody);
    await usualAudience("");
  });

  test.each<[string, () => Fields, string[], Fields]>([
    ["one person", () => ({ allow_cid: `<${cidOfBen}>` }), ["ann", "ben"], { allow_cid: "cid" }],
    ["all but one", () => ({ deny_cid: String(cidOfBen) }), ["ann", "cleo"], { deny_cid: "cid" }],
    ["a group", () => ({ allow_gid: `<${friends}>` }), ["ann"], { allow_gid: "gid" }],
    ["a person by hash", () => ({ allow_cid: ben.channel.channel_hash }), ["ann", "ben"], { allow_cid: "cid" }],
    [
      "several",
      () => ({ allow_cid: `<${cidOfBen}>`, allow_gid: `${friends}` }),
      ["ann", "ben"],
      { allow_cid: "cid", allow_gid: "gid" },
    ],
  ])("takes lists: %s", async (_name, lists, seeing, shown) => {
    const photo = await created(lists());
    expect(await whoSees(photo.id)).toEqual(seeing);
    const numbers: Fields = { cid: `<${cidOfBen}>`, gid: `<${friends}>` };
    for (const name of ["allow_cid", "deny_cid", "allow_gid", "deny_gid"])
      expect([name, photo[name]]).toEqual([name, shown[name] ? numbers[shown[name]] : ""]);
    expect(photo.rights_mismatch).toBe(false);
  });

  test("the top-level album is /", async () => {
    const photo = await created({ album: "/" });
    expect([photo.album, (await photoOf(photo.id)).json.album]).toEqual(["/", "/"]);
  });

  test.each<[string, () => Promise<Answer>, number, string]>([
    ["without an album", () => save({}, small), 400, "no albumname specified"],
    ["without an album or anything else", () => save({ allow_cid: "x" }), 400, "no albumname specified"],
    ["with an empty album", () => save({ album: " " }, small), 400, "no albumname specified"],
    ["without media", () => save({ album: "Boats", allow_cid: "x" }), 400, "no media data submitted"],
    ["with empty media", () => save({ album: "Boats" }, Buffer.alloc(0)), 400, "no media data submitted"],
    ["with an unknown person", () => save({ album: "Boats", allow_cid: "<99999>" }, small), 400, "acl data invalid"],
    ["with no list", () => save({ album: "Boats", deny_cid: "<>" }, small), 400, "acl data invalid"],
    ["with an unknown group", () => save({ album: "Boats", allow_gid: "<99999>" }, small), 400, "acl data invalid"],
    [
      "with a bad list and a bad image",
      () => save({ album: "Boats", allow_gid: "?" }, Buffer.from("no")),
      400,
      "acl data invalid",
    ],
    ["of what is no image", () => save({ album: "Boats" }, Buffer.from("no")), 400, "unable to process image data"],
    ["of half an image", () => save({ album: "Boats" }, large.subarray(0, 900)), 400, "unable to process image data"],
    ["in a bad place", () => save({ album: "a/../b" }, small), 400, "A name is needed."],
  ])("is refused %s, and nothing stays", async (_name, send, status, error) => {
    const before = await counts();
    const answer = await send();
    expect([answer.status, answer.json]).toEqual([
      status,
      { error, code: status, request: "api/svc/photo/create.json" },
    ]);
    expect(await counts()).toEqual(before);
  });

  test("is refused above the hub's limit, with the size", async () => {
    const tiny = await openTestApp({ env: { HUBBUB_MAX_IMAGE: "1000", HUBBUB_MAX_UPLOAD: "3000" } });
    const dora = await tiny.person("dora");
    const message = (n: number | string) => `image size exceeds the limit of this hub (uploaded size: ${n})`;
    const noise = Buffer.from(Array.from({ length: 3 * 40 * 20 }, (_, at) => (at * 7919) % 251));
    const bytes = await sharp(noise, { raw: { width: 40, height: 20, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const file = (size: Buffer): [string, Buffer, string, string] => ["media", size, "a.jpg", "image/jpeg"];
    expect(bytes.length).toBeGreaterThan(1000);
    expect(bytes.length).toBeLessThan(3000);
    for (const path of ["svc/photo/create", "media/upload", "statuses/update", "account/update_profile_image"]) {
      const answer = await dora.send("POST", `/api/${path}.json`, formWith({ album: "x", status: "x" }, [file(bytes)]));
      expect([path, answer.status, answer.json.error]).toEqual([path, 413, message(bytes.length)]);
      const huge = await dora.send("POST", `/api/${path}.json`, formWith({ album: "x" }, [file(large)]));
      expect([path, huge.status]).toEqual([path, 413]);
      expect(Number(/uploaded size: (\d+)/.exec(huge.json.error)![1])).toBeGreaterThan(3000);
      const text = await dora.post(`/api/${path}.json`, { album: "x", media: large.toString("base64") });
      expect([path, text.status, text.json.error]).toEqual([path, 413, message(large.length)]);
    }
    await tiny.close();
  });
});

describe("svc/photo", () => {
  test("with a scale shows that one, with its bytes", async () => {
    const { id } = await created({}, large);
    for (const [scale, width] of [
      [0, 1600],
      [1, 1024],
      [2, 640],
    ]) {
      const { json } = await photoOf(id, { scale });
      expect(json).toMatchObject({ id, width, type: "image/jpeg" });
      const bytes = Buffer.from(json.data, "base64");
      expect([json.datasize, (await sharp(bytes).metadata()).width]).toEqual([bytes.length, width]);
    }
    expect((await photoOf(id, { scale: "" })).json.data).toBeUndefined();
  });

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("takes %s", async (method) => {
    const { id } = await created();
    expect((await ann.send(method, "/api/svc/photo", undefined, { query: { photo_id: id } })).json.id).toBe(id);
  });

  test.each<[string, Fields, number, string]>([
    ["no id", {}, 400, "No photo id."],
    ["an empty id", { photo_id: "" }, 400, "No photo id."],
    ["an unknown id", { photo_id: "0".repeat(64) }, 404, "Not Found"],
    ["nonsense", { photo_id: "%' or 1=1 --" }, 404, "Not Found"],
    ["a scale that is no number", { photo_id: "ID", scale: "big" }, 400, "Invalid scale"],
    ["a scale that is not stored", { photo_id: "ID", scale: "3" }, 404, "Not Found"],
    ["a profile scale", { photo_id: "ID", scale: "4" }, 404, "Not Found"],
    ["a negative scale", { photo_id: "ID", scale: "-1" }, 404, "Not Found"],
  ])("%s", async (_name, query, status, error) => {
    const { id } = await created();
    const answer = await ann.get("/api/svc/photo.json", {
      ...query,
      ...(query["photo_id"] === "ID" && { photo_id: id }),
    });
    expect([answer.status, answer.json]).toEqual([status, { error, code: status, request: "api/svc/photo.json" }]);
  });

  test("a photo of others is none, even a public one", async () => {
    const { id } = await created({ allow_cid: "" });
    expect((await photoOf(id, {}, ben)).json).toEqual((await photoOf("f".repeat(64), {}, ben)).json);
    expect((await photoOf(id, {}, ben)).status).toBe(404);
  });

  test("shows reactions and comments on it", async () => {
    const { id } = await created({ allow_cid: "" });
    const item = await itemOf(id);
    await ben.post("/api/statuses/update.json", { status: "Fine boat", in_reply_to_status_id: item!.id });
    await ann.post("/api/svc/activity/like.json", { id: item!.id });
    await world.work();
    const { json } = await photoOf(id);
    expect(json.svc_activities.like).toMatchObject([{ screen_name: "ann" }]);
    expect(json.svc_comments).toMatchObject([{ text: "Fine boat", user: { screen_name: "ben" } }]);
    expect(json.friendica_comments).toEqual(json.svc_comments);
    expect(json.friendica_activities).toEqual({ ...json.svc_activities, announce: [] });
    const root = readXml(await ann.get("/api/svc/photo.xml", { photo_id: id }));
    const [one] = childrenOf(childOf(root, "svc:comments"), "comment");
    expect(textAt(one!, "text")).toBe("Fine boat");
    expect(textAt(root, "svc:activities", "svc:like", "user", "screen_name")).toBe("ann");
  });

  test("tells when photo and item name others", async () => {
    const { id } = await created({ allow_cid: "" });
    const { postItem } = await import("../../../domain/items/posting/post.ts");
    await postItem(world.hub, ben.channel, { body: "Seen", parent: { id: (await itemOf(id))!.id } });
    await save({ photo_id: id, album: "Boats", allow_cid: `<${cidOfBen}>` });
    expect((await photoOf(id)).json).toMatchObject({ allow_cid: `<${cidOfBen}>`, rights_mismatch: true });
  });

  test("in XML", async () => {
    const { id } = await created({ desc: "A & B" }, large);
    const root = readXml(await ann.get("/api/svc/photo.xml", { photo_id: id, scale: 2 }));
    expect(root.name).toBe("photo");
    expect(root.attributes["xmlns:svc"]).toBe("urn:hubbub:schema:svc:1");
    for (const [name, text] of Object.entries({
      id,
      desc: "A & B",
      album: "Boats",
      type: "image/jpeg",
      height: "480",
      width: "640",
      profile: "0",
      created: "2026-03-01 12:00:00",
      title: "",
    }))
      expect([name, textAt(root, name)]).toEqual([name, text]);
    const links = childOf(root, "links");
    expect(links.attributes).toEqual({ type: "array" });
    expect(links.children).toEqual(
      [0, 1, 2].map((scale) => ({
        name: "link",
        attributes: { type: "image/jpeg", scale: String(scale), href: `http://hub.example/photo/${id}-${scale}.jpg` },
        text: "",
        children: [],
      })),
    );
    const data = childOf(root, "data");
    expect(data.attributes).toEqual({ encode: "base64" });
    expect(Buffer.from(data.text, "base64").length).toBe(Number(textAt(root, "datasize")));
    expect(childrenOf(root, "link")).toEqual([]);
  });
});

describe("svc/photo/update", () => {
  const update = (fields: Fields, bytes?: Buffer) =>
    save({ album: "Boats", ...fields }, bytes, "/api/svc/photo/update.json");
  const updated = (id: string) => ({ result: "updated", message: `Image id \`${id}\` has been updated.` });
  const cancelled = (id: string) => ({ result: "cancelled", message: `Nothing to update for image id \`${id}\`.` });

  test("changes the description, and clears it", async () => {
    const { id } = await created({ desc: "one" });
    expect((await update({ photo_id: id, desc: "two" })).json).toEqual(updated(id));
    expect((await photoOf(id)).json.desc).toBe("two");
    expect((await update({ photo_id: id, desc: "" })).json).toEqual(updated(id));
    expect((await photoOf(id)).json.desc).toBe("");
  });

  test("moves it to another album, made if new; a name that is taken gets a number", async () => {
    const { id } = await created();
    expect((await update({ photo_id: id, album_new: "Ships/Old" })).json).toEqual(updated(id));
    expect((await photoOf(id)).json).toMatchObject({ album: "Ships/Old", filename: expect.stringMatching(/^boat/) });
    const second = await created();
    expect((await update({ photo_id: second.id, album_new: "Ships/Old" })).json).toEqual(updated(second.id));
    const names = (await ann.get("/api/svc/photoalbum.json", { album: "Ships/Old" })).json.map(
      (one: any) => one.filename,
    );
    expect(new Set(names).size).toBe(2);
    await save({ photo_id: id, album: "Ships/Old", album_new: "/" });
    expect((await photoOf(id)).json.album).toBe("/");
  });

  test("changes the lists that are sent, and no other", async () => {
    const { id } = await created({ allow_cid: `<${cidOfBen}>`, allow_gid: `<${friends}>` });
    expect((await update({ photo_id: id, allow_gid: "" })).json).toEqual(updated(id));
    expect((await photoOf(id)).json).toMatchObject({ allow_cid: `<${cidOfBen}>`, allow_gid: "" });
    expect((await update({ photo_id: id, allow_cid: "" })).json).toEqual(updated(id));
    expect(await whoSees(id)).toEqual(everybody);
    expect((await photoOf(id)).json.rights_mismatch).toBe(false);
  });

  test("with nothing new says so", async () => {
    const { id } = await created({ desc: "one", allow_cid: `<${cidOfBen}>` });
    for (const fields of [
      {},
      { desc: "one" },
      { album_new: "Boats" },
      { allow_cid: String(cidOfBen) },
      { allow_gid: "" },
    ])
      expect((await update({ photo_id: id, ...(fields as Fields) })).json).toEqual(cancelled(id));
  });

  test("replaces the image in all its scales, and the rest stays", async () => {
    const before = await created({ desc: "one", allow_cid: `<${cidOfBen}>` });
    const answer = await update({ photo_id: before.id }, await picture(800, 700, "#ff0000").png().toBuffer());
    expect(answer.json).toMatchObject({
      id: before.id,
      "media-id": before["media-id"],
      desc: "one",
      allow_cid: `<${cidOfBen}>`,
      width: 800,
      height: 700,
      scales: [{ width: 800 }, { width: 800 }, { width: 640 }],
    });
    expect(Object.keys(answer.json.link)).toEqual(["0", "1", "2"]);
    const { json } = await photoOf(before.id, { scale: 0 });
    const { channels } = await sharp(Buffer.from(json.data, "base64")).stats();
    expect(channels.map((one) => Math.round(one.mean))).toEqual([255, 0, 0]);
    await world.work();
    expect((await photoOf(before.id, { scale: 2 })).json.width).toBe(640);
  });

  test("in XML", async () => {
    const { id } = await created();
    const send = (fields: Fields) =>
      save({ album: "Boats", photo_id: id, ...fields }, undefined, "/api/svc/photo/update.xml");
    const root = readXml(await send({ desc: "x" }));
    expect([root.name, textAt(root, "result"), textAt(root, "message")]).toEqual([
      "photo_update",
      ...Object.values(updated(id)),
    ]);
    expect(readXml(await save({ album: "Boats" }, small, "/api/svc/photo/update.xml")).name).toBe("photo");
  });

  test.each<[string, (id: string) => Promise<Answer>, string]>([
    ["an unknown photo", () => update({ photo_id: "0".repeat(64), desc: "x" }), "photo not available"],
    ["another album", (id) => update({ photo_id: id, album: "Ships", desc: "x" }), "photo not available"],
    ["no album", (id) => update({ photo_id: id, album: "", desc: "x" }), "no albumname specified"],
    ["a bad list", (id) => update({ photo_id: id, deny_gid: "77777" }), "acl data invalid"],
    [
      "a bad list in another album",
      (id) => update({ photo_id: id, album: "x", deny_gid: "77777" }),
      "photo not available",
    ],
    ["a bad image", (id) => update({ photo_id: id }, Buffer.from("x")), "unable to process image data"],
    [
      "a photo of others",
      (id) => save({ photo_id: id, album: "Boats", desc: "stolen" }, undefined, undefined, ben),
      "photo not available",
    ],
  ])("refuses %s", async (_name, send, error) => {
    const photo = await created({ desc: "one", allow_cid: "" });
    const answer = await send(photo.id);
    expect([answer.status, answer.json.error]).toEqual([400, error]);
    expect((await photoOf(photo.id)).json).toEqual(photo);
  });
});

describe("svc/photos/list", () => {
  test("lists all photos, oldest first, each once", async () => {
    const dora = await world.person("dora");
    const ids: string[] = [];
    for (const [album, bytes] of [
      ["Boats", large],
      ["/", small],
    ] as const) {
      ids.push((await save({ album, desc: album }, bytes, undefined, dora)).json.id);
      world.hub.advance(60);
    }
    const uploaded = await dora.send(
      "POST",
      "/api/media/upload.json",
      formWith({}, [["media", small, "up.png", "image/png"]]),
    );
    world.hub.advance(60);
    await dora.send(
      "POST",
      "/api/account/update_profile_image.json",
      formWith({}, [["image", large, "me.jpg", "image/jpeg"]]),
    );
    const { json } = await dora.get("/api/svc/photos/list.json");
    expect(json.slice(0, 2)).toEqual([
      {
        id: ids[0],
        album: "Boats",
        filename: "boat.jpg",
        type: "image/jpeg",
        thumb: `http://hub.example/photo/${ids[0]}-2.jpg`,
        created: expect.any(String),
        edited: expect.any(String),
        desc: "Boats",
      },
      expect.objectContaining({ id: ids[1], album: "/", thumb: expect.stringMatching(/-2\.png$/) }),
    ]);
    expect(json.slice(2)).toMatchObject([
      { filename: "up.png", thumb: uploaded.json.image.svc_preview_url.replace("-2.png", "-3.png") },
      { album: "Profile Photos", filename: "me.jpg", thumb: expect.stringMatching(/-6\.jpg$/) },
    ]);
    const root = readXml(await dora.get("/api/svc/photos/list.xml"));
    expect([root.name, root.attributes]).toEqual(["photos", { type: "array" }]);
    expect(root.children).toEqual(
      json.map(({ id, album, filename, type, thumb }: any) => ({
        name: "photo",
        attributes: { id, album, filename, type },
        text: thumb,
        children: [],
      })),
    );
    const pages = await Promise.all([1, 2, 3].map((page) => dora.get("/api/svc/photos/list.json", { count: 3, page })));
    expect(pages.map((page) => page.json)).toEqual([json.slice(0, 3), json.slice(3), []]);
    expect((await dora.get("/api/svc/photos/list.json", { page: 2 })).json).toEqual([]);
    expect((await (await world.person("emil")).get("/api/svc/photos/list.json")).json).toEqual([]);
  });

  test("those of one second stand in the order in which they came, in their album too", async () => {
    const frida = await world.person("frida");
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await save({ album: "Burst" }, small, undefined, frida)).json.id);
    const listed = async (path: string, query = {}) => (await frida.get(path, query)).json.map((one: any) => one.id);
    expect(await listed("/api/svc/photos/list.json")).toEqual(ids);
    expect(await listed("/api/svc/photoalbum.json", { album: "Burst" })).toEqual(ids);
    const newest = await listed("/api/svc/photoalbum.json", { album: "Burst", latest_first: true, limit: 4 });
    expect(newest).toEqual(ids.toReversed().slice(0, 4));
  });
});

describe("svc/photo/delete", () => {
  const remove = (id: string, who = ann, method = "DELETE", path = "/api/svc/photo/delete.json") =>
    who.send(method, path, undefined, { query: { photo_id: id } });

  test("deletes all scales, and the item with what was said about it", async () => {
    const { id } = await created({ allow_cid: "" });
    const { postItem } = await import("../../../domain/items/posting/post.ts");
    const item = (await itemOf(id))!;
    const comment = await postItem(world.hub, ben.channel, { body: "Seen", parent: { id: item.id } });
    const answer = await remove(id);
    expect([answer.status, answer.json]).toEqual([
      200,
      { result: "deleted", message: `photo with id \`${id}\` has been deleted from server.` },
    ]);
    await world.work();
    expect((await photoOf(id)).status).toBe(404);
    expect(await whoSees(id)).toEqual([]);
    const rows = await world.hub.db
      .selectFrom("item")
      .select("item_deleted")
      .where("message_id", "in", [comment.message_id])
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.item_deleted === 1)).toBe(true);
    expect(
      (await world.hub.db.selectFrom("item").select("item_deleted").where("id", "=", item.id).executeTakeFirst())!
        .item_deleted,
    ).toBe(1);
    expect((await remove(id)).json.error).toBe("photo not available");
  });

  test("in XML, and under friendica/ by POST", async () => {
    const { id } = await created();
    const root = readXml(await remove(id, ann, "DELETE", "/api/svc/photo/delete.xml"));
    expect([root.name, textAt(root, "result")]).toEqual(["photo_delete", "deleted"]);
    const other = await created();
    expect((await remove(other.id, ann, "POST")).status).toBe(405);
    expect((await remove(other.id, ann, "POST", "/api/friendica/photo/delete.json")).json.result).toBe("deleted");
    const third = await created();
    expect((await remove(third.id, ann, "DELETE", "/api/friendica/photo/delete")).json.result).toBe("deleted");
  });

  test.each(["GET", "POST", "PUT"])("refuses %s", async (method) => {
    expect((await remove("x", ann, method)).status).toBe(405);
  });

  test("refuses no id, unknown ones, those of others and what is no photo", async () => {
    const { id } = await created({ allow_cid: "" });
    const song = await ann.send(
      "POST",
      "/api/media/upload.json",
      formWith({}, [["media", Buffer.from("la"), "a.mp3", "audio/mpeg"]]),
    );
    const { hash } = await world.hub.db
      .selectFrom("attach")
      .select("hash")
      .where("id", "=", song.json.media_id)
      .executeTakeFirstOrThrow();
    for (const [who, one, error] of [
      [ann, "", "no photo_id specified"],
      [ann, "f".repeat(64), "photo not available"],
      [ann, hash, "photo not available"],
      [ben, id, "photo not available"],
    ] as const) {
      const answer = await remove(one, who);
      expect([answer.status, answer.json.error]).toEqual([400, error]);
    }
    expect((await photoOf(id)).status).toBe(200);
  });

  test("the current profile photo gives its place to the drawn one", async () => {
    await cleo.send(
      "POST",
      "/api/account/update_profile_image.json",
      formWith({}, [["image", large, "me.jpg", "image/jpeg"]]),
    );
    const avatar = async () => {
      const { hasAvatar } = await import("../../../domain/photos/avatar.ts");
      return hasAvatar(world.hub, cleo.channel.channel_id);
    };
    expect(await avatar()).toBe(true);
    const [photo] = (await cleo.get("/api/svc/photos/list.json")).json;
    expect((await photoOf(photo.id, {}, cleo)).json.profile).toBe(1);
    expect((await remove(photo.id, cleo)).json.result).toBe("deleted");
    expect(await avatar()).toBe(false);
  });
});

describe("albums", () => {
  let dora: Person;
  beforeAll(async () => {
    dora = await world.person("albina");
  });
  const put = async (album: string): Promise<string> =>
    (await save({ album, allow_cid: "" }, small, undefined, dora)).json.id;
  const inAlbum = async (album: string) =>
    (await dora.get("/api/svc/photoalbum.json", { album })).json.map((one: any) => one.id as string);
  const rename = (album: string, album_new: string, method = "POST") =>
    dora.send(method, "/api/svc/photoalbum/update.json", new URLSearchParams({ album, album_new }));

  test("svc/photoalbums lists them", async () => {
    expect((await dora.get("/api/svc/photoalbums.json")).json).toEqual([]);
    for (const album of ["Zoo", "/", "Alps/Summer", "Zoo"]) {
      await put(album);
      world.hub.advance(60);
    }
    const { json } = await dora.get("/api/svc/photoalbums.json");
    expect(json).toEqual([
      { name: "/", created: expect.any(String), count: 1 },
      { name: "Alps/Summer", created: expect.any(String), count: 1 },
      { name: "Zoo", created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), count: 2 },
    ]);
    const root = readXml(await dora.get("/api/svc/photoalbums.xml"));
    expect([root.name, root.children.map((child) => child.name)]).toEqual(["albums", ["album", "album", "album"]]);
    expect((await dora.post("/api/svc/photoalbums.json")).status).toBe(405);
  });

  test("svc/photoalbum shows one, by pages and both ways", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      ids.push(await put("Row"));
      world.hub.advance(60);
    }
    const { json } = await dora.get("/api/svc/photoalbum.json", { album: "Row" });
    expect(json.map((one: any) => one.id)).toEqual(ids);
    const { link, thumb, scales, svc_comments } = json[0];
    expect([link, thumb, scales.length, svc_comments]).toEqual([
      undefined,
      `http://hub.example/photo/${ids[0]}-2.png`,
      3,
      [],
    ]);
    const page = await dora.get("/api/svc/photoalbum.json", { album: "Row", limit: 2, offset: 1, latest_first: true });
    expect(page.json.map((one: any) => one.id)).toEqual([ids[2], ids[1]]);
    expect((await dora.get("/api/svc/photoalbum.json", { album: "Nowhere" })).json).toEqual([]);
    const missing = await dora.get("/api/svc/photoalbum.json");
    expect([missing.status, missing.json.error]).toEqual([400, "No album name specified."]);
    const root = readXml(await dora.get("/api/svc/photoalbum.xml", { album: "Row" }));
    expect([root.name, root.attributes["type"], root.attributes["xmlns:svc"]]).toEqual([
      "photos",
      "array",
      "urn:hubbub:schema:svc:1",
    ]);
    expect(childrenOf(root, "photo").map((one) => textAt(one, "id"))).toEqual(ids);
    expect((await ben.get("/api/svc/photoalbum.json", { album: "Row" })).json).toEqual([]);
  });

  test("svc/photoalbum/update gives them another name", async () => {
    const id = await put("Old");
    const answer = await rename("Old", "New/Name");
    expect([answer.status, answer.json]).toEqual([
      200,
      { result: "updated", message: "album `Old` with all containing photos has been renamed to `New/Name`." },
    ]);
    expect([await inAlbum("New/Name"), await inAlbum("Old")]).toEqual([[id], []]);
    expect((await rename("New/Name", "New/Name", "PUT")).json.result).toBe("updated");
    const root = readXml(
      await dora.send(
        "POST",
        "/api/svc/photoalbum/update.xml",
        new URLSearchParams({ album: "New/Name", album_new: "N" }),
      ),
    );
    expect([root.name, textAt(root, "result")]).toEqual(["photoalbum_update", "updated"]);
    expect(await inAlbum("N")).toEqual([id]);
  });

  test("merges with an album that is there, whatever the names of the photos", async () => {
    const [one, two, three] = [await put("From"), await put("From"), await put("Into")];
    await rename("From", "Into");
    expect((await inAlbum("Into")).toSorted()).toEqual([one, two, three].toSorted());
    const names = (await dora.get("/api/svc/photoalbums.json")).json.map((album: any) => album.name);
    expect(names).not.toContain("From");
    await rename("Into", "Into/Below");
    expect((await inAlbum("Into/Below")).length).toBe(3);
    await rename("Into/Below", "Into");
    expect((await inAlbum("Into")).length).toBe(3);
    const tops = (await inAlbum("/")).length;
    await rename("Into", "/");
    expect((await inAlbum("/")).length).toBe(tops + 3);
    await rename("/", "Into");
    expect([(await inAlbum("/")).length, (await inAlbum("Into")).length]).toEqual([0, tops + 3]);
  });

  test("svc/photoalbum/delete takes their photos and items, and no other files", async () => {
    const [one, two] = [await put("Gone"), await put("Gone")];
    await dora.send(
      "POST",
      "/api/media/upload.json",
      formWith({ album: "Gone" }, [["media", Buffer.from("la"), "a.mp3", "audio/mpeg"]]),
    );
    const answer = await dora.post("/api/svc/photoalbum/delete.json", { album: "Gone" });
    expect([answer.status, answer.json]).toEqual([
      200,
      { result: "deleted", message: "album `Gone` with all containing photos has been deleted." },
    ]);
    for (const id of [one, two]) expect((await photoOf(id, {}, dora)).status).toBe(404);
    expect((await dora.get("/api/z/1.0/files", { filename: "a.mp3" })).json.results).toHaveLength(1);
    await put("Gone");
    const root = readXml(
      await dora.send("DELETE", "/api/svc/photoalbum/delete.xml", undefined, { query: { album: "Gone" } }),
    );
    expect([root.name, textAt(root, "result")]).toEqual(["photoalbum_delete", "deleted"]);
  });

  test.each<[string, string, Fields, string]>([
    ["delete without a name", "delete", {}, "no albumname specified"],
    ["delete of an unknown one", "delete", { album: "Nowhere" }, "album not available"],
    ["delete of an empty one", "delete", { album: "Gone" }, "album not available"],
    ["update without a name", "update", { album_new: "x" }, "no albumname specified"],
    ["update without a new name", "update", { album: "Zoo" }, "no new albumname specified"],
    ["update without any", "update", {}, "no albumname specified"],
    ["update of an unknown one", "update", { album: "Nowhere", album_new: "x" }, "album not available"],
    ["update to a bad name", "update", { album: "Zoo", album_new: ".." }, "A name is needed."],
  ])("refuses %s", async (_name, verb, fields, error) => {
    const answer = await dora.post(`/api/svc/photoalbum/${verb}.json`, fields);
    expect([answer.status, answer.json]).toEqual([
      400,
      { error, code: 400, request: `api/svc/photoalbum/${verb}.json` },
    ]);
  });

  test("those of others are none", async () => {
    await put("Private");
    for (const verb of ["delete", "update"]) {
      const answer = await ben.post(`/api/svc/photoalbum/${verb}.json`, { album: "Private", album_new: "Stolen" });
      expect([answer.status, answer.json.error]).toEqual([400, "album not available"]);
    }
    expect((await inAlbum("Private")).length).toBe(1);
  });
});

test("photos with media and statuses with pictures take a fixed number of queries", async () => {
  let queries = 0;
  const counting = await openTestApp({ onQuery: () => queries++ });
  const erik = await counting.person("erik");
  const count = async (path: string, query: Record<string, unknown>): Promise<[number, number]> => {
    const start = queries;
    const { json } = await erik.get(path, query);
    return [json.length, queries - start];
  };
  const album = () => count("/api/svc/photoalbum.json", { album: "Row" });
  const home = () => count("/api/statuses/home_timeline.json", { include_entities: true });
  const list = () => count("/api/svc/photos/list.json", {});
  const measured: [number, number][][] = [];
  for (let n = 0; n < 3; n++) {
    for (let more = 0; more <= n * 2; more++) {
      const form = () => formWith({ album: "Row", status: `x${n}${more}` }, [["media", small, "a.png", "image/png"]]);
      const { json } = await erik.send("POST", "/api/svc/photo/create.json", form());
      await erik.send("POST", "/api/statuses/update.json", form());
      const { id } = await counting.hub.db
        .selectFrom("item")
        .innerJoin("message", "message.id", "item.message_id")
        .select("item.id")
        .where("message.resource_id", "=", json.id)
        .executeTakeFirstOrThrow();
      await erik.post("/api/statuses/update.json", { status: `y${n}${more}`, in_reply_to_status_id: id });
    }
    await counting.work();
    // The first time some statements are prepared and credentials checked.
    await Promise.all([album(), home(), list()]);
    measured.push([await album(), await home(), await list()]);
  }
  const [first, , last] = measured;
  expect(last!.map(([length]) => length > 8)).toEqual([true, true, true]);
  expect(last!.map(([, used]) => used)).toEqual(first!.map(([, used]) => used));
  await counting.close();
});

async function counts(): Promise<number[]> {
  const numbers: number[] = [];
  for (const table of ["attach", "photo", "item", "message"] as const) {
    const { n } = await world.hub.db
      .selectFrom(table)
      .select((x) => x.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    numbers.push(Number(n));
  }
  return numbers;
}
