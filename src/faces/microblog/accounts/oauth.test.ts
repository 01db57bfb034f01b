import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { password } from "../../../../test/support/hub.ts";
import { sendSigned } from "../../../../test/support/oauth.ts";
import type { Order, Secrets } from "../../../../test/support/oauth.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../test/support/visitor.ts";
import { createClient } from "../../../domain/identity/applications/oauth-clients.ts";

/** How an application comes to its token (microblog contract 6.4). */

let world: TestApp;
let alma: Person;
let visitor: Visitor;

const app = { key: "crow", secret: "caw & caw" };
const bound = { key: "bound", secret: "secret" };

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  const { channel_id } = (await world.person("maker")).channel;
  await createClient(world.hub, channel_id, { name: "Crow", ...app });
  await createClient(world.hub, channel_id, { name: "Bound", ...bound, redirect: "https://app.example/back?a=1" });
  visitor = visitorOf(world.app);
  await visitor.logIn("alma", password);
});
afterAll(() => world.close());

type Sent = Omit<Order, "path"> & { path?: string };

const ask = (callback: string | undefined, sent: Sent = {}, secrets: Secrets = app) =>
  sendSigned(world.app, world.hub, secrets, {
    path: "/api/oauth/request_token",
    ...sent,
    ...(callback !== undefined && { more: { oauth_callback: callback } }),
  });

async function asked(callback?: string, secrets: Secrets = app): Promise<{ token: string; tokenSecret: string }> {
  const { status, pairs } = await ask(callback, {}, secrets);
  expect(status).toBe(200);
  return { token: pairs["oauth_token"]!, tokenSecret: pairs["oauth_token_secret"]! };
}

async function answer(token: string, fields: Record<string, string>, path = "/oauth/authorize"): Promise<VisitedPage> {
  await visitor.get(`${path}?oauth_token=${token}`);
  return visitor.post(path, { oauth_token: token, ...fields });
}

const get = (
  request: { token: string; tokenSecret: string },
  verifier?: string,
  sent: Sent = {},
  from: Secrets = app,
) =>
  sendSigned(
    world.app,
    world.hub,
    { ...from, ...request },
    {
      path: "/api/oauth/access_token",
      ...sent,
      ...(verifier !== undefined && { more: { oauth_verifier: verifier } }),
    },
  );

const codeIn = (shown: VisitedPage): string => /<code>(\d{8})<\/code>/.exec(shown.text)![1]!;
const word = expect.stringMatching(/^[0-9a-f]{32,}$/);

