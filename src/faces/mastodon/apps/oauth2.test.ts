import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import type { Client } from "../../../../test/support/client.ts";
import { sweepOauth } from "../../../domain/identity/applications/oauth-sweep.ts";
import { setPassword } from "../../../domain/identity/accounts/accounts.ts";
import { hiddenIn } from "../../../../test/support/consent.ts";
import { password } from "../../../../test/support/hub.ts";
import { bearerFor, mastodonClient } from "../../../../test/support/mastodon.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { Visitor } from "../../../../test/support/visitor.ts";

/** OAuth 2 from the registration of an application to the end of its token (Mastodon contract 9). */

let world: TestApp;
let anyone: Client;
let ann: Person;
let visitor: Visitor;

const back = "com.crow.App.7:/request_token";

beforeAll(async () => {
  world = await openTestApp();
  anyone = mastodonClient(world);
  ann = await world.person("ann");
  await world.person("bob");
});
afterAll(() => world.close());
beforeEach(async () => {
  visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
});

type App = { client_id: string; client_secret: string };

async function register(more: Record<string, unknown> = {}): Promise<App> {
  const form = { client_name: "Crow", redirect_uris: back, scopes: "read write follow push", ...more };
  const { status, json } = await anyone.post("/api/v1/apps", form);
  expect(status).toBe(200);
  return json as App;
}

/** The page that asks, and where its answer leads. */
async function consent(asked: Record<string, string>, yes = true): Promise<URL> {
  const path = `/oauth/authorize?${new URLSearchParams(asked).toString()}`;
  const shown = await visitor.get(path);
  expect([shown.status, shown.text.includes('name="oauth_yes"')]).toEqual([200, true]);
  const answered = await visitor.post("/oauth/authorize", {
    ...hiddenIn(shown.text),
    ...(yes ? { oauth_yes: "1" } : { oauth_no: "1" }),
  });
  expect(answered.status).toBe(302);
  return new URL(answered.location, "http://hub.example");
}

const asking = ({ client_id }: App, more: Record<string, string> = {}) => ({
  response_type: "code",
  client_id,
  redirect_uri: back,
  scope: "read write",
  ...more,
});

async function exchange(app: App, code: string, more: Record<string, string> = {}) {
  const { client_id, client_secret } = app;
  return anyone.post("/oauth/token", {
    grant_type: "authorization_code",
    client_id,
    client_secret,
    code,
    redirect_uri: back,
    ...more,
  });
}

describe("an application registers", () => {
  test.each([
    ["JSON", (form: object) => anyone.post("/api/v1/apps", form as Record<string, unknown>)],
    [
      "a form",
      (form: object) => anyone.send("POST", "/api/v1/apps", new URLSearchParams(form as Record<string, string>)),
    ],
    [
      "the query",
      (form: object) => anyone.send("POST", "/api/v1/apps", undefined, { query: form as Record<string, unknown> }),
    ],
    [
      "a body of no type",
      (form: object) =>
        anyone.send(
          "POST",
          "/api/v1/apps",
          Buffer.from(new URLSearchParams(form as Record<string, string>).toString()),
          { headers: { "content-type": "" } },
        ),
    ],
  ])("with %s", async (_, send) => {
    const { status, json } = await send({
      client_name: "Crow",
      redirect_uris: `${back}\nurn:ietf:wg:oauth:2.0:oob`,
      scopes: "read push unknown:x",
      website: "crow",
    });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        name: "Crow",
        website: null,
        redirect_uris: [back, "urn:ietf:wg:oauth:2.0:oob"],
        redirect_uri: `${back}\nurn:ietf:wg:oauth:2.0:oob`,
        scopes: ["read", "push"],
        client_secret_expires_at: 0,
      }),
    ]);
    expect(json.client_id).toHaveLength(43);
  });

  test.each([
    ["no name", { client_name: "" }, 400],
    ["a script", { redirect_uris: "javascript:alert(1)" }, 422],
    ["a relative address", { redirect_uris: "//x" }, 422],
    ["a fragment", { redirect_uris: "https://a.example/#x" }, 422],
    ["eleven addresses", { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) }, 422],
    ["no known scope", { scopes: "admin:write nonsense" }, 422],
  ])("not with %s", async (_, wrong, status) => {
    const before = await world.hub.db.selectFrom("oauth2_app").select("id").execute();
    const answer = await anyone.post("/api/v1/apps", { client_name: "Crow", redirect_uris: back, ...wrong });
    expect(answer.status).toBe(status);
    expect(await world.hub.db.selectFrom("oauth2_app").select("id").execute()).toEqual(before);
  });

  test("and the hub keeps no secret of it", async () => {
    const app = await register();
    const row = await world.hub.db
      .selectFrom("oauth2_app")
      .selectAll()
      .where("client_id", "=", app.client_id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(app.client_secret);
  });
});

