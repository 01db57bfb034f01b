import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { connect } from "../../domain/connections/connections.ts";
import { addMembers, createGroup, deleteGroup } from "../../domain/groups/groups.ts";

/** The part of native contract 6 that is about people: channel, xchan, groups, connections, permissions. */

let world: TestApp;
let alma: Person;
let bruno: Person;
let stranger: Person;
const api = "/api/z/1.0";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  bruno = await world.person("bruno");
  stranger = await world.person("cleo");
  await connect(world.hub, alma.channel, { xchan_hash: bruno.channel.channel_hash });
  await connect(world.hub, bruno.channel, { xchan_hash: alma.channel.channel_hash });
});
afterAll(() => world.close());

async function brunoRow(): Promise<Record<string, string>> {
  const rows = (await alma.get(`${api}/abook`)).json as Record<string, string>[];
  return rows.find((row) => row["xchan_addr"] === "bruno@hub.example")!;
}

const xchanFields =
  "hash guid guid_sig pubkey photo_mimetype photo_l photo_m photo_s address url connurl follow connpage name network instance_url flags photo_date name_date hidden orphan censored selfcensored system pubforum deleted".split(
    " ",
  );
const abookFields =
  "id account channel xchan my_perms their_perms closeness created updated connected dob flags blocked ignored hidden archived pending unconnected self feed profile incl excl instance"
    .split(" ")
    .map((name) => `abook_${name}`);
const xchanColumns = xchanFields.map((name) => (name === "address" ? "xchan_addr" : `xchan_${name}`));

function allStrings(record: object): void {
  expect(Object.entries(record).filter(([, value]) => typeof value !== "string")).toEqual([]);
}

