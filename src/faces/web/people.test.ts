import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { befriend, connectionId, mark } from "../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { connect, createGuest, findConnectionTo, grantsFor, listPeople } from "../../domain/connections/connections.ts";
import { addMembers, findGroup } from "../../domain/groups/groups.ts";
import { getConfig, setConfig } from "../../domain/identity/channels/channel-config.ts";
import { findChannelById, findChannelByNick, roleOf } from "../../domain/identity/channels/channels.ts";
import { permissionLimitsOf, setPermissionLimits } from "../../domain/identity/channels/permission-limits.ts";
import { findPermissionSet, savePermissionSet } from "../../domain/identity/channels/permission-sets.ts";
import { createProfile, defaultProfile, listProfiles } from "../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../domain/people/change-profile.ts";
import type { Profile } from "../../domain/identity/channels/profiles.ts";
import { limits, permissionNames, roles } from "../../domain/identity/channels/roles.ts";
import type { RoleName } from "../../domain/identity/channels/roles.ts";

/** Pages about people: profiles, connections, permissions, groups; and who sees of them what. */

let world: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dora: Person;
let eve: Person;
const visitors: Record<string, Visitor> = {};

beforeAll(async () => {
  world = await openTestApp();
  alice = await world.person("alice");
  bob = await world.person("bob");
  carol = await world.person("carol");
  dora = await world.person("dora");
  eve = await world.person("eve");
  for (const friend of [bob, carol, dora]) {
    await connect(world.hub, alice.channel, { xchan_hash: friend.channel.channel_hash });
    await connect(world.hub, friend.channel, { xchan_hash: alice.channel.channel_hash });
  }
  visitors["nobody"] = visitorOf(world.app);
  for (const { nick } of [alice, bob, carol, dora, eve]) {
    visitors[nick] = visitorOf(world.app);
    await visitors[nick].logIn(nick, password);
  }
});
afterAll(() => world.close());

const as = (nick: string): Visitor => visitors[nick]!;
/** The page, without what differs from request to request or names the one who looks. */
const bare = (text: string): string => withoutTokens(text).replace(/<header class="side">[^]*?<\/header>/, "");

