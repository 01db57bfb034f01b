import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { clientOf } from "../../../test/support/client.ts";
import { password } from "../../../test/support/hub.ts";
import { readXml, textAt } from "../../../test/support/microblog.ts";
import { errorObject } from "../../../test/support/microblog-shapes.ts";
import { application, sendSigned } from "../../../test/support/oauth.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { findAccount } from "../../domain/identity/accounts/accounts.ts";
import { changeSite, setSetting } from "../../domain/identity/site/site-settings.ts";
import { microblogFace } from "./face.ts";
import { rowsOf } from "../../http/face.ts";

/** What every answer of the microblog API promises: microblog contract 2, 4 and 5; and the answers without statuses. */

let world: TestApp;
let ann: Person;

beforeAll(async () => {
  world = await openTestApp();
  ann = await world.person("ann");
  await ann.post("/api/statuses/update", { status: "hello" });
});
afterAll(() => world.close());

const everyPath = (await rowsOf(microblogFace)).flatMap((row) =>
  microblogFace.paths(row).map(({ path }) => ({ path, row })),
);

test("every path of the contract leads somewhere", () => {
  const paths = new Set(everyPath.map(({ path }) => path));
  const promised = `account/verify_credentials account/rate_limit_status statuses/update statuses/show statuses/destroy
    statuses/home_timeline statuses/friends_timeline statuses/user_timeline statuses/public_timeline statuses/mentions
    statuses/replies statuses/mentions_timeline conversation/show compat/conversation statusnet/conversation
    gnusocial/conversation favorites favorites/list favorites/create favorites/destroy svc/activity friendica/activity
    users/show compat/config statusnet/config gnusocial/config compat/version statusnet/version gnusocial/version help/test`;
  for (const name of promised.split(/\s+/)) {
    expect([name, paths.has(`/api/${name}`), paths.has(`/api/1.1/${name}`)]).toEqual([name, true, true]);
  }
});

/** The one that answers 403 (microblog contract 6.1); profiles.test.ts has it. */
const withoutChallenge = /\/svc\/profile\/show$/;

describe.each(everyPath.filter(({ path, row }) => row.access === "channel" && !withoutChallenge.test(path)))(
  "$path",
  ({ path, row }) => {
    test("trap 1: without credentials it challenges", async () => {
      const method = row.methods === "*" ? "GET" : row.methods[0]!;
      const answer = await world.anonymous.send(method, `${path}.json`);
      expect([answer.status, answer.json]).toEqual([
        401,
        { error: "This API requires login", code: 401, request: `${path.slice(1)}.json` },
      ]);
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
      const xml = await world.anonymous.send(method, `${path}.xml`);
      expect([xml.status, textAt(readXml(xml), "error")]).toEqual([401, "This API requires login"]);
    });
  },
);

describe("errors", () => {
  test("an unknown endpoint is 404 in the format that was asked for", async () => {
    for (const path of ["api/nothing", "api/statuses/nothing.json", "api/statuses/home_timeline/5", "api/mutes/ids"]) {
      const { status, json } = await ann.get(`/${path}`);
      expect([status, json]).toEqual([
        404,
        { error: `API endpoint GET ${path} is not implemented`, code: 404, request: path },
      ]);
    }
    const root = readXml(await ann.send("POST", "/api/nothing.xml"));
    expect([root.name, textAt(root, "error"), textAt(root, "code"), textAt(root, "request")]).toEqual([
      "status",
      "API endpoint POST api/nothing.xml is not implemented",
      "404",
      "api/nothing.xml",
    ]);
  });

  test("most endpoints have no feed, and upper case is another path", async () => {
    for (const path of ["statuses/show/1.rss", "favorites/list.atom", "Statuses/home_timeline"])
      expect((await ann.get(`/api/${path}`)).status).toBe(404);
  });

  test("the method comes before credentials", async () => {
    const { status, json, headers } = await world.anonymous.get("/api/statuses/update.json");
    expect([status, json.error, headers.get("allow")]).toEqual([405, "Method Not Allowed", "POST, PUT, OPTIONS"]);
    expect((await world.anonymous.send("PUT", "/api/statuses/destroy")).status).toBe(405);
  });

  test("a foreign channel", async () => {
    for (const [method, path] of [
      ["GET", "statuses/home_timeline"],
      ["POST", "statuses/update"],
      ["POST", "svc/activity/like"],
      ["POST", "favorites/create"],
    ] as const) {
      const { status, json } = await ann.send(method, `/api/${path}`, undefined, {
        query: { channel: "nobody", id: 1, status: "x" },
      });
      expect([path, status, json.error]).toEqual([path, 403, "Forbidden"]);
    }
  });

  test("traps 15, 54: flat, with one text, and a success has no such key", async () => {
    errorObject.parse((await ann.get("/api/statuses/show/99999")).json);
    expect((await ann.get("/api/account/verify_credentials")).json).not.toHaveProperty("error");
  });

  test("the request line has no query in it", async () => {
    expect((await ann.get("/api/statuses/show", { id: 99999, secret: "word" })).json.request).toBe("api/statuses/show");
  });

  test("wrong credentials are refused where none are needed", async () => {
    for (const path of ["help/test", "users/show/ann", "compat/config"]) {
      expect((await clientOf(world.app, "ann:wrong").get(`/api/${path}`)).status).toBe(401);
    }
  });
});