describe("the page that asks for consent", () => {
  test("says in words what is asked for, and leads back with a code that becomes a token", async () => {
    const app = await register();
    const shown = await visitor.get(`/oauth/authorize/?${new URLSearchParams(asking(app)).toString()}`);
    for (const words of [
      "Crow",
      "read everything that you can read",
      "post, answer and delete in your name",
      "com.crow.App.7:",
    ])
      expect(shown.text).toContain(words);
    expect(shown.headers.get("x-frame-options")).toBe("DENY");
    const to = await consent(asking(app, { state: "None&=/ä" }));
    expect([to.protocol, to.searchParams.get("state")]).toEqual(["com.crow.app.7:", "None&=/ä"]);
    const { status, json, headers } = await exchange(app, to.searchParams.get("code")!, { scope: "admin" });
    expect([status, json.token_type, json.scope, headers.get("cache-control")]).toEqual([
      200,
      "Bearer",
      "read write",
      "private, no-store",
    ]);
    const mine = await mastodonClient(world, json.access_token as string).get("/api/v1/accounts/verify_credentials");
    expect([mine.status, mine.json.username, mine.json.source.privacy]).toEqual([200, "ann", "public"]);
    const stored = await world.hub.db.selectFrom("oauth2_token").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(json.access_token);
  });

  test("says no", async () => {
    const to = await consent(asking(await register(), { state: "s" }), false);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error: "access_denied",
      error_description: "The resource owner or authorization server denied the request.",
      state: "s",
    });
  });

  test("shows a code where there is no address", async () => {
    const oob = "urn:ietf:wg:oauth:2.0:oob";
    const app = await register({ redirect_uris: oob });
    const to = await consent(asking(app, { redirect_uri: oob, force_login: "False" }));
    expect(to.pathname).toBe("/oauth/authorize/native");
    const shown = await visitor.get(to.pathname + to.search);
    const [, code] = /<code id="oauth_code">([\w-]{43})<\/code>/.exec(shown.text)!;
    expect([code, shown.headers.get("referrer-policy"), shown.headers.get("cache-control")]).toEqual([
      to.searchParams.get("code"),
      "no-referrer",
      "no-store",
    ]);
    expect((await exchange(app, code!, { redirect_uri: oob })).status).toBe(200);
  });

  test("after the log-in, the same page", async () => {
    const path = `/oauth/authorize?${new URLSearchParams(asking(await register(), { state: "x y" })).toString()}`;
    const stranger = visitorOf(world.app);
    const first = await stranger.get(path);
    expect([first.status, first.location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
    await stranger.get(first.location);
    expect((await stranger.post("/login", { login: "ann", password, next: path })).location).toBe(path);
  });

  test("asks for the password once more when the application wants it", async () => {
    const app = await register();
    const shown = await visitor.get(
      `/oauth/authorize?${new URLSearchParams(asking(app, { force_login: "true" })).toString()}`,
    );
    expect([shown.text.includes('name="password"'), shown.text.includes('name="oauth_yes"')]).toEqual([true, false]);
    const wrong = await visitor.post("/oauth/authorize", { ...hiddenIn(shown.text), login: "ann", password: "wrong" });
    expect(wrong.text).not.toContain('name="oauth_yes"');
    const right = await visitor.post("/oauth/authorize", { ...hiddenIn(shown.text), login: "ann", password });
    expect(right.text).toContain('name="oauth_yes"');
    const yes = await visitor.post("/oauth/authorize", { ...hiddenIn(right.text), oauth_yes: "yes" });
    expect([yes.status, yes.location.startsWith(back)]).toEqual([302, true]);
  });

  test.each([
    ["an unknown application", { client_id: "unknown" }],
    ["another address", { redirect_uri: "com.crow.App.7:/request_tokens" }],
    ["a part of the address", { redirect_uri: "com.crow.App.7:/request" }],
    ["the address in small letters", { redirect_uri: back.toLowerCase() }],
    ["a user in the address", { redirect_uri: back.replace(":/", "://eve@") }],
    ["a long state", { state: "s".repeat(2001) }],
  ])("leads nowhere with %s", async (_, wrong) => {
    const shown = await visitor.get(
      `/oauth/authorize?${new URLSearchParams(asking(await register(), wrong)).toString()}`,
    );
    expect([shown.status, shown.location]).toEqual([400, ""]);
  });

  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  test.each([
    ["response_type", { response_type: "token" }, "unsupported_response_type"],
    ["scope", { scope: "read:statuses admin:read profile" }, "invalid_scope"],
    ["challenge in clear", { code_challenge: challenge, code_challenge_method: "plain" }, "invalid_request"],
    ["challenge without method", { code_challenge: challenge }, "invalid_request"],
    ["short challenge", { code_challenge: challenge.slice(1), code_challenge_method: "S256" }, "invalid_request"],
    ["response_mode", { response_mode: "fragment" }, "invalid_request"],
  ])("tells the application what is wrong: %s", async (_, wrong, error) => {
    const app = await register({ scopes: "read write" });
    const told = await visitor.get(
      `/oauth/authorize?${new URLSearchParams(asking(app, { state: "s", ...wrong })).toString()}`,
    );
    const { searchParams } = new URL(told.location);
    expect([told.status, searchParams.get("error"), searchParams.get("state")]).toEqual([302, error, "s"]);
  });

  test("grants what was shown and nothing else", async () => {
    const app = await register();
    const shown = await visitor.get(
      `/oauth/authorize?${new URLSearchParams(asking(app, { scope: "read" })).toString()}`,
    );
    const before = await world.hub.db.selectFrom("oauth2_code").select("digest").execute();
    const fields = hiddenIn(shown.text);
    for (const changed of [
      { scope: "read write" },
      { state: "other" },
      { shown: "" },
      { form_security_token: "wrong" },
    ])
      expect((await visitor.post("/oauth/authorize", { ...fields, oauth_yes: "1", ...changed })).status).toBe(403);
    expect(await world.hub.db.selectFrom("oauth2_code").select("digest").execute()).toEqual(before);
  });

  test("takes no answer with the token of another session, the same person's neither", async () => {
    const app = await register();
    const shown = await visitor.get(`/oauth/authorize?${new URLSearchParams(asking(app)).toString()}`);
    const fields = hiddenIn(shown.text);
    const codes = () => world.hub.db.selectFrom("oauth2_code").select("digest").execute();
    const before = await codes();
    for (const nick of ["ann", "bob"]) {
      const other = visitorOf(world.app);
      await other.logIn(nick, password);
      const theirs = hiddenIn(
        (await other.get(`/oauth/authorize?${new URLSearchParams(asking(app)).toString()}`)).text,
      );
      expect(theirs["form_security_token"]).not.toBe(fields["form_security_token"]);
      const mixed = { ...fields, form_security_token: theirs["form_security_token"]!, oauth_yes: "1" };
      expect((await visitor.post("/oauth/authorize", mixed)).status).toBe(403);
      expect(await codes()).toEqual(before);
    }
    expect((await visitor.post("/oauth/authorize", { ...fields, oauth_yes: "1" })).status).toBe(302);
  });

  test("asks one question at a time", async () => {
    const app = await register();
    for (const query of ["", `client_id=${app.client_id}&oauth_token=x`])
      expect((await visitor.get(`/oauth/authorize?${query}`)).status).toBe(400);
  });
});

