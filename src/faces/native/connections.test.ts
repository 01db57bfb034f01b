import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { changeGuest, connect, createGuest, removeConnection } from "../../domain/connections/connections.ts";
import { addMembers, createGroup, deleteGroup } from "../../domain/groups/groups.ts";
import { findAccountById } from "../../domain/identity/accounts/accounts.ts";
import { setConfig } from "../../domain/identity/channels/channel-config.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { removeChannel } from "../../domain/connections/remove-channel.ts";
import { createProfile, defaultProfile } from "../../domain/identity/channels/profiles.ts";
import { permissionBits } from "../../domain/identity/channels/roles.ts";
import type { PermissionName } from "../../domain/identity/channels/roles.ts";
import { identityHash, signWith } from "../../domain/identity/xchans/signing.ts";
import { makeKeys } from "../../keys.ts";

/** Native contract 6.12 to 6.14 and 6.18 to 6.21, sentence by sentence, where records.test.ts has not been. */

type Row = Record<string, string>;

let world: TestApp;
let alma: Person;
let bruno: Person;
let cleo: Person;
let dora: Person;
const api = "/api/z/1.0";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  bruno = await world.person("bruno");
  cleo = await world.person("cleo");
  dora = await world.person("dora");
  for (const [one, other] of [
    [alma, bruno],
    [bruno, alma],
    [cleo, alma],
  ] as const)
    await connect(world.hub, one.channel, { xchan_hash: other.channel.channel_hash });
});
afterAll(() => world.close());

async function rowOf(owner: Person, other: Person): Promise<Row> {
  const rows = (await owner.get(`${api}/abook`)).json as Row[];
  return rows.find((row) => row["abook_xchan"] === other.channel.channel_hash)!;
}

const allowedOf = async (owner: Person, asked: Record<string, unknown>): Promise<string[]> =>
  ((await owner.get(`${api}/perm_allowed`, asked)).json as { perm: string; allowed: boolean }[])
    .filter((one) => one.allowed)
    .map((one) => one.perm);