describe("profiles", () => {
  let usual: Profile;
  let work: Profile;

  beforeAll(async () => {
    const uid = alice.channel.channel_id;
    usual = await updateProfile(world.hub, uid, (await defaultProfile(world.hub, uid)).id, {
      about: "The usual Alice",
    });
    work = await createProfile(world.hub, alice.channel, "Work");
    await updateProfile(world.hub, uid, work.id, { about: "Alice at work", pdesc: "Engineer", fullname: "Ms Alice" });
  });

  test("are made, changed in every field, assigned and deleted on their pages", async () => {
    const owner = as("alice");
    await owner.get("/settings/profiles");
    const made = await owner.post("/settings/profiles", { profile_name: "Family" });
    const path = made.location.replace(/\?.*/, "");
    const page = await owner.get(path);
    const names = [...page.text.matchAll(/<(?:input|textarea)[^>]*\sname="(\w+)"/g)].map((found) => found[1]!);
    const typed = Object.fromEntries(
      [...new Set(names)]
        .filter((name) => !["form_security_token", "add", "back", "publish"].includes(name))
        .map((name) => [name, `x ${name}`]),
    );
    await owner.post(path, {
      ...typed,
      homepage: "https://a.example",
      dob: "1990-02-03",
      howlong: "2010-01-01",
      hide_friends: "1",
    });
    const family = (await listProfiles(world.hub, alice.channel.channel_id)).find(
      (one) => one.profile_name === "x profile_name",
    );
    const {
      id: _,
      aid: __,
      uid: ___,
      profile_guid: ____,
      photo: _____,
      thumb: ______,
      publish: _______,
      html,
      ...texts
    } = family!;
    expect(html).toContain('"about":"x about"');
    expect(texts).toEqual({
      ...Object.fromEntries(Object.keys(texts).map((name) => [name, `x ${name}`])),
      is_default: 0,
      hide_friends: 1,
      homepage: "https://a.example",
      dob: "1990-02-03",
      howlong: "2010-01-01 00:00:00",
    });
    const id = String(await connectionId(world.hub, alice.channel, bob.channel));
    await owner.post(`${path}/people`, { add: [id, "999999", "x"] });
    expect((await as("bob").get("/profile/alice")).text).toContain("x about");
    await owner.post(`${path}/people`, { remove: [id, "999999", "x"] });
    expect((await as("bob").get("/profile/alice")).text).not.toContain("x about");
    expect((await owner.post(path, { ...typed, dob: "soon" })).status).toBe(422);
    expect((await as("bob").get(path)).status).toBe(404);
    expect((await as("bob").post(`${path}/delete`, {})).status).toBe(404);
    await owner.post(`${path}/delete`, {});
    expect((await owner.get(path)).status).toBe(404);
    expect((await owner.post(`/settings/profiles/${usual.id}/delete`, {})).status).toBe(422);
  });

  test("are a hundred at most", async () => {
    const owner = visitorOf(world.app);
    const { channel } = await world.person("prolific");
    for (let at = 2; at <= 100; at++) await createProfile(world.hub, channel, `Side ${at}`);
    await owner.logIn("prolific", password);
    await owner.get("/settings/profiles");
    const refused = await owner.post("/settings/profiles", { profile_name: "Side 101" });
    expect([refused.status, refused.text.includes("A channel has at most 100 profiles. Delete one first.")]).toEqual([
      422,
      true,
    ]);
    expect(refused.text).toContain('value="Side 101"');
  });

  test("are shown to those to whom they are assigned, and to nobody else", async () => {
    await mark(world.hub, alice.channel, bob.channel, { profile: work.profile_guid });
    const own = `/profile/alice/${work.profile_guid}`;
    expect((await as("bob").get("/profile/alice")).text).toContain("Alice at work");
    expect((await as("bob").get("/channel/alice")).text).toContain("Engineer");
    expect((await as("bob").get(own)).status).toBe(200);
    expect((await as("alice").get(own)).text).toContain("Alice at work");
    expect((await as("alice").get("/profile/alice")).text).toContain("The usual Alice");
    for (const nick of ["carol", "eve", "nobody"]) {
      expect((await as(nick).get("/profile/alice")).text).toContain("The usual Alice");
      expect((await as(nick).get("/channel/alice")).text).not.toContain("Engineer");
      const [hidden, unknown] = [await as(nick).get(own), await as(nick).get("/profile/alice/nothing")];
      expect([hidden.status, bare(hidden.text)]).toEqual([404, bare(unknown.text)]);
      expect((await as(nick).get(`/profile/alice/${usual.profile_guid}`)).status).toBe(200);
    }
    // A profile belongs to one channel.
    expect((await as("bob").get(`/profile/bob/${work.profile_guid}`)).status).toBe(404);
  });

  test("need view_profile, also an assigned one; blocked people see none", async () => {
    const own = `/profile/alice/${work.profile_guid}`;
    await mark(world.hub, alice.channel, bob.channel, { blocked: true });
    expect((await as("bob").get(own)).status).toBe(404);
    expect((await as("bob").get("/profile/alice")).status).toBe(404);
    await mark(world.hub, alice.channel, bob.channel, { blocked: false });
    await setConfig(world.hub, alice.channel.channel_id, "perm_limits", "view_profile", "0");
    expect((await as("bob").get(own)).status).toBe(404);
    expect((await as("alice").get(own)).status).toBe(200);
    await setConfig(world.hub, alice.channel.channel_id, "perm_limits", "view_profile", "1");
  });

  test("are groups of their people where an audience is chosen", async () => {
    const value = `vp.${work.profile_guid}`;
    expect((await as("alice").get("/network")).text).toContain(`value="${value}"`);
    const body = "for those who see the work profile";
    const posted = await as("alice").post("/channel/alice", { body, audience: "chosen", group_allow: value });
    expect(posted.status).toBe(303);
    expect((await as("bob").get("/channel/alice")).text).toContain(body);
    for (const nick of ["carol", "eve", "nobody"])
      expect((await as(nick).get("/channel/alice")).text).not.toContain(body);
  });
});

