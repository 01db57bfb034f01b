import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { clientOf } from "../../../../test/support/client.ts";
import { childOf, childrenOf, expectSame, readXml, textAt } from "../../../../test/support/microblog.ts";
import { errorObject } from "../../../../test/support/microblog-shapes.ts";
import { profileRecord, profilesObject } from "../../../../test/support/microblog-shapes.ts";
import { befriend, connectionId, mark } from "../../../../test/support/people.ts";
import { assignProfile } from "../../../domain/connections/connections.ts";
import { createProfile, defaultProfile } from "../../../domain/identity/channels/profiles.ts";
import { updateProfile } from "../../../domain/people/change-profile.ts";
import { addJob } from "../../../jobs/queue.ts";
import { statementsOf } from "../../../../test/support/statements.ts";

/** Profiles: microblog contract 7.10, 9.7. */

const primary = ["svc/profile/show", "1.1/svc/profile/show"];
const alias = ["friendica/profile/show", "1.1/friendica/profile/show"];

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
let usual: number;
let other: number;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  for (const friend of [bob, cara]) await befriend(world.hub, ann.channel, friend.channel);
  const uid = ann.channel.channel_id;
  usual = (await defaultProfile(world.hub, uid)).id;
  other = (await createProfile(world.hub, ann.channel, "Family")).id;
  const ids = await Promise.all([bob, cara].map((friend) => connectionId(world.hub, ann.channel, friend.channel)));
  await assignProfile(world.hub, uid, other, ids);
  await updateProfile(world.hub, uid, other, {
    fullname: "Ann at home",
    hide_friends: 1,
    pdesc: "In <short>",
    dob: "1980-02-29",
    address: "1 Street",
    locality: "Berlin",
    region: "BE",
    postal_code: "10115",
    country_name: "Germany",
    hometown: "Rome",
    gender: "f",
    marital: "married",
    partner: "Kim",
    howlong: "2001-02-03 00:00:00",
    sexual: "s",
    politic: "p",
    religion: "r",
    keywords: "garden  trains,books",
    likes: "[b]tea[/b] & <cake>",
    dislikes: "d1\nd2",
    about: "about [i]me[/i]",
    music: "m",
    book: "b",
    tv: "t",
    film: "f",
    interest: "i",
    romance: "ro",
    employment: "e",
    education: "ed",
    contact: "c",
    homepage: "https://ann.example/",
  });
});
afterAll(() => world.close());