describe("version, verify, channel/list (6.21)", () => {
  test("version needs no login and knows XML", async () => {
    expect((await world.anonymous.get(`${api}/version`)).json).toMatch(/^\d+\.\d+\.\d+$/);
    const xml = await world.anonymous.get(`${api}/version.xml`);
    expect(xml.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(xml.text).toMatch(/^<\?xml [^>]*\?>\n<version>\d+\.\d+\.\d+<\/version>$/);
    expect((await world.anonymous.send("PUT", `${api}/version.xml`)).headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
  });

  test("verify shows the channel and its xchan, and no secret", async () => {
    const { json } = await alma.get(`${api}/verify`);
    allStrings(json);
    expect(json).toMatchObject({ channel_address: "alma", channel_passwd_reset: "", xchan_addr: "alma@hub.example" });
    expect(Object.keys(json).slice(-26)).toEqual(xchanColumns);
    expect(JSON.stringify(json)).not.toContain("PRIVATE KEY");
  });

  test("channel/list", async () => {
    expect((await alma.get(`${api}/channel/list`)).json).toEqual(["alma"]);
  });
});

describe("xchan (6.14)", () => {
  test("by hash, guid and address it is the same 26 fields", async () => {
    const byAddress = (await stranger.get(`${api}/xchan`, { address: "BRUNO@hub.example" })).json;
    expect(Object.keys(byAddress)).toEqual(xchanFields);
    allStrings(byAddress);
    expect((await stranger.get(`${api}/xchan`, { hash: byAddress.hash })).json).toEqual(byAddress);
    expect((await stranger.get(`${api}/xchan`, { guid: byAddress.guid, address: "alma@hub.example" })).json).toEqual(
      byAddress,
    );
  });

  test("nothing named, nothing known", async () => {
    expect((await alma.get(`${api}/xchan`)).json.reason).toBe("missing_parameter");
    expect((await alma.get(`${api}/xchan`, { hash: "" })).json.reason).toBe("missing_parameter");
    for (const name of ["hash", "guid", "address"]) {
      expect((await alma.get(`${api}/xchan`, { [name]: "no%_body" })).json.reason).toBe("not_found");
    }
  });

  test("a bridge makes somebody known", async () => {
    const form = {
      guid: "bridge-1",
      name: "Remote",
      network: "rss",
      url: "https://feeds.example/1",
      address: "feed@feeds.example",
    };
    const made = await alma.post(`${api}/xchan`, form);
    expect(made.json).toMatchObject({
      hash: "bridge-1",
      name: "Remote",
      network: "rss",
      address: "feed@feeds.example",
    });
    expect((await alma.post(`${api}/xchan`, { ...form, name: "Other" })).json.name).toBe("Remote");
    expect((await alma.post(`${api}/xchan`, { name: "x" })).json.reason).toBe("missing_parameter");
    expect((await alma.post(`${api}/xchan`, { guid: "b2", network: "zot" })).json).toMatchObject({
      reason: "bad_parameter",
    });
    expect((await alma.post(`${api}/xchan`, { guid: "b3", network: "activitypub" })).json).toMatchObject({
      field: "network",
    });
    expect((await alma.post(`${api}/xchan`, { guid: "b4", photo: "http://127.0.0.1/x" })).json).toMatchObject({
      field: "photo",
    });
  });
});

describe("group and group_members (6.12, 6.13)", () => {
  test("agree on id and name, and carry all fields", async () => {
    const [friends] = (await alma.get(`${api}/group`)).json;
    expect(Object.keys(friends)).toEqual(["id", "hash", "uid", "visible", "deleted", "gname"]);
    expect(friends).toMatchObject({ gname: "Friends", deleted: "0" });
    const members = (await alma.get(`${api}/group_members`, { group_id: friends.id })).json;
    expect((await alma.get(`${api}/group_members`, { group_name: "Friends" })).json).toEqual(members);
    expect(members.length).toBeGreaterThan(0);
    for (const member of members) {
      allStrings(member);
      expect(Object.keys(member)).toEqual(["id", "uid", "gid", "xchan", ...abookFields, ...xchanColumns]);
    }
    expect(members[0].abook_self).toBe("1");
  });

  test("deleted groups stay in the list; others' groups are unknown", async () => {
    const group = await createGroup(world.hub, alma.channel.channel_id, "Gone");
    await addMembers(world.hub, alma.channel.channel_id, group.id, [bruno.channel.channel_hash]);
    await deleteGroup(world.hub, alma.channel.channel_id, group.id);
    expect((await alma.get(`${api}/group`)).json.at(-1)).toMatchObject({ gname: "Gone", deleted: "1" });
    expect((await alma.get(`${api}/group_members`, { group_id: group.id })).json).toEqual([]);
    expect((await stranger.get(`${api}/group_members`, { group_id: group.id })).json.reason).toBe("not_found");
    expect((await alma.get(`${api}/group_members`)).json).toMatchObject({ reason: "missing_parameter" });
    expect((await alma.get(`${api}/group_members`, { group_id: "x", group_name: "Friends" })).json.field).toBe(
      "group_id",
    );
  });
});

describe("abook (6.18)", () => {
  test("own row and connections, by id; an unknown id is an empty list", async () => {
    const { json } = await alma.get(`${api}/abook`);
    expect(json.map((row: Record<string, string>) => row["xchan_addr"])).toEqual([
      "alma@hub.example",
      "bruno@hub.example",
    ]);
    for (const row of json) expect(Object.keys(row)).toEqual([...abookFields, ...xchanColumns]);
    expect((await alma.get(`${api}/abook`, { abook_id: json[1].abook_id })).json).toEqual([json[1]]);
    expect((await stranger.get(`${api}/abook`, { abook_id: json[1].abook_id })).json).toEqual([]);
  });

  test("POST changes what is named and nothing else", async () => {
    const before = await brunoRow();
    const changed = (
      await alma.post(`${api}/abook`, { abook_id: before["abook_id"], closeness: 10, hidden: "yes", incl: "#music" })
    ).json;
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({
      abook_closeness: "10",
      abook_hidden: "1",
      abook_incl: "#music",
      abook_archived: "0",
    });
    expect(
      (await alma.post(`${api}/abook`, { abook_id: before["abook_id"], hidden: "0", incl: "" })).json[0],
    ).toMatchObject({
      abook_closeness: "10",
      abook_hidden: "0",
      abook_incl: "",
    });
  });

  test("POST refuses", async () => {
    const id = (await brunoRow())["abook_id"];
    const self = (await alma.get(`${api}/abook`)).json[0].abook_id;
    expect((await alma.post(`${api}/abook`, {})).json).toMatchObject({
      reason: "missing_parameter",
      field: "abook_id",
    });
    expect((await alma.post(`${api}/abook`, { abook_id: 9999 })).json.reason).toBe("not_found");
    expect((await stranger.post(`${api}/abook`, { abook_id: id, blocked: 1 })).json.reason).toBe("not_found");
    expect((await alma.post(`${api}/abook`, { abook_id: id, closeness: 100 })).json).toMatchObject({
      field: "closeness",
    });
    expect((await alma.post(`${api}/abook`, { abook_id: id, profile: "nope" })).json).toMatchObject({
      field: "profile",
    });
    expect((await alma.post(`${api}/abook`, { abook_id: self, blocked: 1 })).json.reason).toBe("bad_parameter");
  });
});

describe("abconfig (6.19) and perm_allowed (6.20)", () => {
  test("my_perms are the bits of the connection", async () => {
    const row = await brunoRow();
    const perms = (await alma.get(`${api}/abconfig`, { abook_id: row["abook_id"], cat: "my_perms" })).json;
    expect(Object.keys(perms[0])).toEqual(["id", "chan", "xchan", "cat", "k", "v"]);
    allStrings(perms[0]);
    expect(row["abook_my_perms"]).toBe("218555");
    expect(perms.filter((entry: { v: string }) => entry.v === "1")).toHaveLength(13);
    const all = (await alma.get(`${api}/abconfig`)).json;
    expect(all.length).toBeGreaterThan(perms.length);
    expect((await alma.get(`${api}/abconfig`, { abook_id: 9999 })).json).toEqual([]);
  });

  test("POST writes, grants and deletes", async () => {
    const id = (await brunoRow())["abook_id"];
    const write = (cat: string, k: string, v: string) => alma.post(`${api}/abconfig`, { abook_id: id, cat, k, v });
    expect((await write("my_perms", "write_storage", "true")).json).toMatchObject([
      { cat: "my_perms", k: "write_storage", v: "1" },
    ]);
    const asked = { abook_id: id, perm: "write_storage" };
    expect((await alma.get(`${api}/perm_allowed`, asked)).json).toEqual([{ perm: "write_storage", allowed: true }]);
    await write("my_perms", "write_storage", "0");
    expect((await alma.get(`${api}/perm_allowed`, asked)).json).toEqual([{ perm: "write_storage", allowed: false }]);
    expect((await write("note", "colour", "red")).json).toMatchObject([{ cat: "note", v: "red" }]);
    expect((await write("note", "colour", "")).json).toEqual([]);
    expect((await write("their_perms", "view_stream", "1")).json.reason).toBe("permission_denied");
    expect((await write("my_perms", "fly", "1")).json).toMatchObject({ reason: "bad_parameter", field: "k" });
    expect((await write("my_perms", "chat", "maybe")).json).toMatchObject({ reason: "bad_parameter", field: "v" });
    expect((await alma.post(`${api}/abconfig`, { abook_id: id, cat: "a", k: "b" })).json).toMatchObject({
      reason: "missing_parameter",
      field: "v",
    });
  });

  test("perm_allowed lists 18, and all of the channel's own", async () => {
    const own = (await alma.get(`${api}/perm_allowed`, { hash: alma.channel.channel_hash })).json;
    expect(own).toHaveLength(18);
    expect(own.every((entry: { allowed: boolean }) => entry.allowed)).toBe(true);
    expect(own[0]).toEqual({ perm: "view_stream", allowed: true });
    expect(own[17].perm).toBe("delegate");
    const blocked = (await brunoRow())["abook_id"];
    await alma.post(`${api}/abook`, { abook_id: blocked, blocked: 1 });
    const nothing = (await alma.get(`${api}/perm_allowed`, { address: "bruno@hub.example" })).json;
    expect(nothing.some((entry: { allowed: boolean }) => entry.allowed)).toBe(false);
    await alma.post(`${api}/abook`, { abook_id: blocked, blocked: 0 });
    expect((await alma.get(`${api}/perm_allowed`)).json.reason).toBe("missing_parameter");
    expect((await alma.get(`${api}/perm_allowed`, { hash: "x" })).json.reason).toBe("not_found");
    expect((await alma.get(`${api}/perm_allowed`, { abook_id: 9999 })).json.reason).toBe("not_found");
    expect((await alma.get(`${api}/perm_allowed`, { hash: "x", perm: "fly" })).json).toMatchObject({ field: "perm" });
  });
});
