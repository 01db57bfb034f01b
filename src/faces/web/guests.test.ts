import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { upload } from "../../domain/cloud/upload.ts";
import { changeGuest, createGuest, listGuests } from "../../domain/connections/connections.ts";
import type { ChannelGuest } from "../../domain/connections/connections.ts";
import { addMembers, createGroup } from "../../domain/groups/groups.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { setSetting } from "../../domain/identity/site/site-settings.ts";
import { updateDefaultProfile } from "../../domain/people/change-profile.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Audience, Item } from "../../domain/items/types.ts";

/** What guests see with their links (native contract 2.15, 3.4), and the pages on which the owner manages them. */

let world: TestApp;
let alice: Person;
let bob: Person;
let guest: ChannelGuest;
let posts: Record<"forGuest" | "forGroup" | "forOther" | "notForGuest" | "public", Item>;

const nobody: Audience = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };

beforeAll(async () => {
  world = await openTestApp();
  alice = await world.person("alice");
  bob = await world.person("bob");
  const { hub } = world;
  guest = await createGuest(hub, alice.channel, { name: "Granny" });
  const other = await createGuest(hub, alice.channel, { name: "Other" });
  const group = await createGroup(hub, alice.channel.channel_id, "Family");
  await addMembers(hub, alice.channel.channel_id, group.id, [guest.hash]);
  const post = (body: string, audience: Partial<Audience>): Promise<Item> =>
    postItem(hub, alice.channel, { body, audience: { ...nobody, ...audience } });
  posts = {
    forGuest: await post("text for the guest", { allow_cid: [guest.hash] }),
    forGroup: await post("text for the group", { allow_gid: [group.hash] }),
    forOther: await post("text for the other", { allow_cid: [other.hash] }),
    notForGuest: await post("text for others", { allow_gid: [group.hash], deny_cid: [guest.hash] }),
    public: await post("text for everybody", {}),
  };
  // Bob names Alice's guest, which is nobody at his place.
  await postItem(hub, bob.channel, { body: "text at Bob's", audience: { ...nobody, allow_cid: [guest.hash] } });
});
afterAll(() => world.close());

async function arrive(token = guest.atoken_token): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  await visitor.get(`/channel/alice?zat=${token}`);
  return visitor;
}

const texts = [
  "text for the guest",
  "text for the group",
  "text for the other",
  "text for others",
  "text for everybody",
];
const seenIn = (text: string): string[] => texts.filter((one) => text.includes(one));