describe("paths", () => {
  test.each([
    "/api/statuses/home_timeline/",
    "/api//statuses//home_timeline.json",
    "//api/statuses/home_timeline.json",
    "/api/1.1/statuses/home_timeline.json",
    "/api/statuses/friends_timeline",
  ])("%s", async (path) => {
    expect((await ann.get(path)).json).toHaveLength(1);
  });

  test("below 1.1 entities are there unless they are refused (trap 53)", async () => {
    expect((await ann.get("/api/1.1/statuses/home_timeline")).json[0].entities).toMatchObject({
      urls: [],
      user_mentions: [],
      hashtags: [],
    });
    expect(
      (await ann.get("/api/1.1/statuses/home_timeline", { include_entities: "false" })).json[0],
    ).not.toHaveProperty("entities");
    expect((await ann.get("/api/statuses/home_timeline")).json[0]).not.toHaveProperty("entities");
  });
});

describe("JSONP", () => {
  const javascript = "application/javascript; charset=utf-8";

  test("wraps answers of what needs no credentials", async () => {
    const { text, headers } = await world.anonymous.get("/api/compat/version", { callback: "app.on$1" });
    expect([text, headers.get("content-type")]).toEqual(['app.on$1("0.9.7")', javascript]);
  });

  test.each([
    [401, "statuses/home_timeline", { error: "This API requires login" }],
    [403, "svc/profile/show", { error: "Forbidden" }],
    [404, "users/show/nobody", { error: "User not found." }],
    [404, "no/such/endpoint", { error: "API endpoint GET api/no/such/endpoint is not implemented" }],
    [405, "statuses/update", { error: "Method Not Allowed" }],
    [400, "externalprofile/show", { error: "Wrong parameters." }],
  ])("keeps the status %i of %s", async (status, path, body) => {
    const answer = await world.anonymous.get(`/api/${path}`, { callback: "f" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, javascript]);
    expect(JSON.parse(/^f\((.*)\)$/s.exec(answer.text)![1]!)).toMatchObject({ ...body, code: status });
  });

  test.each(["alert(1)", "", "1f", "a-b", "f;", "f\u00e9", "x".repeat(65), "a[0]", "$ f"])(
    "refuses the name %j",
    async (callback) => {
      const { status, json, headers } = await world.anonymous.get("/api/compat/version", { callback });
      expect([status, json.error, headers.get("content-type")]).toEqual([
        400,
        "Invalid callback name",
        "application/json; charset=utf-8",
      ]);
    },
  );

  test("a name is looked at after path, method and credentials", async () => {
    expect((await world.anonymous.get("/api/no/such", { callback: "a(" })).json.code).toBe(404);
    expect((await world.anonymous.get("/api/statuses/update", { callback: "a(" })).json.code).toBe(405);
    expect((await world.anonymous.get("/api/favorites", { callback: "a(" })).json.code).toBe(401);
  });

  test("a signature is no credential that a browser would send by itself", async () => {
    const secrets = await application(world.hub, ann.channel);
    for (const place of ["query", "header"] as const) {
      const order = { path: "/api/account/verify_credentials.json", query: { callback: "f" }, place };
      const { status, text } = await sendSigned(world.app, world.hub, secrets, order);
      expect([place, status, text.startsWith('f({"id":')]).toEqual([place, 200, true]);
    }
  });

  test("wraps statuses too, which are written as bytes", async () => {
    const zoe = await world.person("zoe");
    const { json } = await zoe.post("/api/statuses/update", { status: "Zo\u00eb said \u2028 hi" });
    const secrets = await application(world.hub, zoe.channel);
    const order = { path: "/api/statuses/user_timeline.json", query: { callback: "f" }, place: "query" } as const;
    const { status, text } = await sendSigned(world.app, world.hub, secrets, order);
    expect(status).toBe(200);
    expect(text).not.toContain("\u2028");
    const [first] = JSON.parse(/^f\((.*)\)$/s.exec(text)![1]!);
    expect([first.id, first.text]).toEqual([json.id, json.text]);
  });

  test("the longest name", async () => {
    const callback = `_${"x".repeat(63)}`;
    expect((await world.anonymous.get("/api/help/test", { callback })).text).toBe(`${callback}("ok")`);
  });

  test("but not those of credentials that a browser remembers, nor other methods and formats", async () => {
    expect((await ann.get("/api/statuses/home_timeline", { callback: "f" })).text).toMatch(/^\[/);
    expect((await ann.get("/api/statuses/show/99999", { callback: "a(" })).json.code).toBe(404);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await world.anonymous.send(method, "/api/compat/version", undefined, { query: { callback: "f" } });
      expect(answer.text).toBe('"0.9.7"');
    }
    expect((await world.anonymous.get("/api/compat/version.xml", { callback: "f" })).text).toMatch(/^<\?xml/);
  });
});