describe("connections that others see", () => {
  const names = (text: string): string[] =>
    ["Bob", "Carol", "Dora", "Eve"].filter((name) => text.includes(`/channel/${name.toLowerCase()}"`));
  const listed = async (nick: string): Promise<string[] | number> => {
    const page = await as(nick).get("/viewconnections/alice");
    return page.status === 200 ? names(/<ul class="card people"[^]*?<\/ul>/.exec(page.text)?.[0] ?? "") : page.status;
  };
  const portable = async (nick: string): Promise<string[] | number> => {
    const answer = await as(nick).get("/poco/alice");
    if (answer.status !== 200) return answer.status;
    const { entry, totalResults } = JSON.parse(answer.text) as {
      entry: { displayName: string }[];
      totalResults: number;
    };
    expect(entry).toHaveLength(totalResults);
    return entry.map((one) => one.displayName).toSorted();
  };

  test("leave out hidden, blocked, ignored and archived ones, requests and people who are listed nowhere", async () => {
    await connect(world.hub, eve.channel, { xchan_hash: alice.channel.channel_hash });
    for (const nick of ["nobody", "eve", "alice"]) {
      expect(await listed(nick)).toEqual(["Bob", "Carol", "Dora"]);
      expect(await portable(nick)).toEqual(["Bob", "Carol", "Dora"]);
    }
    for (const flag of ["hidden", "blocked", "ignored", "archived"] as const) {
      await mark(world.hub, alice.channel, carol.channel, { [flag]: true });
      expect([await listed("nobody"), await portable("nobody")]).toEqual([
        ["Bob", "Dora"],
        ["Bob", "Dora"],
      ]);
      await mark(world.hub, alice.channel, carol.channel, { [flag]: false });
    }
    await updateProfile(
      world.hub,
      dora.channel.channel_id,
      (await defaultProfile(world.hub, dora.channel.channel_id)).id,
      { publish: 0 },
    );
    expect(await listed("nobody")).toEqual(["Bob", "Carol"]);
  });

  test("need view_contacts, and a profile that does not hide them", async () => {
    const uid = alice.channel.channel_id;
    await setConfig(world.hub, uid, "perm_limits", "view_contacts", "8");
    expect([await listed("nobody"), await portable("nobody"), await listed("eve")]).toEqual([404, 404, 404]);
    expect(await listed("carol")).toEqual(["Bob", "Carol"]);
    await setConfig(world.hub, uid, "perm_limits", "view_contacts", "1");
    const { id } = await defaultProfile(world.hub, uid);
    await updateProfile(world.hub, uid, id, { hide_friends: 1 });
    expect([await listed("nobody"), await portable("carol"), await listed("carol")]).toEqual([404, 404, 404]);
    expect((await as("carol").get("/channel/alice")).text).not.toMatch(/read this channel|\/viewconnections\/alice/);
    // Bob sees another profile.
    expect(await listed("bob")).toEqual(["Bob", "Carol"]);
    expect(await listed("alice")).toEqual(["Bob", "Carol"]);
    await updateProfile(world.hub, uid, id, { hide_friends: 0 });
    for (const path of ["/viewconnections/nobody-here", "/poco/nobody-here"])
      expect((await as("nobody").get(path)).status).toBe(404);
  });

  test("go on after the last one", async () => {
    const first = JSON.parse((await as("nobody").get("/poco/alice?count=1")).text);
    expect(first).toMatchObject({ totalResults: 2, itemsPerPage: 1, entry: [{ preferredUsername: "carol" }] });
    const rest = JSON.parse((await as("nobody").get(new URL(first.next).pathname + new URL(first.next).search)).text);
    expect(rest.entry).toMatchObject([{ displayName: "Bob", photos: [{ type: "profile" }] }]);
    expect(rest.next).toBeUndefined();
  });
});

describe("a connection's page", () => {
  test("changes every field, and shows what grants mean", async () => {
    const id = await connectionId(world.hub, alice.channel, carol.channel);
    const owner = as("alice");
    const page = await owner.get(`/connedit/${id}`);
    expect(page.text).toContain("they let you do this too");
    expect(page.text).toContain("May anyway: everybody.");
    const work = (await listProfiles(world.hub, alice.channel.channel_id)).find((one) => one.profile_name === "Work")!;
    await owner.post(`/connedit/${id}`, {
      closeness: "12",
      profile: work.profile_guid,
      incl: "#music\nlang=de",
      excl: "/spam/",
      hidden: "1",
      grant: ["view_stream", "delegate"],
    });
    const found = await findConnectionTo(world.hub, alice.channel.channel_id, carol.channel.channel_hash);
    expect(found).toMatchObject({
      abook_closeness: 12,
      abook_profile: work.profile_guid,
      abook_incl: "#music\nlang=de",
      abook_excl: "/spam/",
      abook_hidden: 1,
      abook_archived: 0,
      abook_my_perms: 0x801,
    });
    expect((await owner.get(`/connedit/${id}`)).text).toContain("#music\nlang=de</textarea>");
    const refused = await owner.post(`/connedit/${id}`, { closeness: "500", excl: "typed", grant: "chat" });
    expect([refused.status, refused.text.includes("typed</textarea>")]).toEqual([422, true]);
    expect((await owner.post(`/connedit/${id}`, { closeness: "5", profile: "nothing" })).status).toBe(422);
  });

  test("takes a permission set", async () => {
    const uid = alice.channel.channel_id;
    const id = await connectionId(world.hub, alice.channel, carol.channel);
    await savePermissionSet(world.hub, uid, { name: "Writers", granted: ["view_stream", "post_mail"] });
    const owner = as("alice");
    expect((await owner.get(`/connedit/${id}`)).text).toContain('<option value="Writers"');
    await owner.post(`/connedit/${id}/permissions`, { permcat: "Writers" });
    const found = await findConnectionTo(world.hub, uid, carol.channel.channel_hash);
    expect(found?.abook_my_perms).toBe(0x101);
    expect((await owner.post(`/connedit/${id}/permissions`, { permcat: "None" })).status).toBe(422);
    expect((await as("bob").post(`/connedit/${id}/permissions`, { permcat: "Writers" })).status).toBe(404);
  });
});