describe("a code", () => {
  const code = async (app: App, more = {}) => (await consent(asking(app, more))).searchParams.get("code")!;
  const grant = { status: 400, json: expect.objectContaining({ error: "invalid_grant" }) };

  test("becomes a token once; a second time, the token ends", async () => {
    const app = await register();
    const one = await code(app);
    const { json } = await exchange(app, one);
    expect(await exchange(app, one)).toMatchObject(grant);
    expect(
      (await mastodonClient(world, json.access_token as string).get("/api/v1/accounts/verify_credentials")).status,
    ).toBe(401);
  });

  test("becomes one token, however many ask at the same moment", async () => {
    const app = await register();
    const one = await code(app);
    const all = await Promise.all(Array.from({ length: 3 }, () => exchange(app, one)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("is of one application and one address, and lasts ten minutes", async () => {
    const [app, other] = [await register(), await register()];
    expect(await exchange(other, await code(app))).toMatchObject(grant);
    expect(await exchange(app, await code(app), { redirect_uri: "https://a.example/" })).toMatchObject(grant);
    const late = await code(app);
    const began = world.hub.clock().getTime();
    world.hub.setClock(new Date(began + 601_000).toISOString());
    expect(await exchange(app, late)).toMatchObject(grant);
    world.hub.setClock(new Date(began).toISOString());
  });

  test("with a challenge wants its verifier (the vector of RFC 7636), and without one none", async () => {
    const app = await register();
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const challenge = {
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    expect(challenge.code_challenge).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    const guarded = await code(app, challenge);
    expect(await exchange(app, guarded)).toMatchObject(grant);
    expect(await exchange(app, guarded, { code_verifier: `${verifier}x` })).toMatchObject(grant);
    expect((await exchange(app, guarded, { code_verifier: verifier })).status).toBe(200);
    const guessed = await code(app, challenge);
    for (let n = 0; n < 5; n++) await exchange(app, guessed, { code_verifier: "x".repeat(43) });
    expect(await exchange(app, guessed, { code_verifier: verifier })).toMatchObject(grant);
    expect(await exchange(app, await code(app), { code_verifier: verifier })).toMatchObject(grant);
  });

  test.each([
    ["no grant type", { grant_type: undefined }, 400, "invalid_request"],
    ["a password", { grant_type: "password", username: "ann", password }, 400, "unsupported_grant_type"],
    ["a refresh", { grant_type: "refresh_token" }, 400, "unsupported_grant_type"],
    ["no code", { code: undefined }, 400, "invalid_request"],
    ["an unknown code", { code: "x" }, 400, "invalid_grant"],
    ["a wrong secret", { client_secret: "x" }, 401, "invalid_client"],
    ["no secret", { client_secret: undefined }, 401, "invalid_client"],
    ["an unknown application", { client_id: "x" }, 401, "invalid_client"],
  ])("not with %s", async (_, wrong, status, error) => {
    const { client_id, client_secret } = await register();
    const answer = await anyone.post("/oauth/token", {
      grant_type: "authorization_code",
      client_id,
      client_secret,
      code: "c",
      redirect_uri: back,
      ...wrong,
    });
    expect([answer.status, answer.json.error, typeof answer.json.error_description]).toEqual([status, error, "string"]);
    if (status === 401) expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="Hubbub"');
  });
});

describe("an application for itself", () => {
  test("proves itself by Basic, by its body, or by both alike, and reads what is public", async () => {
    const app = await register();
    const { client_id, client_secret } = app;
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const ask = (form: object, headers = {}) =>
      anyone.post("/oauth/token", { grant_type: "client_credentials", scope: "read", ...form }, { headers });
    for (const [form, headers] of [
      [app, {}],
      [{}, { authorization }],
      [app, { authorization }],
    ] as const) {
      const { status, json } = await ask({ ...("client_id" in form && { client_id, client_secret }) }, headers);
      expect([status, json.scope]).toEqual([200, "read"]);
      const own = mastodonClient(world, json.access_token as string);
      expect((await own.get("/api/v1/apps/verify_credentials")).json.name).toBe("Crow");
      expect(await own.get("/api/v1/accounts/verify_credentials")).toMatchObject({
        status: 422,
        json: { error: "This method requires an authenticated user" },
      });
      expect((await own.get(`/api/v1/accounts/${ann.channel.xchan_id}`)).status).toBe(200);
    }
    expect((await ask({ client_id, client_secret: "other" }, { authorization })).json.error).toBe("invalid_request");
    expect((await ask({ client_id, client_secret, scope: "profile" })).json.error).toBe("invalid_scope");
  });
});

describe("a token", () => {
  test.each([
    "Bearer",
    "Bearer  x",
    "Bearer x y",
    "Basic YTpi",
    'OAuth oauth_token="x"',
    `Bearer ${"x".repeat(10_000)}`,
    "Bearer unknown",
  ])("%s is none", async (authorization) => {
    for (const path of ["/api/v1/instance", "/api/v1/accounts/verify_credentials"]) {
      const { status, json, headers } = await anyone.get(path, {}, { headers: { authorization } });
      expect([status, json.error]).toEqual([401, "The access token is invalid"]);
      expect(headers.get("www-authenticate")).toBe('Bearer realm="Hubbub", error="invalid_token"');
    }
  });

  test("counts in the header and in a form, and not in a query or a cookie", async () => {
    const token = await bearerFor(world, ann.channel);
    expect((await anyone.get("/api/v1/preferences", { access_token: token })).json.error).toBe(
      "This API requires an authenticated user",
    );
    expect((await anyone.get("/api/v1/preferences", {}, { headers: { cookie: `token=${token}` } })).status).toBe(401);
    expect(
      (await anyone.get("/api/v1/preferences", {}, { headers: { authorization: `bEARER ${token}` } })).status,
    ).toBe(200);
    for (const name of ["access_token", "bearer_token"])
      expect(
        (await anyone.send("POST", "/oauth/userinfo", new URLSearchParams({ [name]: token }))).json.preferred_username,
      ).toBe("ann");
  });

  test("opens nothing but this API", async () => {
    const headers = { authorization: `Bearer ${await bearerFor(world, ann.channel)}` };
    for (const path of ["/api/z/1.0/verify", "/api/account/verify_credentials", "/api/statuses/home_timeline"])
      expect((await world.anonymous.get(path, {}, { headers })).status).toBe(401);
  });

  test("is good for its scopes alone", async () => {
    const narrow = mastodonClient(world, await bearerFor(world, ann.channel, "read:statuses write:media profile"));
    expect((await narrow.get("/api/v1/accounts/verify_credentials")).status).toBe(200);
    expect(await narrow.get("/api/v1/preferences")).toMatchObject({
      status: 403,
      json: { error: "This action is outside the authorized scopes" },
    });
    const follow = mastodonClient(world, await bearerFor(world, ann.channel, "follow"));
    for (const path of ["domain_blocks", "blocks", "mutes", "follow_requests"])
      expect((await follow.get(`/api/v1/${path}`)).json).toEqual([]);
    const read = mastodonClient(world, await bearerFor(world, ann.channel, "read"));
    for (const [client, path, status] of [
      [follow, "timelines/home", 403],
      [read, "timelines/home", 200],
      [read, "lists", 200],
      [narrow, "timelines/home", 200],
      [narrow, "lists", 403],
      [narrow, "notifications", 403],
    ] as const)
      expect([path, (await client.get(`/api/v1/${path}`)).status]).toEqual([path, status]);
    expect((await read.post("/api/v1/statuses", { status: "x" })).status).toBe(403);
  });

  test("ends for the application that has it, and for no other", async () => {
    const [app, other] = [await register(), await register()];
    const token = (await exchange(app, (await consent(asking(app))).searchParams.get("code")!)).json
      .access_token as string;
    const revoke = ({ client_id, client_secret }: App, form: object) =>
      anyone.post("/oauth/revoke", { client_id, client_secret, ...form });
    expect(await revoke(other, { token })).toMatchObject({
      status: 403,
      json: { error: "unauthorized_client", error_description: "You are not authorized to revoke this token" },
    });
    expect((await revoke(app, {})).status).toBe(403);
    expect((await revoke(app, { token: "unknown" })).json).toEqual({});
    expect((await revoke(app, { token })).json).toEqual({});
    expect((await mastodonClient(world, token).get("/api/v1/preferences")).status).toBe(401);
  });

  test("tells who its holder is to the application that may know", async () => {
    const [profile, accounts, statuses] = await Promise.all(
      ["profile", "read:accounts", "read:statuses"].map(async (scope) =>
        mastodonClient(world, await bearerFor(world, ann.channel, scope)),
      ),
    );
    const page = "http://hub.example/channel/ann";
    for (const client of [profile!, accounts!])
      expect((await client.get("/oauth/userinfo")).json).toEqual({
        iss: "http://hub.example/",
        sub: page,
        name: ann.channel.channel_name,
        preferred_username: "ann",
        profile: page,
        picture: expect.stringMatching(/^http:\/\/hub\.example\/photo\//),
      });
    expect((await statuses!.get("/oauth/userinfo")).status).toBe(403);
  });

  test("ends with the password of its channel's account, and so does a code", async () => {
    const { channel } = await world.person("wil");
    const own = visitorOf(world.app);
    await own.logIn("wil", password);
    visitor = own;
    const app = await register();
    const code = (await consent(asking(app))).searchParams.get("code")!;
    const client = mastodonClient(world, await bearerFor(world, channel));
    expect((await client.get("/api/v1/preferences")).status).toBe(200);
    await setPassword(world.hub, channel.channel_account_id, "a newer horse, and a longer one");
    expect((await client.get("/api/v1/preferences")).status).toBe(401);
    expect((await exchange(app, code)).json.error).toBe("invalid_grant");
  });

  test("tells its holder why somebody may not log in", async () => {
    const token = await bearerFor(world, (await world.person("zoe")).channel);
    const { account_id } = await world.hub.db
      .selectFrom("account")
      .select("account_id")
      .where("account_email", "like", "zoe%")
      .executeTakeFirstOrThrow();
    await world.hub.db.updateTable("account").set({ account_flags: 2 }).where("account_id", "=", account_id).execute();
    expect(await mastodonClient(world, token).get("/api/v1/preferences")).toMatchObject({
      status: 403,
      json: { error: "Your login is currently disabled" },
    });
  });

  test("stands among the applications in the settings, with its rights, and ends there", async () => {
    const app = await register({ client_name: "Listed <b>" });
    const token = (await exchange(app, (await consent(asking(app))).searchParams.get("code")!)).json
      .access_token as string;
    const shown = await visitor.get("/settings/oauth/");
    expect(shown.text).toContain("Listed &lt;b&gt;");
    expect(shown.text).toContain("read everything that you can read");
    const [, remove] = new RegExp(/value="(bearer-\d+)"/).exec(shown.text)!;
    const stranger = visitorOf(world.app);
    await stranger.logIn("bob", password);
    await stranger.get("/settings/oauth/");
    expect((await stranger.post("/settings/oauth/", { remove: remove! })).status).toBe(404);
    await visitor.post("/settings/oauth/", { remove: remove! });
    expect((await mastodonClient(world, token).get("/api/v1/preferences")).status).toBe(401);
  });
});

test("a token ends a year after its last use, and an application that has none a year after its last one", async () => {
  const late = await openTestApp();
  const day = 24 * 3600;
  const app = mastodonClient(late, await bearerFor(late, (await late.person("ann")).channel));
  const apps = () => late.hub.db.selectFrom("oauth2_app").select("id").execute();
  for (const days of [300, 300]) {
    late.hub.advance(days * day);
    expect((await app.get("/api/v1/preferences")).status).toBe(200);
    await sweepOauth(late.hub);
  }
  expect(await apps()).toHaveLength(1);
  late.hub.advance(366 * day);
  expect((await app.get("/api/v1/preferences")).status).toBe(401);
  await sweepOauth(late.hub);
  expect([await late.hub.db.selectFrom("oauth2_token").select("id").execute(), await apps()]).toEqual([[], []]);
  await late.close();
});

test("from one network so many register, and guess at secrets, and no more; others go on", async () => {
  const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" } });
  const from = (address: string, path: string, form: Record<string, unknown>) =>
    mastodonClient(limited).post(path, form, { headers: { "x-forwarded-for": address } });
  const form = { client_name: "Crow", redirect_uris: back };
  const registered: number[] = [];
  for (let n = 0; n < 26; n++) registered.push((await from(`2001:db8::${n}`, "/api/v1/apps", form)).status);
  expect([registered.slice(0, 25).every((status) => status === 200), registered[25]]).toEqual([true, 429]);
  const { status, json } = await from("2001:db8:0:1::1", "/api/v1/apps", form);
  expect(status).toBe(200);
  const guess = (address: string, client_secret: string) =>
    from(address, "/oauth/token", { grant_type: "client_credentials", client_id: json.client_id, client_secret });
  for (let n = 0; n < 100; n++) expect((await guess("192.0.2.1", `guess ${n}`)).status).toBe(401);
  const refused = await guess("192.0.2.1", json.client_secret);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await guess("192.0.2.2", json.client_secret)).status).toBe(200);
  await limited.close();
});

test("a script gets a token from its owner's page, which is shown once and may do what was ticked", async () => {
  const ask = (fields: object) => visitor.post("/settings/oauth/token", fields as Record<string, string>);
  expect((await visitor.get("/settings/oauth/")).text).toContain('href="/settings/oauth/token"');
  await visitor.get("/settings/oauth/token");
  expect((await ask({ client_name: "Nightly", scopes: "admin" })).status).toBe(422);
  expect((await ask({ client_name: " ", scopes: "read" })).status).toBe(422);
  const shown = await ask({ client_name: "Nightly", scopes: "read" });
  const [, token] = /Bearer ([\w-]{43})/.exec(shown.text)!;
  const script = mastodonClient(world, token);
  expect((await script.get("/api/v1/accounts/verify_credentials")).status).toBe(200);
  expect((await script.post("/api/v1/statuses", { status: "not allowed" })).status).toBe(403);
  const listed = (await visitor.get("/settings/oauth/")).text;
  expect([listed.includes("Nightly"), listed.includes(token!)]).toEqual([true, false]);
  expect(await world.hub.db.selectFrom("oauth2_token").select("digest").where("digest", "=", token!).execute()).toEqual(
    [],
  );
});

test("browsers of other sites may ask, and a path has its methods", async () => {
  const asked = await anyone.send("OPTIONS", "/oauth/token", undefined, {
    headers: { "access-control-request-headers": "x-app" },
  });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([
    204,
    "Authorization, Content-Type, Idempotency-Key, x-app",
  ]);
  const wrong = await anyone.get("/oauth/token");
  expect([wrong.status, wrong.headers.get("allow"), wrong.headers.get("access-control-allow-origin")]).toEqual([
    405,
    "POST, OPTIONS",
    "*",
  ]);
  const { json, headers } = await anyone.get("/.well-known/oauth-authorization-server");
  expect(headers.get("cache-control")).toBe("public, max-age=180");
  expect(json).toMatchObject({
    issuer: "http://hub.example/",
    authorization_endpoint: "http://hub.example/oauth/authorize",
    token_endpoint: "http://hub.example/oauth/token",
    app_registration_endpoint: "http://hub.example/api/v1/apps",
    revocation_endpoint: "http://hub.example/oauth/revoke",
    userinfo_endpoint: "http://hub.example/oauth/userinfo",
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
  });
  expect(json.scopes_supported).toEqual(expect.arrayContaining(["read", "write:lists", "push", "profile"]));
  expect(json.scopes_supported).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/admin|crypto|collections/)]),
  );
  for (const path of ["/api/v1/nothing", "/api/v1/instance.json", "/api/v2/x/y"])
    expect(await anyone.get(path)).toMatchObject({ status: 404, json: { error: "Not Found" } });
  expect((await anyone.get("//api//v1//instance/")).status).toBe(200);
});

test("both documents of the site say what applications look for", async () => {
  const [two, one] = [await anyone.get("/api/v2/instance"), await anyone.get("/api/v1/instance")];
  expect(two.json.version).toMatch(/^4\.5\.0 \(compatible; Hubbub \S+\)$/);
  expect([two.json.domain, one.json.uri, one.json.version]).toEqual(["hub.example", "hub.example", two.json.version]);
  expect(two.headers.get("cache-control")).toBe("public, max-age=180");
  for (const path of [
    "/api/v1/custom_emojis",
    "/api/v1/instance/peers",
    "/api/v1/trends/tags",
    "/api/v1/trends",
    "/api/v1/instance/rules",
  ])
    expect((await anyone.get(path)).json).toEqual([]);
});
