import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { readXml, childrenOf, expectSame, textAt } from "../../../../test/support/microblog.ts";
import { befriend } from "../../../../test/support/people.ts";
import { userObject, userWithStatus } from "../../../../test/support/microblog-shapes.ts";
import { addXchan } from "../../../domain/identity/xchans/add-xchan.ts";

/** Microblog contract 8.1, 8.6: the account, and people by name. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cleo: Person;

beforeAll(async () => {
  world = await openTestApp();
  [ann, bob, cleo] = [
    await world.person("ann", { name: "Ann Örtel" }),
    await world.person("bob"),
    await world.person("cleo"),
  ];
  await befriend(world.hub, ann.channel, bob.channel);
  await bob.post("/api/statuses/update", { status: "Hello from bob" });
  await cleo.post("/api/statuses/update", { status: "Hello from cleo" });
  await world.work();
});
afterAll(() => world.close());

const idOf = (person: Person): number => person.channel.xchan_id;

describe("account/update_profile", () => {
  test("changes name and about text; they reach channel, profile and identity", async () => {
    const { status, json } = await cleo.post("/api/account/update_profile", {
      name: " Cleo New ",
      description: "Gardener & <cook>",
      url: "http://elsewhere.example",
      location: "Nowhere",
    });
    expect(status).toBe(200);
    expect(userWithStatus.parse(json)).toMatchObject({
      name: "Cleo New",
      description: "Gardener & <cook>",
      location: "Hubbub",
      screen_name: "cleo",
      status: { text: "Hello from cleo" },
    });
    const rows = await world.hub.db
      .selectFrom("profile")
      .innerJoin("channel", "channel_id", "uid")
      .innerJoin("xchan", "xchan_hash", "channel_hash")
      .select(["fullname", "about", "channel_name", "xchan_name", "xchan_about"])
      .where("uid", "=", cleo.channel.channel_id)
      .execute();
    expect(rows).toEqual([
      {
        fullname: "Cleo New",
        about: "Gardener & <cook>",
        channel_name: "Cleo New",
        xchan_name: "Cleo New",
        xchan_about: "Gardener & <cook>",
      },
    ]);
  });

  test("an empty name changes nothing, an empty text clears; the status can be skipped", async () => {
    const { json } = await cleo.post("/api/account/update_profile", { name: "", description: "", skip_status: "1" });
    expect(userObject.parse(json)).toMatchObject({ name: "Cleo New", description: "" });
    const same = await cleo.post("/api/1.1/account/update_profile", {});
    expect(same.json).toMatchObject({ name: "Cleo New", description: "" });
  });

  test("refuses a name of spaces and other methods than POST", async () => {
    const answer = await cleo.post("/api/account/update_profile", { name: "  ", description: "lost" });
    expect(answer).toMatchObject({ status: 400, json: { error: "Invalid name", code: 400 } });
    expect((await cleo.get("/api/users/show/cleo")).json.description).toBe("");
    expect((await cleo.get("/api/account/update_profile")).status).toBe(405);
    expect((await cleo.send("PUT", "/api/account/update_profile")).status).toBe(405);
    expect((await world.anonymous.post("/api/account/update_profile", { name: "x" })).status).toBe(401);
    const long = await cleo.post("/api/account/update_profile", { description: "x".repeat(70_000) });
    expect(long.status).toBe(400);
  });

  test("in XML it is a user", async () => {
    const tag = readXml(await cleo.post("/api/account/update_profile.xml", { skip_status: "true" }));
    expect([tag.name, textAt(tag, "screen_name")]).toEqual(["user", "cleo"]);
  });
});

describe("account/settings", () => {
  test("is answered, and `lang` alone can be changed", async () => {
    const settings = {
      screen_name: "cleo",
      language: "en",
      protected: false,
      geo_enabled: false,
      always_use_https: true,
      discoverable_by_email: false,
      time_zone: { name: "UTC", tzinfo_name: "Etc/UTC", utc_offset: 0 },
      sleep_time: { enabled: false, start_time: null, end_time: null },
      trend_location: [],
    };
    expect((await cleo.get("/api/account/settings")).json).toEqual(settings);
    const changed = await cleo.post("/api/account/settings", { lang: "pt-BR", time_zone: "Berlin" });
    expect(changed.json).toEqual({ ...settings, language: "pt-br" });
    expect((await cleo.post("/api/account/settings", { lang: "" })).json).toEqual(changed.json);
    expect((await cleo.get("/api/account/settings.json", { lang: "de" })).json).toEqual(changed.json);
    expect((await cleo.post("/api/account/settings", { lang: "<b>" })).status).toBe(400);
  });

  test("the caller's own user has that language, others have none", async () => {
    expect((await cleo.get("/api/account/verify_credentials")).json.lang).toBe("pt-br");
    expect((await ann.get("/api/users/show/cleo")).json.lang).toBe("");
  });
});

describe("rate limits", () => {
  test("application/rate_limit_status has what AndStatus reads; `resources` filters", async () => {
    const all = (await ann.get("/api/1.1/application/rate_limit_status.json")).json;
    expect(all.rate_limit_context).toEqual({ access_token: "" });
    expect(all.resources.statuses["/statuses/home_timeline"]).toEqual({
      limit: 150,
      remaining: 150,
      reset: expect.any(Number),
    });
    const some = (await ann.get("/api/application/rate_limit_status", { resources: "users,lists" })).json;
    expect(Object.keys(some.resources).toSorted()).toEqual(["lists", "users"]);
    expect((await ann.get("/api/application/rate_limit_status", { resources: "nothing" })).json.resources).toEqual({});
    expect((await ann.post("/api/application/rate_limit_status")).status).toBe(405);
  });

  test("account/rate_limit_status", async () => {
    expect((await ann.get("/api/account/rate_limit_status")).json).toMatchObject({
      remaining_hits: "150",
      hourly_limit: "150",
    });
  });
});

describe("users/show", () => {
  test.each([
    ["by id", () => ({ user_id: idOf(bob) })],
    ["by nick", () => ({ screen_name: "bob" })],
    ["by address", () => ({ screen_name: "BOB@hub.example" })],
    ["by profile URL", () => ({ profileurl: "hub.example/channel/bob/" })],
    ["by a URL as id", () => ({ user_id: "http://hub.example/channel/bob" })],
  ])("%s, with the newest public status and without its user", async (_, query) => {
    const { json } = await ann.get("/api/users/show", query());
    expect(userWithStatus.parse(json)).toMatchObject({ screen_name: "bob", following: true });
    expect(json.status).toMatchObject({ text: "Hello from bob" });
    expect(json.status.user).toBeUndefined();
    const [home] = (await ann.get("/api/statuses/home_timeline")).json;
    expect(json.status.id).toBe(home.id);
  });

  test("anonymous callers get no relation; without a name it is the caller, else 401", async () => {
    const { json } = await world.anonymous.get(`/api/users/show/${idOf(bob)}.json`);
    expect(json).toMatchObject({ screen_name: "bob", following: false, cid: 0, follow_request_sent: false });
    expect((await ann.get("/api/users/show")).json.screen_name).toBe("ann");
    expect(await world.anonymous.get("/api/users/show")).toMatchObject({
      status: 401,
      json: { error: "This API requires login" },
    });
  });

  test.each([
    [{ user_id: "999999" }, "User ID 999999 not found."],
    [{ screen_name: "nobody" }, "User not found."],
    [{ profileurl: "http://no.example/x" }, "User http://no.example/x not found."],
  ])("%j is not found", async (query, error) => {
    for (const client of [ann, world.anonymous])
      expect(await client.get("/api/users/show", query)).toMatchObject({ status: 404, json: { error, code: 404 } });
  });
});

describe("externalprofile/show", () => {
  test("answers like users/show", async () => {
    const query = { profileurl: "https://www.hub.example/channel/bob" };
    const shown = await ann.get("/api/users/show", { screen_name: "bob" });
    const url = { profileurl: "http://hub.example/channel/bob" };
    expect((await ann.get("/api/externalprofile/show", url)).json).toEqual(shown.json);
    expect((await ann.get("/api/externalprofile/show", query)).status).toBe(200);
    expect((await world.anonymous.post("/api/externalprofile/show", url)).json.screen_name).toBe("bob");
  });

  test("says what is missing", async () => {
    for (const query of [{}, { profileurl: " " }, { user_id: "1" }])
      expect(await ann.get("/api/externalprofile/show", query)).toMatchObject({
        status: 400,
        json: { error: "Wrong parameters." },
      });
    expect(await ann.get("/api/externalprofile/show", { profileurl: "http://a.example/x" })).toMatchObject({
      status: 404,
      json: { error: "User http://a.example/x not found." },
    });
  });
});

describe("users/search", () => {
  const found = async (client: Pick<Person, "get">, q: string, more: object = {}): Promise<string[]> =>
    (await client.get("/api/users/search", { q, ...more })).json.map((user: any) => user.screen_name);

  test.each([
    ["a name", "ANN ÖRTEL", ["ann"]],
    ["a name, in other letters", "ann örtel", ["ann"]],
    ["a nickname", "Bob", ["bob"]],
    ["an address", "bob@HUB.example", ["bob"]],
    ["a nickname as in a mention", "@bob", ["bob"]],
    ["an address as in a mention", "@Bob@hub.example", ["bob"]],
    ["a profile URL", "http://hub.example/channel/bob", ["bob"]],
    ["a profile URL in large letters", "HTTP://HUB.example/channel/bob", ["bob"]],
    ["nobody", "xyzzy", []],
    ["wildcards", "%", []],
    ["an underscore", "a_n", []],
  ])("finds %s for anybody", async (_, q, nicks) => {
    expect(await found(ann, q)).toEqual(nicks);
    expect(await found(world.anonymous, q)).toEqual(nicks);
  });

  test("the beginning of a name is enough for those who say who they are", async () => {
    expect(await found(bob, "ann ö")).toEqual(["ann"]);
    expect(await found(bob, "cle")).toEqual(["cleo"]);
    expect(await found(world.anonymous, "ann ö")).toEqual([]);
  });

  test("exact ones come first, in pages", async () => {
    for (const [n, name] of ["Twin Ray", "Twin", "Twinny"].entries())
      await addXchan(world.hub, {
        hash: `twin${n}`,
        name,
        address: `t${n}@far.example`,
        url: `http://far.example/${n}`,
      });
    expect(await found(bob, "twin")).toEqual(["t1", "t0", "t2"]);
    expect(await found(bob, "twin", { count: 2 })).toEqual(["t1", "t0"]);
    expect(await found(bob, "twin", { count: 2, page: 2 })).toEqual(["t2"]);
    expect(await found(bob, "twin", { count: 2, page: 3 })).toEqual([]);
    expect(await found(world.anonymous, "twin")).toEqual(["t1"]);
  });

  test("users come with their status; XML is a list", async () => {
    const answer = await ann.get("/api/users/search", { q: "bob" });
    expect(userWithStatus.parse(answer.json[0])).toMatchObject({ status: { text: "Hello from bob" } });
    const tag = readXml(await ann.get("/api/users/search.xml", { q: "bob" }));
    expectSame(childrenOf(tag, "user")[0]!, answer.json[0]);
    expect(readXml(await ann.get("/api/users/search.xml", { q: "xyzzy" }))).toMatchObject({
      name: "users",
      children: [],
    });
  });

  test("without a term it is refused", async () => {
    for (const query of [{}, { q: "" }, { q: "  " }])
      expect(await world.anonymous.get("/api/users/search", query)).toMatchObject({
        status: 400,
        json: { error: "No search term specified." },
      });
  });
});

describe("users/lookup", () => {
  const nicks = (json: any[]): string[] => json.map((user) => user.screen_name);

  test("keeps the order of the request and leaves out whom nobody knows", async () => {
    const ids = [idOf(cleo), 999_999, idOf(ann), "x", idOf(cleo)].join(",");
    expect(nicks((await ann.get("/api/users/lookup", { user_id: ids })).json)).toEqual(["cleo", "ann"]);
    expect(nicks((await ann.get("/api/users/lookup", { screen_name: "bob,nobody,ANN@hub.example" })).json)).toEqual([
      "bob",
      "ann",
    ]);
  });

  test("takes a form and every way to write a list (trap 49)", async () => {
    for (const form of [
      { user_id: [idOf(bob), idOf(ann)] },
      { user_id: `<${idOf(bob)}><${idOf(ann)}>` },
      { user_id: idOf(bob), screen_name: "ann" },
    ])
      expect(nicks((await ann.post("/api/users/lookup", form)).json)).toEqual(["bob", "ann"]);
    for (const user of (await ann.post("/api/1.1/users/lookup.json", { user_id: idOf(bob) })).json)
      userObject.parse(user);
  });

  test("says Not Found when there is nobody at all", async () => {
    for (const query of [{}, { user_id: "0" }, { screen_name: "nobody" }, { user_id: "99999999999999999999" }])
      expect(await ann.get("/api/users/lookup", query)).toMatchObject({ status: 404, json: { error: "Not Found" } });
    expect((await world.anonymous.get("/api/users/lookup", { user_id: "1" })).status).toBe(401);
  });

  test("looks at a hundred, more are left out", async () => {
    const many = [...Array.from({ length: 99 }, (_, n) => 100_000 + n), idOf(bob), idOf(ann)].join(",");
    expect(nicks((await ann.get("/api/users/lookup", { user_id: many })).json)).toEqual(["bob"]);
  });
});