describe("permission sets", () => {
  test("are made, changed, chosen for new connections and deleted", async () => {
    const owner = as("dora");
    const uid = dora.channel.channel_id;
    await owner.get("/settings/permission-sets");
    await owner.post("/settings/permission-sets", { name: "A/B & ü", grant: ["view_stream", "chat"] });
    const path = `/settings/permission-sets/${encodeURIComponent("A/B & ü")}`;
    expect((await owner.get("/settings/permission-sets")).text).toContain(`href="${path}"`);
    expect((await owner.post("/settings/permission-sets", { name: "A/B & ü" })).status).toBe(422);
    expect((await owner.post("/settings/permission-sets", { name: "" })).status).toBe(422);
    expect((await owner.get(path)).status).toBe(200);
    await owner.post(path, { grant: "view_wiki", usual: "1" });
    expect(await findPermissionSet(world.hub, uid, "A/B & ü")).toMatchObject({ granted: ["view_wiki"] });
    expect(Object.values(await grantsFor(world.hub, dora.channel)).filter((on) => on === 1)).toHaveLength(1);
    expect((await as("bob").get(path)).status).toBe(404);
    expect((await as("bob").post(`${path}/delete`, {})).status).toBe(404);
    await owner.post(`${path}/delete`, {});
    expect(await getConfig(world.hub, uid, "system", "default_permcat")).toBeUndefined();
    expect((await owner.get(path)).status).toBe(404);
  });
});

describe("permissions one by one", () => {
  test("make the channel a custom one", async () => {
    const owner = as("eve");
    const uid = eve.channel.channel_id;
    const page = await owner.get("/settings/permissions");
    expect(page.text).toContain("<strong>Social</strong>");
    for (const name of permissionNames) expect(page.text).toContain(`name="limit_${name}"`);
    const limits = Object.fromEntries(permissionNames.map((name) => [`limit_${name}`, "8"]));
    expect((await owner.post("/settings/permissions", { ...limits, limit_post_wall: "1" })).status).toBe(422);
    expect((await owner.post("/settings/permissions", { limit_chat: "8" })).status).toBe(422);
    expect(await roleOf(world.hub, uid)).toBe("social");
    await owner.post("/settings/permissions", { ...limits, limit_view_stream: "1", grant: ["chat"], auto: "1" });
    expect(await roleOf(world.hub, uid)).toBe("custom");
    expect(await permissionLimitsOf(world.hub, uid)).toMatchObject({ view_stream: 1, post_wall: 8, view_wiki: 8 });
    expect(await getConfig(world.hub, uid, "system", "autoperms")).toBe("1");
    expect(await getConfig(world.hub, uid, "system", "show_online_status")).toBe("0");
    const asked = await connect(world.hub, dora.channel, { xchan_hash: eve.channel.channel_hash });
    expect([asked.follow_out, asked.abook_their_perms]).toEqual(["accepted", 0x400]);
    expect((await owner.get("/settings/permissions")).text).toContain("You set every permission yourself");
  });

  test.each(Object.keys(roles).filter((name) => name !== "custom"))(
    "the settings make the channel %s",
    async (name) => {
      const owner = as("eve");
      const uid = eve.channel.channel_id;
      const role = roles[name as Exclude<RoleName, "custom">];
      await owner.get("/settings/channel");
      await owner.post("/settings/channel", { timezone: "UTC", expire: "0", default_group: "", role: name });
      expect(await roleOf(world.hub, uid)).toBe(name);
      expect(await permissionLimitsOf(world.hub, uid)).toEqual(role.limits);
      expect((await findChannelById(world.hub, uid))!.channel_allow_gid !== "").toBe(role.audienceFriends);
      expect((await owner.get("/settings/channel")).text).toMatch(new RegExp(`value="${name}"\\s+checked`));
    },
  );

  test("another role from the settings brings its limits back", async () => {
    const owner = as("eve");
    const uid = eve.channel.channel_id;
    await owner.get("/settings/channel");
    const typed = { timezone: "UTC", expire: "0", default_group: "" };
    await owner.post("/settings/channel", { ...typed, role: "forum_private" });
    expect(await roleOf(world.hub, uid)).toBe("forum_private");
    expect(await permissionLimitsOf(world.hub, uid)).toMatchObject({ view_stream: 1, view_wiki: 128, post_wall: 128 });
    const friends = (await findGroup(world.hub, uid, { name: "Friends" }))!;
    expect((await findChannelById(world.hub, uid))!.channel_allow_gid).toBe(`<${friends.hash}>`);
    await owner.post("/settings/channel", { ...typed, role: "social" });
    expect((await findChannelById(world.hub, uid))!.channel_allow_gid).toBe("");
  });
});

