import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { picture } from "../../../../test/support/pictures.ts";
import { uploadPhotoFor } from "../../../domain/cloud/channel-photos.ts";
import { createGuest } from "../../../domain/connections/connections.ts";
import { setPermissionLimits } from "../../../domain/identity/channels/permission-limits.ts";
import { createProfile, defaultProfile } from "../../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../../domain/people/change-profile.ts";
import { limits } from "../../../domain/identity/channels/roles.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { assignProfile, findConnectionTo, withdrawProfile } from "../../../domain/connections/connections.ts";

/** Who learns what of people (microblog contract 8.6, 8.7, native contract 2.5, 2.15, 3.4). */

const secret = "xyzzy";

let world: TestApp;
let ann: Person;
let friend: Person;
let blocked: Person;
let stranger: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, friend, blocked, stranger] = [
    await world.person("ann"),
    await world.person("friend"),
    await world.person("blocked"),
    await world.person("stranger"),
  ];
  await befriend(world.hub, ann.channel, friend.channel);
  await befriend(world.hub, ann.channel, blocked.channel);
  await change({ about: `About ${secret}`, locality: secret });
  await ann.post("/api/statuses/update", { status: `Public ${secret}` });
  await world.work();
  await ann.post("/api/blocks/create", { screen_name: "blocked" });
});
afterAll(() => world.close());

async function change(changes: Parameters<typeof updateProfile>[3]): Promise<void> {
  const { id } = await defaultProfile(world.hub, ann.channel.channel_id);
  await updateProfile(world.hub, ann.channel.channel_id, id, changes);
}

const show = async (who: Pick<Person, "get">) => (await who.get("/api/users/show/ann")).json;

describe("somebody who is blocked", () => {
  test("sees name and picture alone, in every door", async () => {
    for (const path of ["users/show/ann", "users/lookup?screen_name=ann", "users/search?q=ann", "friends/list"]) {
      for (const format of ["json", "xml"]) {
        const [name, query = ""] = path.split("?");
        const { status, text } = await blocked.get(`/api/${name}.${format}?${query}`);
        expect([path, status, text.includes(secret)]).toEqual([path, 200, false]);
      }
    }
    const url = "http://hub.example/channel/ann";
    const { json } = await blocked.get("/api/externalprofile/show", { profileurl: url });
    expect(json).toMatchObject({ screen_name: "ann", description: "", location: "Hubbub", followers_count: 0 });
    expect(json.status).toBeUndefined();
    expect((await show(friend)).status.text).toBe(`Public ${secret}`);
  });

  test("does not learn of it", async () => {
    const { json } = await blocked.get("/api/friendships/show", { target_screen_name: "ann" });
    expect(json.relationship.source).toMatchObject({ blocked_by: null, blocking: false });
    expect((await blocked.get("/api/blocks/list")).json).toEqual([]);
  });
});

describe("a profile that is not for everybody", () => {
  test("leaves users without texts and place", async () => {
    for (const who of [friend, stranger, world.anonymous])
      expect((await show(who)).description).toBe(`About ${secret}`);
    await setPermissionLimits(world.hub, ann.channel.channel_id, { view_profile: limits.contacts });
    for (const who of [stranger, world.anonymous])
      expect(await show(who)).toMatchObject({ description: "", location: "Hubbub", name: "Ann" });
    for (const who of [friend, ann]) expect(await show(who)).toMatchObject({ description: `About ${secret}` });
    const [status] = (await stranger.get("/api/statuses/public_timeline")).json;
    expect(status.user).toMatchObject({ screen_name: "ann", description: "" });
    await setPermissionLimits(world.hub, ann.channel.channel_id, { view_profile: limits.public });
  });
});