describe("records", () => {
  test.each(primary)("%s: all profiles, the empty fields empty", async (path) => {
    const { status, json } = await ann.get(`/api/${path}.json`);
    expect([status, json.map((one: any) => one.profile_id)]).toEqual([200, [usual, other]]);
    for (const one of json) profileRecord.parse(one);
    const texts = Object.entries(json[0]).filter(([, value]) => value === "");
    expect(texts.map(([name]) => name)).toEqual([
      "description",
      "date_of_birth",
      "address",
      "city",
      "region",
      "postal_code",
      "country",
      "hometown",
      "gender",
      "marital",
      "marital_with",
      "marital_since",
      "sexual",
      "politic",
      "religion",
      "public_keywords",
      "private_keywords",
      "likes",
      "dislikes",
      "about",
      "music",
      "book",
      "tv",
      "film",
      "interest",
      "romance",
      "work",
      "education",
      "social_networks",
      "homepage",
    ]);
    expect(json[0]).toMatchObject({
      is_default: true,
      hide_friends: false,
      publish: true,
      users: [],
      custom_fields: [],
    });
  });

  test("one profile with all that it says", async () => {
    for (const id of [usual, other]) {
      const { json } = await ann.get("/api/svc/profile/show", { profile_id: id });
      expect(json.map((one: any) => one.profile_id)).toEqual([id]);
    }
    for (const none of ["", "0"])
      expect((await ann.get("/api/svc/profile/show", { profile_id: none })).json).toHaveLength(2);
    const [{ users, profile_photo, profile_thumb, ...said }] = (
      await ann.get("/api/svc/profile/show", { profile_id: other })
    ).json;
    expect(said).toEqual({
      profile_id: other,
      profile_name: "Family",
      is_default: false,
      hide_friends: true,
      publish: false,
      net_publish: false,
      description: "In <short>",
      date_of_birth: "1980-02-29",
      address: "1 Street",
      city: "Berlin",
      region: "BE",
      postal_code: "10115",
      country: "Germany",
      hometown: "Rome",
      gender: "f",
      marital: "married",
      marital_with: "Kim",
      marital_since: "2001-02-03 00:00:00",
      sexual: "s",
      politic: "p",
      religion: "r",
      public_keywords: "garden  trains, books",
      private_keywords: "",
      likes: "<strong>tea</strong> &amp; &lt;cake&gt;",
      dislikes: expect.stringMatching(/^d1<br ?\/?>d2$/),
      about: "about <em>me</em>",
      music: "m",
      book: "b",
      tv: "t",
      film: "f",
      interest: "i",
      romance: "ro",
      work: "e",
      education: "ed",
      social_networks: "c",
      homepage: "https://ann.example/",
      custom_fields: [],
    });
    expect([profile_photo, profile_thumb]).toEqual([
      expect.stringMatching(/^http:\/\/hub\.example\/.*\/l\//),
      expect.stringMatching(/^http:\/\/hub\.example\/.*\/m\//),
    ]);
    expect(users.map((user: any) => user.screen_name)).toEqual(["bob", "cara"]);
  });

  test("who is blocked does not see it", async () => {
    await mark(world.hub, ann.channel, cara.channel, { blocked: true });
    const [profile] = (await ann.get("/api/svc/profile/show", { profile_id: other })).json;
    expect(profile.users.map((user: any) => user.screen_name)).toEqual(["bob"]);
    await mark(world.hub, ann.channel, cara.channel, { blocked: false });
  });

  test.each(alias)("%s: an object around them", async (path) => {
    const { status, json } = await ann.get(`/api/${path}`);
    expect(status).toBe(200);
    const { profiles, friendica_owner, svc_owner, ...said } = profilesObject.parse(json);
    expect(said).toEqual({ multi_profiles: true, global_dir: "" });
    expect([friendica_owner.screen_name, svc_owner]).toEqual(["ann", friendica_owner]);
    expect(profiles).toEqual((await ann.get("/api/svc/profile/show")).json);
    expect((await ann.get(`/api/${path}`, { profile_id: other })).json.profiles).toHaveLength(1);
  });

  test("in XML", async () => {
    const { json } = await ann.get("/api/svc/profile/show");
    const root = readXml(await ann.get("/api/svc/profile/show.xml"));
    expect([root.name, root.children.map(({ name }) => name)]).toEqual(["profiles", ["profile", "profile"]]);
    const around = readXml(await ann.get("/api/friendica/profile/show.xml"));
    expect([around.name, around.children.map(({ name }) => name)]).toEqual([
      "friendica_profiles",
      ["multi_profiles", "global_dir", "svc:owner", "profiles"],
    ]);
    for (const list of [root, childOf(around, "profiles")]) {
      childrenOf(list, "profile").forEach((profile, at) => {
        const { users, custom_fields, ...said } = json[at];
        const lists = ["users", "custom_fields"];
        expectSame({ ...profile, children: profile.children.filter(({ name }) => !lists.includes(name)) }, said);
        expect(childOf(profile, "users").children.map(({ name }) => name)).toEqual(users.map(() => "user"));
        expect(childOf(profile, "custom_fields").children).toHaveLength(custom_fields.length);
      });
    }
    expect(root.attributes).toHaveProperty("xmlns:svc");
  });

  test("an unknown profile and somebody else's", async () => {
    const theirs = (await defaultProfile(world.hub, bob.channel.channel_id)).id;
    for (const path of [...primary, ...alias]) {
      for (const id of [theirs, 987_654, "abc"]) {
        const { status, json } = await ann.get(`/api/${path}`, { profile_id: id });
        errorObject.parse(json);
        expect([status, json.error]).toEqual([400, "profile_id not available"]);
      }
    }
    expect((await ann.post("/api/svc/profile/show")).status).toBe(405);
  });

  test("what was laid out when it was written", async () => {
    const dora = await world.person("dora");
    const shown = async (): Promise<unknown> => (await dora.get("/api/svc/profile/show.json")).json[0].about;
    await dora.post("/api/account/update_profile.json", { description: "I am a [b]gardener[/b]" });
    expect(await shown()).toBe("I am a <strong>gardener</strong>");
    const row = world.hub.db.updateTable("profile").where("uid", "=", dora.channel.channel_id);
    await row.set({ html: '{"about":"as stored"}' }).execute();
    expect(await shown()).toBe("as stored");
    expect((await dora.get("/profile/dora")).text).toContain("as stored");
    const { json } = await dora.get("/api/users/show.json", { screen_name: "dora" });
    expect(json.description).toBe("I am a gardener");
  });

  test("what was there before HTML was stored, and after the job has been there", async () => {
    const emil = await world.person("emil");
    const uid = emil.channel.channel_id;
    await emil.post("/api/account/update_profile.json", { description: "[i]Cook[/i]" });
    const stored = (): Promise<unknown> =>
      world.hub.db.selectFrom("profile").select("html").where("uid", "=", uid).executeTakeFirst();
    const laidOut = await stored();
    await world.hub.db.updateTable("profile").set({ html: null }).where("uid", "=", uid).execute();
    await world.hub.db
      .updateTable("xchan")
      .set({ xchan_about: "[i]Cook[/i]" })
      .where("xchan_hash", "=", emil.channel.channel_hash)
      .execute();
    expect((await emil.get("/api/svc/profile/show.json")).json[0].about).toBe("<em>Cook</em>");
    await addJob(world.hub, "lay-out-profiles", {});
    await world.work();
    expect(await stored()).toMatchObject({ html: expect.stringContaining("<em>Cook</em>") });
    expect(laidOut).toEqual({ html: '{"about":"<em>Cook</em>"}' });
    expect((await emil.get("/api/users/show.json", { screen_name: "emil" })).json.description).toBe("Cook");
  });

  test("no more queries for more profiles", async () => {
    const queries = () => statementsOf(world.hub, () => ann.get("/api/svc/profile/show"));
    await queries();
    const some = await queries();
    await createProfile(world.hub, ann.channel, "Choir");
    expect(await queries()).toBe(some);
  });
});

describe("credentials", () => {
  test.each(primary)("%s without any: 403 and no challenge", async (path) => {
    const { status, json, headers } = await world.anonymous.get(`/api/${path}.json`);
    expect([status, json]).toEqual([403, { error: "Forbidden", code: 403, request: `api/${path}.json` }]);
    expect(headers.has("www-authenticate")).toBe(false);
    expect(textAt(readXml(await world.anonymous.get(`/api/${path}.xml`)), "code")).toBe("403");
  });

  test.each(alias)("%s without any: a challenge (trap 1)", async (path) => {
    const { status, json, headers } = await world.anonymous.get(`/api/${path}.json`);
    expect([status, json.error]).toEqual([401, "This API requires login"]);
    expect(headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
  });

  test.each([...primary, ...alias])("%s with wrong ones: 401", async (path) => {
    const { status, headers } = await clientOf(world.app, "ann:wrong").get(`/api/${path}`);
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Hubbub"']);
  });

  test("the method comes first", async () => {
    expect((await world.anonymous.post("/api/svc/profile/show")).status).toBe(405);
  });
});