test("the usual audience holds groups, profiles, people and guests; what the form does not show stays", async () => {
  const owner = as("carol");
  const { channel_id: uid, channel_hash: own } = carol.channel;
  const guest = await createGuest(world.hub, carol.channel, { name: "Uncle" });
  const deny = { channel_deny_cid: `<${bob.channel.channel_hash}>` };
  await world.hub.db.updateTable("channel").set(deny).where("channel_id", "=", uid).execute();
  const friends = (await findGroup(world.hub, uid, { name: "Friends" }))!;
  const typed = { timezone: "UTC", expire: "0", default_group: "", role: "social" };
  const send = async (fields: Record<string, string | string[]>): Promise<unknown[]> => {
    await owner.get("/settings/channel");
    const { status } = await owner.post("/settings/channel", { ...typed, ...fields });
    const found = (await findChannelById(world.hub, uid))!;
    expect(found).toMatchObject(deny);
    return [status, found.channel_allow_cid, found.channel_allow_gid];
  };
  const lists = { group_allow: [friends.hash], contact_allow: [guest.hash] };
  const chosen = [303, `<${guest.hash}>`, `<${friends.hash}>`];
  expect(await send({ audience: "chosen", ...lists })).toEqual(chosen);
  const page = await owner.get("/settings/channel");
  for (const value of [friends.hash, guest.hash])
    expect(page.text).toMatch(new RegExp(`value="${value.replaceAll(".", "\\.")}"\\s+checked`));
  // Nothing chosen is a fault and never everybody.
  expect(await send({ audience: "chosen" })).toEqual([422, ...chosen.slice(1)]);
  expect(await send({})).toEqual([422, ...chosen.slice(1)]);
  // Whoever is excluded stays so in the posts that the form makes.
  await owner.get("/network");
  for (const [audience, sees] of [
    ["public", ["alice"]],
    ["connections", ["alice"]],
    ["chosen", []],
  ] as const) {
    const body = `without Bob, ${audience}`;
    const fields = { body, audience, contact_allow: guest.hash, contact_deny: bob.channel.channel_hash };
    expect((await owner.get("/network")).text).toContain(`name="contact_deny" value="${bob.channel.channel_hash}"`);
    await owner.post("/network", fields);
    const shown: string[] = [];
    for (const nick of ["nobody", "alice", "bob"])
      if ((await as(nick).get("/channel/carol")).text.includes(body)) shown.push(nick);
    expect([audience, shown]).toEqual([audience, sees]);
  }
  expect(await send({ audience: "self" })).toEqual([303, `<${own}>`, ""]);
  expect(await send({ audience: "public" })).toEqual([303, "", ""]);
});

test("a group is renamed, shown to its members, chosen for new connections, and deleted", async () => {
  const owner = as("dora");
  const uid = dora.channel.channel_id;
  await owner.get("/group");
  const made = await owner.post("/group", { name: "Choir" });
  const path = made.location.replace(/\?.*/, "");
  await owner.post(path, { name: "Band", visible: "1", joined: "1" });
  const group = (await findGroup(world.hub, uid, { name: "Band" }))!;
  expect(group.visible).toBe(1);
  expect((await findChannelById(world.hub, uid))!.channel_default_group).toBe(group.hash);
  await owner.post(path, { name: "Band", joined: "1" });
  expect((await findGroup(world.hub, uid, { id: group.id }))!.visible).toBe(0);
  await owner.post(path, { name: "Band" });
  expect((await findChannelById(world.hub, uid))!.channel_default_group).toBe("");
  expect((await as("bob").post(path, { name: "Mine" })).status).toBe(404);
  const members = async (): Promise<string> =>
    /Band<\/span><\/a\s*><small class="hint group-members"\s*>([^<]*)/.exec((await owner.get("/group")).text)![1]!;
  expect(await members()).toBe("nobody yet");
  // Dora herself is nobody to post to.
  await addMembers(world.hub, uid, group.id, [dora.channel.channel_hash]);
  expect(await members()).toBe("nobody yet");
  const empty = (await owner.get(path)).text;
  expect(empty).toContain("Nobody is in this group yet.");
  expect(empty).not.toContain(`value="${dora.channel.channel_hash}"`);
  await addMembers(world.hub, uid, group.id, [alice.channel.channel_hash]);
  expect(await members()).toBe("1 person");
  await owner.post(`${path}/delete`, {});
  expect((await owner.get(path)).status).toBe(404);
});