describe("connections that are not for everybody", () => {
  const counts = async (who: Pick<Person, "get">): Promise<number[]> => {
    const { followers_count, friends_count } = await show(who);
    return [followers_count, friends_count];
  };

  test("are not counted for others", async () => {
    for (const who of [ann, friend, stranger, world.anonymous]) expect(await counts(who)).toEqual([1, 1]);
    await setPermissionLimits(world.hub, ann.channel.channel_id, { view_contacts: limits.contacts });
    for (const who of [stranger, world.anonymous]) expect(await counts(who)).toEqual([0, 0]);
    for (const who of [ann, friend]) expect(await counts(who)).toEqual([1, 1]);
    await setPermissionLimits(world.hub, ann.channel.channel_id, { view_contacts: limits.public });
  });

  test("nor when the profile that they see hides them", async () => {
    await change({ hide_friends: 1 });
    for (const who of [friend, stranger, world.anonymous]) expect(await counts(who)).toEqual([0, 0]);
    expect(await counts(ann)).toEqual([1, 1]);
    const uid = ann.channel.channel_id;
    const open = await createProfile(world.hub, ann.channel, "Open");
    await updateProfile(world.hub, uid, open.id, { hide_friends: 0 });
    const { abook_id } = (await findConnectionTo(world.hub, uid, friend.channel.channel_hash))!;
    await assignProfile(world.hub, uid, open.id, [abook_id]);
    expect([await counts(friend), await counts(stranger)]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    await change({ hide_friends: 0 });
    await updateProfile(world.hub, uid, open.id, { hide_friends: 1 });
    expect([await counts(friend), await counts(stranger)]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    await withdrawProfile(world.hub, uid, open.id, [abook_id]);
  });

  test("lists of others are empty for friends too", async () => {
    for (const path of ["friends/ids", "followers/ids", "statuses/friends", "statuses/followers"])
      expect((await friend.get(`/api/${path}`, { screen_name: "ann" })).json).toEqual([]);
  });
});

describe("somebody who hides from the directory", () => {
  test("is found by the whole name alone, and by nobody anonymous", async () => {
    await change({ publish: 0 });
    const search = async (who: Pick<Person, "get">, q: string) =>
      (await who.get("/api/users/search", { q })).json.length;
    for (const q of ["ann", "Ann", "ann@hub.example", "http://hub.example/channel/ann"])
      expect([q, await search(stranger, q), await search(world.anonymous, q)]).toEqual([q, 1, 0]);
    expect(await search(stranger, "an")).toBe(0);
    await change({ publish: 1 });
    expect(await search(stranger, "an")).toBe(1);
  });
});

describe("a guest", () => {
  test("is known to the host alone", async () => {
    const guest = await createGuest(world.hub, ann.channel, { name: "Granny" });
    const { xchan_id: id } = await world.hub.db
      .selectFrom("xchan")
      .select("xchan_id")
      .where("xchan_hash", "=", guest.hash)
      .executeTakeFirstOrThrow();
    expect((await ann.get("/api/users/show", { user_id: id })).json.name).toBe("Granny");
    for (const who of [stranger, world.anonymous]) {
      const [seen, unknown] = [
        await who.get("/api/users/show", { user_id: id }),
        await who.get("/api/users/show", { user_id: 987_654 }),
      ];
      expect([seen.status, seen.text.replace(String(id), "")]).toEqual([404, unknown.text.replace("987654", "")]);
      expect((await who.get("/api/users/search", { q: "Granny" })).json).toEqual([]);
    }
    expect((await stranger.get("/api/users/lookup", { user_id: id })).status).toBe(404);
    expect((await stranger.get("/api/friendships/lookup", { user_id: id })).json).toEqual([]);
    for (const path of ["blocks/create", "friendships/create"])
      for (const who of [ann, stranger]) expect((await who.post(`/api/${path}`, { user_id: id })).status).toBe(404);
  });
});

describe("a closed site", () => {
  test("shows nobody to those who do not say who they are", async () => {
    await changeSite(world.hub, { blockPublic: true });
    const url = "http://hub.example/channel/ann";
    const calls: [string, Record<string, unknown>, Record<string, unknown>, string, string][] = [
      ["users/show", { screen_name: "ann" }, { screen_name: "nobody" }, "", ""],
      [
        "users/show",
        { user_id: ann.channel.xchan_id },
        { user_id: 987_654 },
        `ID ${ann.channel.xchan_id}`,
        "ID 987654",
      ],
      ["externalprofile/show", { profileurl: url }, { profileurl: "http://a.example/b" }, url, "http://a.example/b"],
    ];
    for (const [path, known, unknown, one, other] of calls) {
      const [seen, never] = [
        await world.anonymous.get(`/api/${path}`, known),
        await world.anonymous.get(`/api/${path}`, unknown),
      ];
      expect([seen.status, seen.text.replace(one, "")]).toEqual([404, never.text.replace(other, "")]);
      expect((await stranger.get(`/api/${path}`, known)).status).toBe(200);
    }
    expect((await world.anonymous.get("/api/users/search", { q: "ann" })).json).toEqual([]);
    expect((await stranger.get("/api/users/search", { q: "ann" })).json).toHaveLength(1);
    await changeSite(world.hub, { blockPublic: false });
  });
});

describe("pictures", () => {
  test("the cover is shown to those who may see files, and a drawn picture is no picture", async () => {
    const owner = await world.person("painter");
    const shown = async (who: Pick<Person, "get">) => {
      const { profile_banner_url, default_profile_image } = (await who.get("/api/users/show/painter")).json;
      return [profile_banner_url, default_profile_image];
    };
    for (const who of [owner, stranger, world.anonymous]) expect(await shown(who)).toEqual(["", true]);
    const bytes = await picture(1300, 600).png().toBuffer();
    const upload = async (use: "cover" | "profile") =>
      uploadPhotoFor(world.hub, use, owner.channel, await world.hub.blobs.stage(Readable.from([bytes]), bytes.length), {
        filename: `${use}.png`,
        type: "image/png",
      });
    const cover = await upload("cover");
    await upload("profile");
    const url = `http://hub.example/photo/${cover.hash}-7`;
    for (const who of [owner, stranger, world.anonymous]) expect(await shown(who)).toEqual([url, false]);
    expect((await owner.get("/api/account/verify_credentials")).json.profile_banner_url).toBe(url);
    await setPermissionLimits(world.hub, owner.channel.channel_id, { view_storage: limits.contacts });
    for (const who of [stranger, world.anonymous]) expect(await shown(who)).toEqual(["", false]);
    expect(await shown(owner)).toEqual([url, false]);
    await setPermissionLimits(world.hub, owner.channel.channel_id, { view_storage: limits.public });
    await world.hub.db
      .updateTable("attach")
      .set({ allow_cid: `<${owner.channel.channel_hash}>` })
      .where("hash", "=", cover.hash)
      .execute();
    for (const who of [stranger, world.anonymous]) expect(await shown(who)).toEqual(["", false]);
    expect(await shown(owner)).toEqual([url, false]);
  });
});