describe("headers", () => {
  const everywhere = {
    "cache-control": "no-store",
    vary: "Authorization",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
    "access-control-expose-headers": "ETag, Link, Retry-After, WWW-Authenticate",
  };

  test.each([
    [200, "help/test"],
    [200, "compat/config.xml"],
    [401, "statuses/home_timeline.json"],
    [401, "statuses/home_timeline.atom"],
    [404, "nothing.xml"],
    [404, "users/show/nobody"],
    [405, "statuses/update.xml"],
  ])("%i %s has those of every answer, and sets no cookie", async (status, path) => {
    const answer = await world.anonymous.get(`/api/${path}`, {}, { headers: { origin: "https://elsewhere.example" } });
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([status, expect.objectContaining(everywhere)]);
    for (const name of ["set-cookie", "access-control-allow-credentials"]) expect(answer.headers.has(name)).toBe(false);
    const allowed = answer.headers.get("access-control-allow-headers")!.split(", ");
    expect(allowed).toEqual(expect.arrayContaining(["Authorization", "Content-Type", "X-Requested-With"]));
  });

  test.each(["statuses/update", "statuses/show/5.xml", "no/such", "", "1.1/favorites.rss"])(
    "a preflight of /api/%s needs no credentials",
    async (path) => {
      const headers = { "access-control-request-headers": "x-own, authorization", origin: "https://elsewhere.example" };
      const answer = await world.anonymous.send("OPTIONS", `/api/${path}`, undefined, { headers });
      expect([answer.status, answer.text, answer.headers.get("access-control-max-age")]).toEqual([204, "", "86400"]);
      expect(answer.headers.get("access-control-allow-headers")).toMatch(/^Authorization, .*x-own/);
    },
  );
});