describe("abook", () => {
  test("lists the self row and pending rows, by id; reading takes GET and HEAD", async () => {
    const rows = (await alma.get(`${api}/abook`)).json as Row[];
    expect(rows.map((row) => [row["abook_self"], row["abook_pending"], row["xchan_name"]])).toEqual([
      ["1", "0", "Alma"],
      ["0", "0", "Bruno"],
      ["0", "1", "Cleo"],
    ]);
    const ids = rows.map((row) => Number(row["abook_id"]));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect((await alma.send("HEAD", `${api}/abook`)).status).toBe(200);
    expect((await alma.get(`${api}/abook`, { abook_id: "x" })).json).toMatchObject({
      reason: "bad_parameter",
      field: "abook_id",
    });
    for (const row of rows) expect(row["abook_account"]).toBe(String(alma.channel.channel_account_id));
  });

  test.each(["blocked", "ignored", "hidden", "archived"])("%s is set and cleared; the rest stays", async (flag) => {
    const before = await rowOf(alma, bruno);
    const write = async (value: string): Promise<Row> =>
      (await alma.post(`${api}/abook`, { abook_id: before["abook_id"], [flag]: value })).json[0];
    world.hub.advance(1);
    const on = await write("1");
    expect(on[`abook_${flag}`]).toBe("1");
    expect(on["abook_updated"]! > before["abook_updated"]!).toBe(true);
    const off = await write("no");
    expect({ ...off, abook_updated: "" }).toEqual({ ...before, abook_updated: "" });
  });

  test("`pending` = false approves: default group, the role's grants, the other side knows", async () => {
    const asked = await rowOf(alma, cleo);
    expect([asked["abook_pending"], asked["abook_my_perms"]]).toEqual(["1", "0"]);
    expect(await allowedOf(alma, { abook_id: asked["abook_id"] })).not.toContain("post_wall");
    const [approved] = (
      await alma.post(`${api}/abook`, { abook_id: asked["abook_id"], pending: "false", closeness: 7 })
    ).json as Row[];
    expect(approved).toMatchObject({
      abook_pending: "0",
      abook_my_perms: "218555",
      abook_their_perms: "218555",
      abook_closeness: "7",
    });
    expect((await rowOf(cleo, alma))["abook_their_perms"]).toBe("218555");
    expect(await allowedOf(alma, { abook_id: asked["abook_id"] })).toContain("post_wall");
    const members = (await alma.get(`${api}/group_members`, { group_name: "Friends" })).json as Row[];
    expect(members.map((member) => member["xchan"])).toContain(cleo.channel.channel_hash);
    expect((await alma.post(`${api}/abook`, { abook_id: asked["abook_id"], pending: "true" })).json).toMatchObject({
      reason: "bad_parameter",
      field: "pending",
    });
  });

  test("a profile is one of the channel's own; the self row takes nothing else", async () => {
    const { abook_id: id } = await rowOf(alma, bruno);
    const own = await createProfile(world.hub, alma.channel, "Friendly");
    const others = await defaultProfile(world.hub, dora.channel.channel_id);
    const write = async (abookId: string | undefined, fields: object) =>
      (await alma.post(`${api}/abook`, { abook_id: abookId, ...fields })).json;
    expect((await write(id, { profile: own.profile_guid }))[0].abook_profile).toBe(own.profile_guid);
    for (const profile of [others.profile_guid, "x", ""])
      expect(await write(id, { profile })).toMatchObject({ reason: "bad_parameter", field: "profile" });
    const { abook_id: self } = await rowOf(alma, alma);
    expect((await write(self, { profile: own.profile_guid }))[0]).toMatchObject({
      abook_self: "1",
      abook_profile: own.profile_guid,
    });
    for (const fields of [{ closeness: 1 }, { hidden: 1 }, { incl: "x" }, { excl: "" }, { pending: "false" }])
      expect(await write(self, fields)).toMatchObject({ reason: "bad_parameter", field: Object.keys(fields)[0] });
  });

  test.each([
    [{ closeness: "-1" }, "closeness"],
    [{ closeness: "ten" }, "closeness"],
    [{ closeness: "100" }, "closeness"],
    [{ excl: "x".repeat(70_000) }, "excl"],
  ])("%.40j is refused and changes nothing", async (fields, field) => {
    const before = await rowOf(alma, bruno);
    const answer = await alma.post(`${api}/abook`, { abook_id: before["abook_id"], archived: "1", ...fields });
    expect(answer).toMatchObject({ status: 400, json: { reason: "bad_parameter", field } });
    expect(await rowOf(alma, bruno)).toEqual(before);
  });
});