describe("what somebody says of themselves", () => {
  const about = "Keeps bees on the roof";
  const doors = ["/directory", "/follow?url=gina@hub.example", "/connections?find=gina"];
  const readers = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const door of doors)
      for (const nick of ["nobody", "bob", "dora", "eve", "gina"])
        if ((await as(nick).get(door)).text.includes(about)) found.push(`${nick} at ${door}`);
    return found;
  };
  const everywhere = (...nicks: string[]): string[] =>
    doors.flatMap((door) => nicks.map((nick) => `${nick} at ${door}`));

  test("is for those who may see the profile, in every list of people", async () => {
    const gina = await world.person("gina");
    visitors["gina"] = visitorOf(world.app);
    await as("gina").logIn("gina", password);
    const uid = gina.channel.channel_id;
    await updateProfile(world.hub, uid, (await defaultProfile(world.hub, uid)).id, { about });
    for (const friend of [bob, dora]) await befriend(world.hub, gina.channel, friend.channel);
    await mark(world.hub, gina.channel, dora.channel, { blocked: true });
    expect((await readers()).toSorted()).toEqual(
      ["nobody at /directory", ...everywhere("bob", "eve", "gina")].toSorted(),
    );
    await setPermissionLimits(world.hub, uid, { view_profile: limits.contacts });
    expect(await readers()).toEqual(everywhere("bob", "gina"));
  });
});