describe("the way to a token", () => {
  test.each([
    ["/api/oauth/", "GET", "header"],
    ["/api/oauth/", "POST", "header"],
    ["/api/oauth/", "POST", "body"],
    ["/api/oauth/", "GET", "query"],
    ["/api/1.1/oauth/", "GET", "header"],
    ["/oauth/", "POST", "header"],
    ["/oauth/", "PUT", "body"],
  ] as const)("below %s by %s with parameters in the %s", async (prefix, method, place) => {
    const first = await ask("https://app.example/cb?x=1#there", { path: `${prefix}request_token`, method, place });
    expect([first.status, first.pairs]).toEqual([
      200,
      { oauth_token: word, oauth_token_secret: word, oauth_callback_confirmed: "true" },
    ]);
    expect(first.headers.get("content-type")).toBe("application/x-www-form-urlencoded; charset=utf-8");
    expect(first.text).not.toMatch(/\s|<|"/);
    const request = { token: first.pairs["oauth_token"]!, tokenSecret: first.pairs["oauth_token_secret"]! };

    const yes = await answer(request.token, { oauth_yes: "1" }, `${prefix}authorize`);
    expect(yes.status).toBe(302);
    const target = new URL(yes.location);
    expect(target.href.startsWith("https://app.example/cb?x=1&oauth_token=")).toBe(true);
    expect(target.hash).toBe("#there");
    expect(target.searchParams.get("oauth_token")).toBe(request.token);
    const verifier = target.searchParams.get("oauth_verifier")!;
    expect(verifier).toMatch(/^[0-9a-f]{32}$/);

    const last = await get(request, verifier, { path: `${prefix}access_token`, method, place });
    expect([last.status, last.pairs]).toEqual([
      200,
      {
        oauth_token: word,
        oauth_token_secret: word,
        user_id: String(alma.channel.xchan_id),
        screen_name: "alma",
      },
    ]);
    const secrets = { ...app, token: last.pairs["oauth_token"]!, tokenSecret: last.pairs["oauth_token_secret"]! };
    const order = { path: "/api/account/verify_credentials.json", place: place === "body" ? "query" : place } as const;
    const used = await sendSigned(world.app, world.hub, secrets, order);
    expect([used.status, used.json.screen_name, used.json.id]).toEqual([200, "alma", alma.channel.xchan_id]);
    const posted = await sendSigned(world.app, world.hub, secrets, {
      method: "POST",
      path: "/api/statuses/update.json",
      form: { status: "by an application" },
    });
    expect(posted.json.source).toContain("Crow");
    expect((await get(request, verifier)).pairs["oauth_problem"]).toBe("token_rejected");
  });

  test("with a code to type in", async () => {
    const request = await asked("oob");
    const shown = await answer(request.token, { oauth_yes: "1" });
    expect(shown.status).toBe(200);
    expect((await get(request, ` ${codeIn(shown)} `)).status).toBe(200);
    const other = await asked("oob");
    expect(codeIn(await answer(other.token, { oauth_yes: "1" }))).not.toBe(codeIn(shown));
  });

  test("to the registered address when none is named; to a code when there is none", async () => {
    const request = await asked(undefined, bound);
    const yes = await answer(request.token, { oauth_yes: "1" });
    expect(yes.location).toMatch(/^https:\/\/app\.example\/back\?a=1&oauth_token=\w+&oauth_verifier=\w+$/);
    const none = await asked(undefined);
    expect((await answer(none.token, { oauth_yes: "1" })).status).toBe(200);
    expect((await asked("", bound)).token).toMatch(/^\w+$/);
  });

  test("a no ends it", async () => {
    const away = await asked("myapp://login");
    const no = await answer(away.token, { oauth_no: "1" });
    expect([no.status, no.location]).toEqual([302, `myapp://login?denied=${away.token}`]);
    expect((await get(away, "x")).pairs).toEqual({
      error: `Invalid request token: ${away.token}`,
      oauth_problem: "token_rejected",
    });
    const code = await asked("oob");
    const shown = await answer(code.token, { oauth_no: "1" });
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining("Access was refused")]);
    expect((await get(code, "x")).status).toBe(401);
  });
});

describe("callbacks", () => {
  test.each([
    [bound, "https://app.example/back?a=1", 200],
    [bound, "https://app.example/back?a=1&b=2", 200],
    [bound, "https://APP.example:443/x/../back?a=1#part", 200],
    [bound, "oob", 400],
    [app, "oob", 200],
    [bound, "https://app.example/back?a=12", 400],
    [bound, "https://app.example/back", 400],
    [bound, "https://app.example.evil.example/back?a=1", 400],
    [bound, "https://app.example@evil.example/back?a=1", 400],
    [bound, "http://app.example/back?a=1", 400],
    [app, "http://127.0.0.1:1234/", 200],
    [app, "com.example.app:/callback", 200],
    [app, "myapp:callback", 200],
    [app, "javascript:alert(1)", 400],
    [app, "JavaScript://x/%0aalert(1)", 400],
    [app, " java\nscript:alert(1)", 400],
    [app, "data:text/html,x", 400],
    [app, "vbscript:x", 400],
    [app, "file:///etc/passwd", 400],
    [app, "about:blank", 400],
    [app, "blob:https://x.example/1", 400],
    [app, "FileSystem:https://x.example/a", 400],
    [app, "view-source:https://x.example/", 400],
    [app, "/relative", 400],
    [app, "nonsense", 400],
    [app, `https://app.example/${"a".repeat(2000)}`, 400],
  ])("%j with %s", async (secrets, callback, status) => {
    const { status: found, pairs } = await ask(callback, {}, secrets);
    expect([callback, found]).toEqual([callback, status]);
    if (status === 400) expect(pairs).toEqual({ error: "Callback not allowed", oauth_problem: "callback_rejected" });
  });

  test.each([
    ["https://app.example/cb", "https://app.example/cb/more", 200],
    ["https://app.example/cb", "https://app.example/cb?x", 200],
    ["https://app.example/cb", "https://app.example/cbx", 400],
    ["https://app.example/cb", "https://app.example/cb/../other", 400],
    ["https://app.example/cb", "https://app.example/cb%2f..", 400],
    ["https://app.example/cb/", "https://app.example/cb/x", 200],
    ["https://app.example", "https://app.example/anything", 200],
    ["https://app.example", "https://app.example:8443/", 400],
    ["myapp://", "myapp://anything", 200],
    ["myapp:", "myapp://anything", 200],
    ["myapp:", "myapps://anything", 400],
  ])("registered %s, asked for %s", async (redirect, callback, status) => {
    const key = `k${Math.random()}`;
    await createClient(world.hub, alma.channel.channel_id, { name: "x", key, secret: "s", redirect });
    expect([callback, (await ask(callback, {}, { key, secret: "s" })).status]).toEqual([callback, status]);
  });
});