describe("abconfig", () => {
  test("lists by id, of the channel, of a connection, of a family", async () => {
    const { abook_id: id, abook_xchan: xchan } = await rowOf(alma, bruno);
    const all = (await alma.get(`${api}/abconfig`)).json as Row[];
    const ids = all.map((row) => Number(row["id"]));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(new Set(all.map((row) => row["chan"]))).toEqual(new Set([String(alma.channel.channel_id)]));
    expect((await alma.get(`${api}/abconfig`, { abook_id: id })).json).toEqual(
      all.filter((row) => row["xchan"] === xchan),
    );
    const theirs = (await alma.get(`${api}/abconfig`, { cat: "their_perms" })).json as Row[];
    expect(theirs).toEqual(all.filter((row) => row["cat"] === "their_perms"));
    expect((await alma.get(`${api}/abconfig`, { abook_id: id, cat: "nothing" })).json).toEqual([]);
    expect((await dora.get(`${api}/abconfig`, { abook_id: id })).json).toEqual([]);
  });

  test("the bit set of the connection is the sum of its my_perms (C 12), and the other side is told", async () => {
    const { abook_id: id } = await rowOf(alma, bruno);
    for (const [k, v] of [
      ["write_pages", "on"],
      ["write_wiki", "TRUE"],
      ["chat", "no"],
    ] as const) {
      world.hub.advance(1);
      const before = await rowOf(alma, bruno);
      await alma.post(`${api}/abconfig`, { abook_id: id, cat: "my_perms", k, v });
      expect((await rowOf(alma, bruno))["abook_updated"]! > before["abook_updated"]!).toBe(true);
    }
    const mine = (await alma.get(`${api}/abconfig`, { abook_id: id, cat: "my_perms" })).json as Row[];
    expect(mine).toHaveLength(18);
    const sum = mine.reduce((total, row) => total + Number(row["v"]) * permissionBits[row["k"] as PermissionName], 0);
    expect((await rowOf(alma, bruno))["abook_my_perms"]).toBe(String(sum));
    expect((await rowOf(bruno, alma))["abook_their_perms"]).toBe(String(sum));
    expect(sum).toBe(218555 + permissionBits.write_pages - permissionBits.chat);
  });

  test("refuses what cannot be written", async () => {
    const { abook_id: id } = await rowOf(alma, bruno);
    const write = async (fields: object) =>
      (await alma.post(`${api}/abconfig`, { abook_id: id, cat: "note", k: "k", v: "v", ...fields })).json;
    for (const field of ["abook_id", "cat", "k"])
      expect(await write({ [field]: "" })).toMatchObject({ reason: "missing_parameter", field });
    expect(await write({ abook_id: 999_999 })).toMatchObject({ reason: "not_found" });
    expect(await write({ abook_id: (await rowOf(bruno, alma))["abook_id"] })).toMatchObject({ reason: "not_found" });
    expect(await write({ cat: "their_perms" })).toMatchObject({ reason: "permission_denied", code: 403 });
    for (const cat of ["my_perms", "autoperms"]) {
      expect(await write({ cat, k: "nothing", v: "1" })).toMatchObject({ reason: "bad_parameter", field: "k" });
      expect(await write({ cat, k: "chat", v: "" })).toMatchObject({ reason: "bad_parameter", field: "v" });
    }
  });
});