describe("a guest", () => {
  test("sees what the lists name, with the link and after it", async () => {
    const visitor = visitorOf(world.app);
    const first = await visitor.get(`/channel/alice?zat=${guest.atoken_token}`);
    expect(seenIn(first.text)).toEqual(["text for the guest", "text for the group", "text for everybody"]);
    expect(first.text).toContain("a guest of <strong>Alice</strong>");
    expect(first.text.replace(/<[^>]*>/g, "")).not.toContain(guest.atoken_token);
    expect([...visitor.cookies.keys()]).toContain("hubbub_guest");
    expect(first.headers.getSetCookie().join()).toMatch(
      /(^|,)hubbub_guest=[\w-]+; Path=\/; HttpOnly; SameSite=Lax(,|$)/,
    );
    expect(seenIn((await visitor.get("/channel/alice")).text)).toEqual(seenIn(first.text));
    const display = `/display/${posts.forGuest.uuid}`;
    expect((await visitor.get(display)).status).toBe(200);
    for (const hidden of [posts.forOther, posts.notForGuest]) {
      const refused = await visitor.get(`/display/${hidden.uuid}`);
      const unknown = await visitor.get("/display/00000000-0000-4000-8000-000000000000");
      expect([refused.status, withoutTokens(refused.text)]).toEqual([404, withoutTokens(unknown.text)]);
    }
  });

  test("is nobody at another channel", async () => {
    const visitor = await arrive();
    const anonymous = visitorOf(world.app);
    await setConfig(world.hub, bob.channel.channel_id, "perm_limits", "view_stream", "256");
    expect((await visitor.get("/channel/bob")).text).not.toContain("text at Bob's");
    expect((await visitor.get("/channel/bob")).status).toBe((await anonymous.get("/channel/bob")).status);
    await setConfig(world.hub, bob.channel.channel_id, "perm_limits", "view_stream", "1");
    expect((await visitor.get("/channel/bob")).text).not.toContain("text at Bob's");
  });

  test("is nobody without a token that works", async () => {
    for (const token of ["wrong", "", "x".repeat(5000), "%00", "<b>"]) {
      const shown = await visitorOf(world.app).get(`/channel/alice?zat=${token}`);
      expect(seenIn(shown.text)).toEqual(["text for everybody"]);
    }
    const forged = visitorOf(world.app);
    forged.cookies.set("hubbub_guest", Buffer.from("wrong").toString("base64url"));
    expect(seenIn((await forged.get("/channel/alice")).text)).toEqual(["text for everybody"]);
  });

  test("gets the files and photos that name it, and no others", async () => {
    const { hub } = world;
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#123" } })
      .png()
      .toBuffer();
    const put = async (filename: string, bytes: Buffer, audience: Partial<Audience>): Promise<string> => {
      const staged = await hub.blobs.stage(Readable.from([bytes]), bytes.length);
      const sent = { filename, type: "", folder: { hash: "" }, audience: { ...nobody, ...audience } };
      return (await upload(hub, alice.channel, alice.channel, staged, sent)).hash;
    };
    const note = await put("note.txt", Buffer.from("words for the guest"), { allow_cid: [guest.hash] });
    const photo = await put("face.png", picture, { allow_cid: [guest.hash] });
    const other = await put("other.txt", Buffer.from("words for me"), { allow_cid: [alice.channel.channel_hash] });
    const visitor = await arrive();
    expect((await visitor.get(`/attach/${note}`)).text).toBe("words for the guest");
    expect((await visitor.get(`/photo/${photo}-3`)).status).toBe(200);
    expect((await visitor.get(`/attach/${note}`)).headers.get("cache-control")).toMatch(/private|no-store/);
    expect((await visitor.get("/cloud/alice")).text).toMatch(/note\.txt/);
    expect((await visitor.get("/cloud/alice")).text).not.toMatch(/other\.txt/);
    expect((await visitorOf(world.app).get(`/attach/${note}?zat=${guest.atoken_token}`)).status).toBe(200);
    for (const path of [`/attach/${note}`, `/photo/${photo}-3`, `/photo/${photo}`])
      expect((await visitorOf(world.app).get(path)).status).toBe(404);
    expect((await visitor.get(`/attach/${other}`)).status).toBe(404);
  });

  test("is anonymous from the moment when the key expires or is changed", async () => {
    const short = await createGuest(world.hub, alice.channel, { name: "Short", expires: "2026-03-01 13:00:00" });
    await postItem(world.hub, alice.channel, {
      body: "text for short",
      audience: { ...nobody, allow_cid: [short.hash] },
    });
    const visitor = await arrive(short.atoken_token);
    expect((await visitor.get("/channel/alice")).text).toContain("text for short");
    world.hub.setClock("2026-03-01T13:00:00Z");
    const late = await visitor.get("/channel/alice");
    world.hub.setClock("2026-03-01T12:00:00Z");
    expect(late.text).not.toContain("text for short");
    expect(late.text).not.toContain("a guest of");
    await changeGuest(world.hub, alice.channel, short.atoken_id, { renewToken: true });
    expect((await visitor.get("/channel/alice")).text).not.toContain("text for short");
  });

  test("reads of its host what the host shows to whom it knows, in lists of people as well", async () => {
    const { hub } = world;
    const uid = alice.channel.channel_id;
    await updateDefaultProfile(hub, uid, { about: "I keep bees." });
    const reads = async (visitor: Visitor): Promise<boolean> =>
      (await visitor.get("/directory")).text.includes("I keep bees.");
    await setConfig(hub, uid, "perm_limits", "view_profile", "256");
    expect([await reads(await arrive()), await reads(visitorOf(world.app))]).toEqual([true, false]);
    await setConfig(hub, uid, "perm_limits", "view_profile", "0");
    expect(await reads(await arrive())).toBe(false);
    await setConfig(hub, uid, "perm_limits", "view_profile", "1");
  });

  test("sees open pages of a closed hub at its host alone", async () => {
    await setSetting(world.hub, "blockPublic", true);
    const visitor = await arrive();
    const [home, elsewhere] = [await visitor.get("/channel/alice"), await visitor.get("/channel/bob")];
    await setSetting(world.hub, "blockPublic", false);
    expect(seenIn(home.text)).toContain("text for everybody");
    expect(elsewhere.status).toBe(404);
  });

  test("can do nothing that a member can, and no API knows it", async () => {
    const visitor = await arrive();
    for (const path of ["/network", "/settings", "/settings/guests", "/connections"]) {
      expect(await visitor.get(path)).toMatchObject({ status: 303, location: expect.stringMatching(/^\/login/) });
    }
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const path of ["/api/z/1.0/verify", "/api/account/verify_credentials.json", "/api/z/1.0/network/stream"]) {
      const answer = await world.anonymous.get(path, { zat: guest.atoken_token }, { headers: { cookie } });
      expect(answer.status).toBe(401);
    }
    const basic = Buffer.from(`${guest.atoken_name}:${guest.atoken_token}`).toString("base64");
    const headers = { authorization: `Basic ${basic}` };
    expect((await world.anonymous.get("/api/z/1.0/verify", {}, { headers })).status).toBe(401);
  });

  test("who is logged in stays who they are; leaving forgets the guest", async () => {
    const member = visitorOf(world.app);
    await member.logIn("bob", password);
    expect(seenIn((await member.get(`/channel/alice?zat=${guest.atoken_token}`)).text)).toEqual(["text for everybody"]);
    expect([...member.cookies.keys()]).not.toContain("hubbub_guest");
    const visitor = await arrive();
    await visitor.get("/channel/alice");
    await visitor.post("/logout", {});
    expect([...visitor.cookies.keys()]).not.toContain("hubbub_guest");
    expect(seenIn((await visitor.get("/channel/alice")).text)).toEqual(["text for everybody"]);
  });

  test("a token goes into no link of the page", async () => {
    const shown = await visitorOf(world.app).get(`/channel/alice?tag=x&zat=${guest.atoken_token}`);
    expect(shown.text).not.toContain(guest.atoken_token);
  });
});