describe("somebody with many connections", () => {
  const names = (text: string): string[] =>
    [...text.matchAll(/<a class="name" href="[^"]*"\s*>(?:<bdi>)?([^<]*)/g)].map((match) => match[1]!);
  const toAdd = (text: string): string[] =>
    [...text.matchAll(/name="add"[^]*?box-label"\s*>([^<]*)/g)].map((match) => match[1]!);
  let hanna: Visitor;

  beforeAll(async () => {
    const owner = await world.person("hanna");
    for (let at = 10; at < 62; at++) {
      const one = await world.person(`crowd${at}`, { name: at === 61 ? "Åse Holm" : `Crowd ${71 - at}` });
      await befriend(world.hub, owner.channel, one.channel);
    }
    hanna = visitorOf(world.app);
    await hanna.logIn("hanna", password);
  });

  test("has them in pages, by name", async () => {
    const first = (await hanna.get("/connections")).text;
    expect(names(first)).toEqual(["Åse Holm", ...Array.from({ length: 49 }, (_, at) => `Crowd ${at + 11}`)]);
    const next = /href="(\/connections\?before=\d+)"/.exec(first)![1]!;
    const second = (await hanna.get(next)).text;
    expect(names(second)).toEqual(["Crowd 60", "Crowd 61"]);
    expect(second).not.toContain("?before=");
  });

  test("finds them by what is in their names and addresses, whatever its case", async () => {
    const found = async (text: string): Promise<string[]> =>
      names((await hanna.get(`/connections?find=${encodeURIComponent(text)}`)).text);
    expect(await found("åSE")).toEqual(["Åse Holm"]);
    expect(await found("crowd 2")).toEqual(Array.from({ length: 10 }, (_, at) => `Crowd ${at + 20}`));
    // Who is meant stands above, and not once more in the list.
    expect(await found("crowd61")).toEqual(["Åse Holm"]);
    expect(await found("@crowd10")).toEqual(["Crowd 61"]);
    expect(await found("%")).toEqual([]);
    const completed = await hanna.get(`/suggestions?key=%40&text=${encodeURIComponent("åse")}`);
    expect(completed.text).toContain('data-value="@crowd61@');
  });

  test("goes on to the next page of what was found", async () => {
    const first = (await hanna.get("/connections?find=crowd")).text;
    expect(names(first)).toHaveLength(50);
    const next = /href="(\/connections\?find=crowd&amp;before=\d+)"/.exec(first)![1]!.replace("&amp;", "&");
    expect(names((await hanna.get(next)).text)).toEqual(["Crowd 60", "Crowd 61"]);
  });

  test("has the members of a group in pages, finds them, and finds whom to add", async () => {
    const uid = (await findChannelByNick(world.hub, "hanna"))!.channel_id;
    await hanna.get("/group");
    const path = (await hanna.post("/group", { name: "Village" })).location.replace(/\?.*/, "");
    const start = (await hanna.get(path)).text;
    expect([names(start), toAdd(start).length]).toEqual([[], 50]);
    expect(start).toContain("Only the first 50 are shown.");
    expect(toAdd((await hanna.get(`${path}?find=crowd+61`)).text)).toEqual(["Crowd 61"]);
    const group = (await findGroup(world.hub, uid, { name: "Village" }))!;
    const hashes = (await listPeople(world.hub, uid, { count: 99 })).people.map(({ xchan_hash }) => xchan_hash);
    await addMembers(world.hub, uid, group.id, hashes);
    const first = (await hanna.get(path)).text;
    expect(names(first)).toEqual(["Åse Holm", ...Array.from({ length: 49 }, (_, at) => `Crowd ${at + 11}`)]);
    const next = new RegExp(`href="(${path}\\?before=\\d+)"`).exec(first)![1]!;
    expect(names((await hanna.get(next)).text)).toEqual(["Crowd 60", "Crowd 61"]);
    const found = (await hanna.get(`${path}?find=${encodeURIComponent("ÅSE")}`)).text;
    expect([names(found), toAdd(found)]).toEqual([["Åse Holm"], []]);
    // Who acts among those who were found goes on among them.
    const [, hash] = /name="remove" value="([^"]*)"/.exec(found)!;
    const taken = await hanna.post(`${path}/members`, { remove: hash!, back: `${path}?find=holm` });
    expect(taken.location).toBe(`${path}?find=holm&done=saved`);
    const shown = (await hanna.get(taken.location)).text;
    expect([names(shown), toAdd(shown)]).toEqual([[], ["Åse Holm"]]);
    expect([found, shown].map((text) => /name="back" value="([^"]*)"/.exec(text)?.[1])).toEqual([
      `${path}?find=%C3%85SE`,
      `${path}?find=holm`,
    ]);
    expect((await hanna.post(`${path}/members`, { add: hash!, back: "https://evil.example/" })).location).toBe(
      `${path}?done=saved`,
    );
    const nobody = (await hanna.get(`${path}?find=Zaphod`)).text;
    expect(nobody).toContain("Nobody in this group has “Zaphod” in their name or address.");
    expect((await as("alice").get(`${path}?find=crowd`)).status).toBe(404);
  });

  test("has those who see a profile in pages, finds them, and adds to them without changing it for others", async () => {
    const { channel_id: uid } = (await findChannelByNick(world.hub, "hanna"))!;
    await hanna.get("/settings/profiles");
    const path = (await hanna.post("/settings/profiles", { profile_name: "Neighbours" })).location.replace(/\?.*/, "");
    const start = (await hanna.get(path)).text;
    expect([names(start), toAdd(start).length]).toEqual([[], 50]);
    expect(start).toContain("Only the first 50 are shown.");
    expect(start).toContain("Nobody sees this profile yet.");
    const ids = (await listPeople(world.hub, uid, { count: 99 })).people.map(({ abook_id }) => String(abook_id));
    await hanna.post(`${path}/people`, { add: ids.slice(0, 2) });
    await hanna.post(`${path}/people`, { add: ids.slice(2) });
    const first = (await hanna.get(path)).text;
    expect(names(first)).toEqual(["Åse Holm", ...Array.from({ length: 49 }, (_, at) => `Crowd ${at + 11}`)]);
    expect(first).toContain("All your connections see this profile.");
    const next = new RegExp(`href="(${path}\\?before=\\d+)"`).exec(first)![1]!;
    expect(names((await hanna.get(next)).text)).toEqual(["Crowd 60", "Crowd 61"]);
    const found = (await hanna.get(`${path}?find=${encodeURIComponent("ÅSE")}`)).text;
    expect([names(found), toAdd(found)]).toEqual([["Åse Holm"], []]);
    const [, id] = /name="remove" value="([^"]*)"/.exec(found)!;
    const taken = await hanna.post(`${path}/people`, { remove: id!, back: `${path}?find=holm` });
    expect(taken.location).toBe(`${path}?find=holm&done=saved`);
    const shown = (await hanna.get(taken.location)).text;
    expect([names(shown), toAdd(shown)]).toEqual([[], ["Åse Holm"]]);
    expect(shown).toContain("Nobody who sees this profile has “holm” in their name or address.");
    expect(names((await hanna.get(`${path}?find=crowd`)).text)).toHaveLength(50);
    const other = await hanna.post(`${path}/people`, { add: id!, back: "https://evil.example/" });
    expect(other.location).toBe(`${path}?done=saved`);
    for (const open of [as("alice").get(`${path}?find=crowd`), as("alice").post(`${path}/people`, { remove: ids })])
      expect((await open).status).toBe(404);
    expect(names((await hanna.get(`${path}?find=${encodeURIComponent("Åse")}`)).text)).toEqual(["Åse Holm"]);
  });

  describe("chooses among them", () => {
    const boxes = (text: string): string[] =>
      [...text.matchAll(/name="(?:contact_allow|to)"[^]*?box-label"\s*>([^<]*)/g)].map((match) => match[1]!);
    const suggested = async (query: string, visitor = hanna): Promise<string[]> =>
      boxes((await visitor.get(`/suggestions/people?${query}`)).text);

    test("from a few on the page, and finds the others", async () => {
      for (const path of ["/network", "/mail/new", "/settings/channel", "/events/new"])
        expect([path, boxes((await hanna.get(path)).text)]).toEqual([
          path,
          ["Åse Holm", ...Array.from({ length: 11 }, (_, at) => `Crowd ${at + 11}`)],
        ]);
      for (const list of ["posts", "files", "messages"]) {
        expect([list, (await suggested(`list=${list}`)).length]).toEqual([list, 52]);
        expect(await suggested(`list=${list}&find=${encodeURIComponent("ÅSE")}`)).toEqual(["Åse Holm"]);
        expect(await suggested(`list=${list}&find=%25`)).toEqual([]);
      }
      expect((await hanna.get("/suggestions/people?list=posts&find=Zaphod")).text).toContain(
        "Nobody has “Zaphod” in their name or address.",
      );
    });

    test("by addresses where no scripts run; those who are chosen stay in sight", async () => {
      await hanna.get("/network");
      const typed = {
        body: "for two of many",
        audience: "chosen",
        contact_allow_named: "@Crowd10, crowd61@hub.example",
      };
      const refused = await hanna.post("/network", { ...typed, contact_allow_named: "crowd10 alice" });
      expect([refused.status, refused.text.includes("None of your connections has the address “alice”.")]).toEqual([
        422,
        true,
      ]);
      expect(refused.text).toContain('value="crowd10 alice"');
      const { channel_hash } = (await findChannelByNick(world.hub, "crowd12"))!;
      const again = await hanna.post("/network", { ...typed, body: "", contact_allow: channel_hash });
      expect(boxes(again.text)[0]).toBe("Crowd 59");
      await hanna.post("/network", typed);
      await world.work();
      for (const [nick, sees] of [
        ["crowd10", true],
        ["crowd61", true],
        ["crowd12", false],
      ] as const) {
        const reader = visitorOf(world.app);
        await reader.logIn(nick, password);
        expect([nick, (await reader.get("/channel/hanna")).text.includes(typed.body)]).toEqual([nick, sees]);
      }
      const sent = await hanna.post("/mail/new", { to_named: "crowd10", body: "just you" });
      expect(sent.location).toMatch(/^\/mail\/\d+\?done=sent/);
      const several = await hanna.post("/mail/new", { to_named: "crowd10 crowd61", body: "you two" });
      expect(several.location).toMatch(/^\/mail\/talk\/\d+\?done=sent/);
    });

    test("and nobody finds those of somebody else, or whom they have blocked", async () => {
      const blocked = (await findChannelByNick(world.hub, "crowd30"))!;
      const owner = (await findChannelByNick(world.hub, "hanna"))!;
      await mark(world.hub, owner, blocked, { blocked: true });
      for (const list of ["posts", "files", "messages"]) {
        expect(await suggested(`list=${list}&find=crowd30`)).toEqual([]);
        expect(await suggested(`list=${list}&find=crowd`, as("alice"))).toEqual([]);
        const asked = await visitorOf(world.app).get(`/suggestions/people?list=${list}&find=crowd`);
        expect([asked.status, asked.location]).toEqual([303, expect.stringContaining("/login")]);
      }
      await mark(world.hub, owner, blocked, { blocked: false });
    });
  });

  test("has those who ask in pages, too", async () => {
    const iris = await world.person("iris");
    const own = visitorOf(world.app);
    await own.logIn("iris", password);
    for (let at = 10; at < 62; at++) {
      const one = (await findChannelByNick(world.hub, `crowd${at}`))!;
      await connect(world.hub, one, { xchan_hash: iris.channel.channel_hash });
    }
    const first = (await own.get("/connections/ifpending")).text;
    expect(names(first)).toEqual(["Åse Holm", ...Array.from({ length: 49 }, (_, at) => `Crowd ${at + 11}`)]);
    const next = /href="(\/connections\/ifpending\?before=\d+)"/.exec(first)![1]!;
    expect(names((await own.get(next)).text)).toEqual(["Crowd 60", "Crowd 61"]);
    expect(names((await own.get("/connections")).text)).toEqual([]);
  });

  test("is told where to look on when nobody is found, and finds nobody else's", async () => {
    const nobody = (await hanna.get("/connections?find=Zaphod")).text;
    expect(nobody).toContain("Nobody is known here as “Zaphod”.");
    expect(nobody).toContain('href="/directory?search=Zaphod"');
    expect(names((await as("alice").get("/connections?find=Crowd")).text)).toEqual([]);
  });
});