describe("perm_allowed", () => {
  test("asks about one identity, the first that is named; one permission or all 18", async () => {
    const { abook_id: id } = await rowOf(alma, bruno);
    const every = await allowedOf(alma, { hash: alma.channel.channel_hash });
    expect(every).toHaveLength(18);
    expect(await allowedOf(alma, { abook_id: id, hash: alma.channel.channel_hash })).not.toHaveLength(18);
    expect(
      await allowedOf(alma, { hash: alma.channel.channel_hash, guid: bruno.channel.channel_guid, address: "nobody" }),
    ).toEqual(every);
    expect(await allowedOf(alma, { guid: alma.channel.channel_guid, address: "bruno@hub.example" })).toEqual(every);
    const one = await alma.post(`${api}/perm_allowed`, { address: "DORA@hub.example", perm: "post_wall" });
    expect(one.json).toEqual([{ perm: "post_wall", allowed: false }]);
    expect((await alma.get(`${api}/perm_allowed`, { abook_id: id, perm: "" })).json).toHaveLength(18);
    expect((await dora.get(`${api}/perm_allowed`, { abook_id: id })).json.reason).toBe("not_found");
  });

  test("blocking makes all of them false (C 11)", async () => {
    const { abook_id: id } = await rowOf(alma, bruno);
    await alma.post(`${api}/abook`, { abook_id: id, blocked: 1 });
    expect(await allowedOf(alma, { abook_id: id })).toEqual([]);
    await alma.post(`${api}/abook`, { abook_id: id, blocked: 0 });
    expect(await allowedOf(alma, { abook_id: id })).toContain("view_stream");
  });

  test("knows the channel's own guests, and not those of others", async () => {
    const guest = await createGuest(world.hub, alma.channel, { name: "Granny" });
    const reading = ["view_stream", "view_profile", "view_contacts", "view_storage", "view_pages", "view_wiki"];
    expect(await allowedOf(alma, { hash: guest.hash })).toEqual(reading);
    expect((await alma.get(`${api}/xchan`, { hash: guest.hash })).json).toMatchObject({
      network: "token",
      name: "Granny",
    });
    for (const path of ["perm_allowed", "xchan"]) {
      const [known, unknown] = [
        await dora.get(`${api}/${path}`, { hash: guest.hash }),
        await dora.get(`${api}/${path}`, { hash: "nobody.at.all" }),
      ];
      expect([known.status, known.json]).toEqual([404, unknown.json]);
    }
    const made = await dora.post(`${api}/xchan`, { hash: guest.hash, name: "Mine" });
    const never = await dora.post(`${api}/xchan`, { hash: guest.hash.replace("Granny", "Nobody"), name: "Mine" });
    expect([made.status, made.json]).toEqual([400, never.json]);
    const row = await world.hub.db
      .selectFrom("xchan")
      .select("xchan_id")
      .where("xchan_hash", "=", guest.hash)
      .executeTakeFirstOrThrow();
    expect((await dora.get("/api/users/show", { user_id: row.xchan_id })).status).toBe(404);
    await changeGuest(world.hub, alma.channel, guest.atoken_id, { expires: "2020-01-01 00:00:00" });
    await setConfig(world.hub, alma.channel.channel_id, "perm_limits", "view_wiki", "256");
    expect(await allowedOf(alma, { hash: guest.hash })).toEqual(reading.filter((name) => name !== "view_wiki"));
    await changeGuest(world.hub, alma.channel, guest.atoken_id, { expires: "0001-01-01 00:00:00" });
    expect(await allowedOf(alma, { hash: guest.hash })).toEqual(reading);
  });
});

describe("groups", () => {
  test("members that are no connections have unset fields; a live group wins over deleted ones of its name", async () => {
    const uid = alma.channel.channel_id;
    const old = await createGroup(world.hub, uid, "Circle");
    await deleteGroup(world.hub, uid, old.id);
    const group = await createGroup(world.hub, uid, "Circle");
    const guest = await createGuest(world.hub, alma.channel, { name: "Member" });
    await addMembers(world.hub, uid, group.id, [cleo.channel.channel_hash, guest.hash]);
    await world.hub.db
      .insertInto("pgrp_member")
      .values({ uid, gid: group.id, xchan: dora.channel.channel_hash })
      .execute();
    const members = (await alma.get(`${api}/group_members`, { group_name: "Circle" })).json as Row[];
    expect(members.map((one) => [one["xchan_name"], one["gid"]])).toEqual([
      ["Cleo", String(group.id)],
      ["Member", String(group.id)],
      ["Dora", String(group.id)],
    ]);
    for (const member of members.slice(1))
      expect(member).toMatchObject({
        abook_id: "0",
        abook_xchan: "",
        abook_blocked: "0",
        abook_my_perms: "0",
        abook_profile: "",
        abook_created: "0001-01-01 00:00:00",
      });
    expect((await alma.post(`${api}/group_members`, { group_id: group.id, group_name: "Friends" })).json).toEqual(
      members,
    );
    expect((await alma.get(`${api}/group_members`, { group_id: "", group_name: "" })).json.reason).toBe(
      "missing_parameter",
    );
    expect((await alma.get(`${api}/group_members`, { group_name: "circle" })).json.reason).toBe("not_found");
  });

  test("a removed connection is in no group", async () => {
    const { abook_id: id } = await rowOf(alma, cleo);
    await removeConnection(world.hub, alma.channel, Number(id));
    const members = (await alma.get(`${api}/group_members`, { group_name: "Circle" })).json as Row[];
    expect(members.map((one) => one["xchan_name"])).toEqual(["Member", "Dora"]);
  });
});