describe("the pages for the owner", () => {
  test("make, show, change, renew and remove a guest", async () => {
    const owner = visitorOf(world.app);
    await owner.logIn("alice", password);
    await owner.get("/settings/guests");
    const made = await owner.post("/settings/guests", { name: "Carol & Co", expires: "2026-05-01" });
    expect(made).toMatchObject({ status: 303 });
    const path = made.location.replace(/\?.*/, "");
    const find = async (): Promise<ChannelGuest | undefined> =>
      (await listGuests(world.hub, alice.channel)).find((one) => one.atoken_name === "Carol & Co");
    const carol = (await find())!;
    expect(carol.atoken_expires).toBe("2026-05-01 23:59:59");
    const page = await owner.get(path);
    expect(page.text).toContain(`value="http://hub.example/channel/alice?zat=${carol.atoken_token}"`);
    expect(page.text).toContain('value="2026-05-01"');
    await owner.post(path, { expires: "", grant: ["view_stream"] });
    expect(await find()).toMatchObject({ atoken_expires: "0001-01-01 00:00:00", granted: ["view_stream"] });
    await owner.post(`${path}/renew`, {});
    expect((await find())!.atoken_token).not.toBe(carol.atoken_token);
    expect((await owner.get(`${path}/delete`)).text).toContain("Remove the guest Carol &amp; Co?");
    await owner.post(`${path}/delete`, {});
    expect(await find()).toBeUndefined();
    expect((await owner.get(path)).status).toBe(404);
  });

  test("say what is wrong", async () => {
    const owner = visitorOf(world.app);
    await owner.logIn("alice", password);
    await owner.get("/settings/guests");
    const refused = await owner.post("/settings/guests", { name: "Granny" });
    expect([refused.status, refused.text.includes("a guest with this name already")]).toEqual([422, true]);
    expect((await owner.post("/settings/guests", { name: "New", expires: "2026-02-31" })).status).toBe(422);
  });

  test("are the owner's alone", async () => {
    const stranger = visitorOf(world.app);
    await stranger.logIn("bob", password);
    expect((await stranger.get("/settings/guests")).text).not.toContain("Granny");
    const path = `/settings/guests/${guest.atoken_id}`;
    expect((await stranger.get(path)).status).toBe(404);
    for (const action of ["", "/renew", "/delete"]) {
      expect((await stranger.post(path + action, {})).status).toBe(404);
    }
  });

  test("guests are offered where an audience is chosen, and as members of groups", async () => {
    const owner = visitorOf(world.app);
    await owner.logIn("alice", password);
    const network = await owner.get("/network");
    expect(network.text).toContain(`value="${guest.hash}"`);
    await owner.post("/channel/alice", { body: "posted for the guest", audience: "chosen", contact_allow: guest.hash });
    expect((await (await arrive()).get("/channel/alice")).text).toContain("posted for the guest");
    const group = await createGroup(world.hub, alice.channel.channel_id, "New circle");
    await owner.get(`/group/${group.id}`);
    await owner.post(`/group/${group.id}/members`, { add: guest.hash });
    expect((await owner.get(`/group/${group.id}`)).text).toMatch(/aria-label="Members"[^]*Granny/);
  });
});