describe("refusals", () => {
  const without = (name: string) => ({ spoil: (said: Record<string, string>) => void delete said[name] });
  const set = (name: string, value: string) => ({
    spoil: (said: Record<string, string>) => void (said[name] = value),
  });

  test.each([
    [set("oauth_version", "1.1"), 400, "version_rejected", "OAuth version '1.1' not supported"],
    [
      without("oauth_signature_method"),
      400,
      "parameter_absent",
      "No signature method parameter. This parameter is required",
    ],
    [
      set("oauth_signature_method", "RSA-SHA1"),
      400,
      "signature_method_rejected",
      /^Signature method 'RSA-SHA1' not supported try one of the following: HMAC-SHA1/,
    ],
    [without("oauth_timestamp"), 400, "parameter_absent", "Missing timestamp parameter. The parameter is required"],
    [without("oauth_nonce"), 400, "parameter_absent", "Missing nonce parameter. The parameter is required"],
    [set("oauth_timestamp", "1"), 401, "timestamp_refused", /^Expired timestamp, yours 1, ours \d+$/],
    [without("oauth_consumer_key"), 401, "consumer_key_unknown", "Invalid consumer key"],
    [set("oauth_consumer_key", "nobody"), 401, "consumer_key_unknown", "Invalid consumer"],
    [set("oauth_signature", "x"), 401, "signature_invalid", "Invalid signature"],
  ])("%j at both endpoints", async (spoiled, status, problem, text) => {
    const request = await asked("oob");
    await answer(request.token, { oauth_yes: "1" });
    for (const place of ["header", "query"] as const) {
      for (const path of ["/api/oauth/request_token", "/api/oauth/access_token.xml"]) {
        const sent = { path, place, ...spoiled };
        const found = path.includes("request") ? await ask(undefined, sent) : await get(request, "x", sent);
        expect(found.headers.get("content-type")).toBe("application/x-www-form-urlencoded; charset=utf-8");
        expect([path, found.status, found.pairs]).toEqual([
          path,
          status,
          { error: typeof text === "string" ? text : expect.stringMatching(text), oauth_problem: problem },
        ]);
        expect(found.headers.has("www-authenticate")).toBe(status === 401);
      }
    }
  });

  test("a request without anything of OAuth", async () => {
    const { status, text } = await world.anonymous.get("/api/oauth/request_token");
    expect([status, text]).toEqual([
      400,
      "error=No%20signature%20method%20parameter.%20This%20parameter%20is%20required&oauth_problem=parameter_absent",
    ]);
    expect((await alma.get("/api/oauth/access_token")).status).toBe(400);
    expect((await world.anonymous.send("PROPFIND", "/api/oauth/access_token")).status).toBe(405);
  });

  test("the same request once more", async () => {
    const fixed = { nonce: "once" };
    expect((await ask("oob", fixed)).status).toBe(200);
    const second = await ask("oob", fixed);
    expect([second.status, second.pairs]).toEqual([
      401,
      { error: "Nonce already used: once", oauth_problem: "nonce_used" },
    ]);
  });

  test("a token that nobody has agreed to, is unknown, is another's, or came too late", async () => {
    const request = await asked("oob");
    const problemOf = async (token: typeof request, from: Secrets = app): Promise<unknown[]> => {
      const { status, pairs } = await get(token, "12345678", {}, from);
      return [status, pairs["oauth_problem"], pairs["error"]];
    };
    expect(await problemOf(request)).toEqual([401, "permission_unknown", "Token not authorized"]);
    const rejected = (token: string): unknown[] => [401, "token_rejected", `Invalid request token: ${token}`];
    expect(await problemOf({ ...request, token: "nothing" })).toEqual(rejected("nothing"));
    expect(await problemOf(request, bound)).toEqual(rejected(request.token));
    const code = codeIn(await answer(request.token, { oauth_yes: "1" }));
    world.hub.advance(599);
    const late = await asked("oob");
    await answer(late.token, { oauth_yes: "1" });
    world.hub.advance(1);
    expect(await problemOf(request)).toEqual([401, "token_expired", "Expired request token"]);
    expect((await get(request, code)).status).toBe(401);
    expect(await problemOf(late)).toEqual([401, "verifier_invalid", "Invalid verifier"]);
  });

  test("a request token opens nothing else, and an access token is none", async () => {
    const request = await asked("oob");
    const code = codeIn(await answer(request.token, { oauth_yes: "1" }));
    const order = { path: "/api/account/verify_credentials.json" };
    const used = await sendSigned(world.app, world.hub, { ...app, ...request }, order);
    expect([used.status, used.json.error]).toEqual([401, `Invalid access token: ${request.token}`]);
    const { pairs } = await get(request, code);
    const access = { token: pairs["oauth_token"]!, tokenSecret: pairs["oauth_token_secret"]! };
    expect((await get(access, code)).pairs["oauth_problem"]).toBe("token_rejected");
  });

  test("five wrong codes end the token, also when they come together", async () => {
    for (const together of [false, true]) {
      const request = await asked("oob");
      const code = codeIn(await answer(request.token, { oauth_yes: "1" }));
      const wrong = code === "00000000" ? "00000001" : "00000000";
      expect((await get(request)).pairs["oauth_problem"]).toBe("verifier_invalid");
      const tries = Array.from({ length: 5 }, () => () => get(request, wrong));
      const found = together ? await Promise.all(tries.map((run) => run())) : [];
      if (!together) for (const run of tries) found.push(await run());
      expect(found.map(({ pairs }) => pairs["oauth_problem"])).toEqual(found.map(() => "verifier_invalid"));
      expect((await get(request, code)).pairs["oauth_problem"]).toBe("token_rejected");
    }
  });

  test("four wrong codes do not, and the right one works once", async () => {
    const request = await asked("oob");
    const code = codeIn(await answer(request.token, { oauth_yes: "1" }));
    for (let n = 0; n < 4; n++) await get(request, "wrong");
    const found = await Promise.all([1, 2, 3].map(() => get(request, code)));
    expect(found.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  test("xAuth", async () => {
    const form = { x_auth_username: "alma", x_auth_password: password, x_auth_mode: "client_auth" };
    const found = await sendSigned(world.app, world.hub, app, {
      method: "POST",
      path: "/api/oauth/access_token",
      form,
    });
    expect([found.status, found.pairs["error"]]).toEqual([401, "xAuth is not supported"]);
    const asking = { method: "POST", path: "/api/oauth/request_token", form: { x_auth_access_type: "read" } };
    expect((await sendSigned(world.app, world.hub, app, asking)).status).toBe(200);
  });

  test("a channel that is gone by the time", async () => {
    const gone = await world.person("gone");
    const other = visitorOf(world.app);
    await other.logIn("gone", password);
    const request = await asked("oob");
    await other.get(`/oauth/authorize?oauth_token=${request.token}`);
    const code = codeIn(await other.post("/oauth/authorize", { oauth_token: request.token, oauth_yes: "1" }));
    await world.hub.db
      .updateTable("channel")
      .set({ channel_removed: 1 })
      .where("channel_id", "=", gone.channel.channel_id)
      .execute();
    expect((await get(request, code)).status).toBe(401);
  });
});