describe("compat and help", () => {
  test("the config has texts where old clients read texts (traps 3, 19)", async () => {
    await setSetting(world.hub, "adminEmail", "admin@hub.example");
    const { logo } = (await world.anonymous.get("/api/compat/config")).json.site;
    const image = await world.anonymous.get(new URL(logo).pathname);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    for (const path of ["compat/config", "statusnet/config", "gnusocial/config", "1.1/statusnet/config"]) {
      const { json } = await world.anonymous.get(`/api/${path}.json`);
      expect(json).toEqual({
        site: {
          name: "Hubbub",
          server: "hub.example",
          theme: "default",
          path: "",
          logo: expect.stringMatching(/^http:\/\/hub\.example\//),
          fancy: true,
          language: "en",
          email: "admin@hub.example",
          broughtby: "",
          broughtbyurl: "",
          timezone: "UTC",
          closed: "false",
          inviteonly: false,
          private: "false",
          textlimit: "200000",
          ssl: "false",
          sslserver: "",
          shorturllength: "30",
          svc: {
            PLATFORM: "Hubbub",
            VERSION: expect.any(String),
            PROTOCOL_VERSION: expect.any(String),
            DB_UPDATE_VERSION: expect.any(Number),
          },
          friendica: {
            FRIENDICA_PLATFORM: "Hubbub",
            FRIENDICA_VERSION: expect.any(String),
            DFRN_PROTOCOL_VERSION: expect.any(String),
            DB_UPDATE_VERSION: expect.any(Number),
          },
        },
        attachments: { uploads: true, file_quota: 104_857_600 },
      });
    }
    await changeSite(world.hub, { name: "Café <&>", registration: "closed", blockPublic: true });
    const root = readXml(await world.anonymous.get("/api/statusnet/config.xml"));
    expect([root.name, root.attributes]).toEqual(["config", {}]);
    expect(["name", "closed", "private", "fancy"].map((name) => textAt(root, "site", name))).toEqual([
      "Café <&>",
      "true",
      "true",
      "true",
    ]);
    await changeSite(world.hub, { name: "Hubbub", registration: "open", blockPublic: false });
  });

  test("version and test", async () => {
    for (const path of ["compat/version", "statusnet/version", "gnusocial/version"]) {
      expect((await world.anonymous.get(`/api/${path}.json`)).text).toBe('"0.9.7"');
      expect(readXml(await world.anonymous.get(`/api/${path}.xml`))).toEqual({
        name: "version",
        attributes: {},
        text: "0.9.7",
        children: [],
      });
    }
    expect((await world.anonymous.get("/api/help/test.json")).text).toBe('"ok"');
    expect(readXml(await world.anonymous.get("/api/help/test.xml"))).toEqual({
      name: "ok",
      attributes: {},
      text: "true",
      children: [],
    });
  });
});

describe("account/rate_limit_status", () => {
  test("says what all servers say where nothing is limited", async () => {
    const { json } = await ann.get("/api/account/rate_limit_status.json");
    expect(json).toEqual({
      remaining_hits: "150",
      hourly_limit: "150",
      reset_time: "Sun Mar 01 13:00:00 +0000 2026",
      reset_time_in_seconds: 1_772_370_000,
    });
    const root = readXml(await ann.get("/api/account/rate_limit_status.xml"));
    expect([root.name, root.attributes]).toEqual(["hash", {}]);
    expect(root.children.map(({ name, attributes, text }) => [name, attributes["type"], text])).toEqual([
      ["remaining-hits", "integer", "150"],
      ["hourly-limit", "integer", "150"],
      ["reset-time", "datetime", "2026-03-01T13:00:00+00:00"],
      ["reset_time_in_seconds", "integer", "1772370000"],
    ]);
  });

  test("says real figures scaled to an hour where there are some, and does not count itself", async () => {
    const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
    try {
      const person = await limited.person("ann");
      await person.get("/api/statuses/home_timeline");
      await person.get("/api/account/rate_limit_status");
      expect((await person.get("/api/account/rate_limit_status")).json).toMatchObject({
        hourly_limit: "80000",
        remaining_hits: "79996",
      });
    } finally {
      await limited.close();
    }
  });
});

describe("users/show", () => {
  test("without credentials only what is public", async () => {
    const { status, json } = await world.anonymous.get("/api/users/show.json", { screen_name: "ann" });
    expect([status, json.following, json.cid, json.favourites_count, json.status.text]).toEqual([
      200,
      false,
      0,
      0,
      "hello",
    ]);
    expect(json).not.toHaveProperty("profile_link_color");
  });

  test("without a name the caller, else a challenge", async () => {
    expect((await ann.get("/api/users/show")).json.screen_name).toBe("ann");
    const { status, json, headers } = await world.anonymous.get("/api/users/show");
    expect([status, json.error, headers.has("www-authenticate")]).toEqual([401, "This API requires login", true]);
  });

  test("of nobody", async () => {
    for (const [query, error] of [
      [{ user_id: 77 }, "User ID 77 not found."],
      [{ screen_name: "nobody" }, "User not found."],
      [{ profileurl: "https://example.org/x" }, "User https://example.org/x not found."],
    ] as const) {
      const { status, json } = await world.anonymous.get("/api/users/show", query);
      expect([status, json.error]).toEqual([404, error]);
    }
  });
});

describe("credentials", () => {
  test("trap 7: an e-mail log-in acts as its default channel, or as the one that is chosen", async () => {
    const account = (await findAccount(world.hub, "ann@example.org"))!;
    await createChannel(world.hub, account, { nick: "ann-two", name: "Second" });
    const client = clientOf(world.app, `ann@example.org:${password}`);
    expect((await client.get("/api/account/verify_credentials")).json.screen_name).toBe("ann");
    expect((await client.get("/api/account/verify_credentials", { channel: "ann-two" })).json.screen_name).toBe(
      "ann-two",
    );
    const { json } = await client.post("/api/statuses/update", { status: "as the second", channel: "ann-two" });
    expect(json.user.screen_name).toBe("ann-two");
  });

  test("a log-in with a nick acts as that channel and no other of the account", async () => {
    for (const login of ["ann", "ann@hub.example"]) {
      const client = clientOf(world.app, `${login}:${password}`);
      expect((await client.get("/api/account/verify_credentials", { channel: "ANN" })).json.screen_name).toBe("ann");
      const { status, json } = await client.get("/api/account/verify_credentials", { channel: "ann-two" });
      expect([status, json.error]).toEqual([403, "Forbidden"]);
    }
  });

  test.each(["Bearer x", "Digest username=ann", "Basic", "Basic !!!", "Basic YW5u", ""])(
    "%j is no log-in",
    async (authorization) => {
      const { status, json } = await world.anonymous.get("/api/help/test", {}, { headers: { authorization } });
      expect([status, json.error]).toEqual([401, "This API requires login"]);
    },
  );

  test("a browser is never made to ask for a password", async () => {
    const { headers } = await world.anonymous.get(
      "/api/statuses/home_timeline",
      {},
      { headers: { "sec-fetch-site": "cross-site" } },
    );
    expect(headers.get("www-authenticate")).toMatch(/^OAuth /);
  });
});