describe("xchan POST", () => {
  test("fills in what is not said", async () => {
    expect((await alma.post(`${api}/xchan`, { guid: "bare" })).json).toMatchObject({
      hash: "bare",
      guid: "bare",
      name: "unknown",
      network: "unknown",
      url: "http://hub.example",
      photo_m: "http://hub.example/photo/profile/m/0",
      address: "",
    });
    expect((await alma.post(`${api}/xchan`, { hash: "h", guid: "g" })).json).toMatchObject({ hash: "h", guid: "g" });
  });

  test("a native identity proves itself", async () => {
    const { rsa } = await makeKeys();
    const guid = randomBytes(64).toString("base64url");
    const hash = identityHash(guid, rsa.publicKey);
    const form = { hash, guid, guid_sig: await signWith(rsa.privateKey, guid), key: rsa.publicKey, network: "zot" };
    for (const [fields, field] of [
      [{ guid_sig: "AAAA" }, "guid_sig"],
      [{ hash: "other" }, "hash"],
      [{ key: "" }, "guid_sig"],
    ] as const)
      expect((await alma.post(`${api}/xchan`, { ...form, ...fields })).json).toMatchObject({
        reason: "bad_parameter",
        field,
      });
    expect((await alma.post(`${api}/xchan`, form)).json).toMatchObject({ hash, network: "zot", pubkey: rsa.publicKey });
  });

  test.each(["http://10.0.0.1/x.png", "https://[::1]/x.png", "file:///x.png", "http://intranet/x.png"])(
    "a photo at %s is refused",
    async (photo) => {
      const answer = await alma.post(`${api}/xchan`, { guid: "with-photo", photo });
      expect(answer.json).toMatchObject({ reason: "bad_parameter", field: "photo" });
      expect((await alma.get(`${api}/xchan`, { hash: "with-photo" })).status).toBe(404);
    },
  );
});

describe("the channels of an account (6.21, C 13)", () => {
  test("are listed by id, switched between, and gone when removed", async () => {
    const account = (await findAccountById(world.hub, alma.channel.channel_account_id))!;
    const cards = await createChannel(world.hub, account, { nick: "cards", name: "Cards" });
    expect((await alma.get(`${api}/channel/list`)).json).toEqual(["alma", "cards"]);
    expect((await alma.get(`${api}/verify`, { channel: "cards" })).json).toMatchObject({
      channel_id: String(cards.channel_id),
      xchan_name: "Cards",
    });
    expect((await alma.get(`${api}/abook`, { channel: "cards" })).json).toHaveLength(1);
    const denied = await alma.get(`${api}/abook`, { channel: "bruno" });
    expect([denied.status, denied.json.reason]).toEqual([403, "wrong_channel"]);
    await removeChannel(world.hub, cards.channel_id);
    expect((await alma.get(`${api}/channel/list`)).json).toEqual(["alma"]);
    expect((await alma.get(`${api}/verify`, { channel: "cards" })).json.reason).toBe("wrong_channel");
  });

  test("verify has every field of 2.2 but the secrets", async () => {
    const { json } = await alma.get(`${api}/verify`);
    const fields =
      "id account_id primary name address guid guid_sig hash timezone location theme startpage pubkey notifyflags pageflags dirdate lastpost deleted active max_anon_mail max_friend_req expire_days passwd_reset default_group allow_cid allow_gid deny_cid deny_gid removed system moved";
    expect(Object.keys(json).filter((name) => name.startsWith("channel_"))).toEqual(
      fields.split(" ").map((name) => `channel_${name}`),
    );
    expect((await alma.post(`${api}/version`)).json).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await world.anonymous.get(`${api}/version.json`)).json).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await world.anonymous.get(`${api}/verify.xml`)).status).toBe(404);
  });
});
