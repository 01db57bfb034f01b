import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { actorOf } from "../../../test/support/actors.ts";
import { picture } from "../../../test/support/pictures.ts";
import { findActorKey } from "../identity/xchans/actor-keys.ts";
import { addXchan } from "../identity/xchans/add-xchan.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { foreignCover } from "../photos/foreign-avatar.ts";
import { openMedia } from "../proxy/open-media.ts";
import { meetActor } from "./meet-actor.ts";
import { findPeer, trimPeers } from "./peers.ts";
import { setSiteBlock } from "./site-blocks.ts";

let world: TestApp;
let alma: Person;
const asked: string[] = [];

beforeAll(async () => {
  const image = new Uint8Array(await picture(400, 400).png().toBuffer());
  world = await openTestApp({
    fetch: (url) => {
      asked.push(url);
      return Promise.resolve(new Response(image, { headers: { "content-type": "image/png" } }));
    },
  });
  alma = await world.person("alma");
});
afterAll(() => world.close());

const bytesAt = async (path: string) =>
  Buffer.from(await (await world.app.request(`http://hub.example${path}`)).arrayBuffer());
const row = (id: string) =>
  world.hub.db.selectFrom("actor").selectAll().where("actor_id", "=", id).executeTakeFirstOrThrow();

describe("somebody of elsewhere", () => {
  test("has an identity, a location, an actor and keys, and their hub is known", async () => {
    const carla = actorOf("carla", { about: "Hello <b>", alsoKnownAs: ["https://old.example/carla"] });
    const xchan = await meetActor(world.hub, carla);
    expect(xchan).toMatchObject({
      xchan_hash: carla.id,
      xchan_guid: carla.id,
      xchan_guid_sig: "",
      xchan_pubkey: carla.keys[0]!.key,
      xchan_addr: "carla@far.example",
      xchan_url: "https://far.example/@carla",
      xchan_network: "activitypub",
      xchan_instance_url: "https://far.example",
      xchan_name: "Carla",
      xchan_about: "Hello <b>",
      xchan_photo_m: "http://hub.example/photo/profile/m/0",
      xchan_hidden: 0,
      xchan_pubforum: 0,
      xchan_system: 0,
      xchan_hearsay: 0,
    });
    expect(await row(carla.id)).toMatchObject({
      xchan_id: xchan.xchan_id,
      type: "Person",
      inbox: "https://far.example/users/carla/inbox",
      shared_inbox: "https://far.example/inbox",
      host: "far.example",
      also_known_as: '["https://old.example/carla"]',
      manually_approves: 1,
    });
    const location = world.hub.db.selectFrom("hubloc").selectAll().where("hubloc_hash", "=", carla.id);
    expect(await location.execute()).toEqual([
      expect.objectContaining({
        hubloc_url: "https://far.example",
        hubloc_callback: "https://far.example/users/carla/inbox",
        hubloc_network: "activitypub",
        hubloc_primary: 1,
      }),
    ]);
    expect(await findActorKey(world.hub, `${carla.id}#main-key`)).toMatchObject({ owner: carla.id, kind: "rsa" });
    expect(await findPeer(world.hub, "far.example")).toMatchObject({ first_contact: "2026-03-01 12:00:00" });
  });

  test("is one and the same, however the id is spelled, and is described anew", async () => {
    const carla = actorOf("carla");
    world.hub.advance(60);
    const first = await findXchan(world.hub, { hash: carla.id });
    const again = await meetActor(world.hub, {
      ...carla,
      id: "HTTPS://Far.example:443/users/carla",
      name: "Carla C.",
      type: "Group",
      discoverable: false,
    });
    expect(again).toMatchObject({
      xchan_id: first!.xchan_id,
      xchan_hash: carla.id,
      xchan_name: "Carla C.",
      xchan_name_date: "2026-03-01 12:01:00",
      xchan_pubforum: 1,
      xchan_hidden: 1,
    });
    expect(await findPeer(world.hub, "far.example")).toMatchObject({ last_contact: "2026-03-01 12:01:00" });
    const other = await meetActor(world.hub, actorOf("Carla", { address: "carla2@far.example" }));
    expect(other.xchan_id).not.toBe(first!.xchan_id);
  });

  test("shows a copy of their picture, fetched when it is another one and not at every look", async () => {
    const one = actorOf("dora", { picture: "https://far.example/one.png" });
    const { xchan_id: id } = await meetActor(world.hub, one);
    await world.work();
    const shown = (await findXchan(world.hub, { id }))!.xchan_photo_m;
    expect(shown).toMatch(/^http:\/\/hub\.example\/photo\/[0-9a-f]{32}-5$/);
    await meetActor(world.hub, one);
    await world.work();
    expect(asked).toEqual(["https://far.example/one.png"]);
    await meetActor(world.hub, { ...one, picture: "https://far.example/two.png" });
    await world.work();
    expect(asked).toEqual(["https://far.example/one.png", "https://far.example/two.png"]);
    await meetActor(world.hub, { ...one, picture: "" });
    expect((await findXchan(world.hub, { id }))!.xchan_photo_m).toBe("http://hub.example/photo/profile/m/0");
  });

  test("shows a copy of their cover, which follows what their document says", async () => {
    asked.length = 0;
    const one = actorOf("flora", { cover: "https://far.example/wide.png", picture: "https://far.example/face.png" });
    const { xchan_hash: hash, xchan_id: id } = await meetActor(world.hub, one);
    expect(await foreignCover(world.hub, hash)).toBeUndefined();
    await world.work();
    const first = await foreignCover(world.hub, hash);
    expect((await sharp(await bytesAt(first!)).metadata()).width).toBe(1200);
    const face = (await findXchan(world.hub, { id }))!.xchan_photo_l;
    expect((await world.app.request(face)).status).toBe(200);
    await meetActor(world.hub, { ...one, cover: "https://far.example/wider.png" });
    await world.work();
    expect(asked.toSorted()).toEqual(["face", "wide", "wider"].map((name) => `https://far.example/${name}.png`));
    expect(await foreignCover(world.hub, hash)).not.toBe(first);
    expect((await world.app.request(`http://hub.example${first}`)).status).toBe(404);
    expect((await world.app.request(face)).status).toBe(200);
    await meetActor(world.hub, { ...one, cover: "" });
    await world.work();
    expect(await foreignCover(world.hub, hash)).toBeUndefined();
  });

  test("shows no pictures from where the site wants none", async () => {
    asked.length = 0;
    await setSiteBlock(world.hub, { domain: "nude.example", level: "none", noMedia: true });
    const id = "https://nude.example/users/a";
    const picture = "https://nude.example/a.png";
    const { xchan_photo_m: shown } = await meetActor(
      world.hub,
      actorOf("nude", { id, inbox: `${id}/inbox`, address: "a@nude.example", picture, cover: picture }),
    );
    await world.work();
    expect(asked).toEqual([]);
    expect((await findXchan(world.hub, { hash: id }))!.xchan_photo_m).toBe(shown);
    await expect(openMedia(world.hub, { url: picture, keeping: "cache" }, alma.channel)).rejects.toMatchObject({
      kind: "missing",
    });
  });

  test("gives up keys that the document has no more, and gets none of another actor's", async () => {
    const [eva, thief] = [actorOf("eva"), actorOf("thief")];
    await meetActor(world.hub, eva);
    const stolen = { ...thief.keys[0]!, id: `${eva.id}#main-key` };
    await meetActor(world.hub, { ...thief, keys: [stolen, { ...stolen, id: "https://other.example/key" }] });
    expect(await findActorKey(world.hub, `${eva.id}#main-key`)).toMatchObject({ owner: eva.id });
    expect(await findActorKey(world.hub, "https://other.example/key")).toBeUndefined();
    await meetActor(world.hub, { ...eva, keys: [{ ...eva.keys[0]!, id: `${eva.id}#second` }] });
    expect(await findActorKey(world.hub, `${eva.id}#main-key`)).toBeUndefined();
    expect(await findActorKey(world.hub, `${eva.id}#second`)).toMatchObject({ kind: "rsa" });
    world.hub.advance(91 * 24 * 3600);
    await trimPeers(world.hub);
    const left = await world.hub.db.selectFrom("actor_key").select("key_id").where("owner", "=", eva.id).execute();
    expect(left).toEqual([{ key_id: `${eva.id}#second` }]);
    expect(await findPeer(world.hub, "far.example")).toBeDefined();
  });

  test.each([
    ["no id", { id: "" }, "id"],
    ["an id of ours", { id: "http://hub.example/channel/alma" }, "id"],
    ["an id with a bracket", { id: "https://far.example/<a>" }, "id"],
    ["an id with a space", { id: "https://far.example/a b" }, "id"],
    ["an id with half a character", { id: "https://far.example/\ud800" }, "id"],
    ["an id over 2,048 bytes", { id: `https://far.example/${"é".repeat(1020)}` }, "id"],
    ["an id of another scheme", { id: "ftp://far.example/a" }, "id"],
    ["no inbox", { inbox: "" }, "inbox"],
    ["an inbox of ours", { inbox: "http://hub.example/inbox/alma" }, "inbox"],
    ["an address of ours", { address: "alma@hub.example" }, "address"],
    ["no address", { address: "nobody" }, "address"],
  ])("is refused with %s", async (_, wrong, field) => {
    const people = () => world.hub.db.selectFrom("xchan").select("xchan_id").execute();
    const before = await people();
    await expect(meetActor(world.hub, actorOf("wrong", wrong))).rejects.toMatchObject({ kind: "invalid", field });
    expect(await people()).toEqual(before);
  });

  test("loses what cannot be kept, and nothing else", async () => {
    const xchan = await meetActor(
      world.hub,
      actorOf("odd", {
        name: " \0 a\nb ",
        url: "javascript:alert(1)",
        follow: "javascript:%s",
        sharedInbox: "https://other.example/inbox",
        followers: "https://other.example/followers",
        picture: "data:image/png,x",
        alsoKnownAs: ["x", "https://old.example/odd"],
        movedTo: "nowhere",
        updated: "yesterday",
      }),
    );
    expect(xchan).toMatchObject({ xchan_name: "\ufffd a b", xchan_url: actorOf("odd").id, xchan_follow: "" });
    expect(await row(actorOf("odd").id)).toMatchObject({
      shared_inbox: "",
      followers: "",
      picture: "",
      moved_to: "",
      also_known_as: '["https://old.example/odd"]',
      updated: "0001-01-01 00:00:00",
    });
  });
});

test("nobody has a page at somebody else's place", async () => {
  const pageOf = async (more: object) => (await meetActor(world.hub, actorOf("paged", more))).xchan_url;
  expect(await pageOf({ url: "https://near.example/@carla" })).toBe(actorOf("paged").id);
  // Some have their names at another host than their servers.
  const named = { address: "paged@near.example", url: "https://near.example/@paged" };
  expect(await pageOf({ ...named, updated: "2030-01-01 00:00:00" })).toBe(named.url);
});

describe("what was told about them before", () => {
  test("gives way: an import's hearsay, and a bridge's entry of the same address", async () => {
    const fritz = actorOf("fritz");
    await world.hub.db
      .insertInto("xchan")
      .values({
        xchan_hash: fritz.id,
        xchan_network: "activitypub",
        xchan_name: "Somebody",
        xchan_pubkey: "an old key",
        xchan_hearsay: 1,
        xchan_created: "2026-01-01 00:00:00",
      })
      .execute();
    await addXchan(world.hub, {
      hash: "told",
      address: fritz.address,
      url: "https://far.example/@fritz",
      network: "rss",
    });
    expect(await findXchan(world.hub, { address: fritz.address })).toMatchObject({ xchan_hash: "told" });
    const met = await meetActor(world.hub, fritz);
    expect(met).toMatchObject({ xchan_name: "Fritz", xchan_hearsay: 0, xchan_pubkey: fritz.keys[0]!.key });
    for (const key of [{ address: fritz.address }, { url: "https://far.example/@fritz" }])
      expect(await findXchan(world.hub, key)).toMatchObject({ xchan_id: met.xchan_id });
    const { json } = await alma.get("/api/users/show", { screen_name: fritz.address });
    expect(json).toMatchObject({ id: met.xchan_id, name: "Fritz" });
    await expect(addXchan(world.hub, { hash: "https://x.example/y", network: "activitypub" })).rejects.toMatchObject({
      field: "network",
    });
  });
});
