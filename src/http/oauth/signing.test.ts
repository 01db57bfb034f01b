import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { application, escape3986, send, sendSigned, signatureOf, written } from "../../../test/support/oauth.ts";
import type { Order, Secrets } from "../../../test/support/oauth.ts";
import { password } from "../../../test/support/hub.ts";
import { picture } from "../../../test/support/pictures.ts";
import { logIn } from "../../domain/identity/accounts/log-in.ts";
import { createClient } from "../../domain/identity/applications/oauth-clients.ts";
import { findGranted, issueToken } from "../../domain/identity/applications/oauth-tokens.ts";
import { size } from "../../../test/support/size.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

/** Requests that an independent library has signed (microblog contract 6.3). */

let world: TestApp;
let alma: Person;
let crow: Required<Secrets>;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  crow = await application(world.hub, alma.channel);
});
afterAll(() => world.close());

const signed = (order: Order) => sendSigned(world.app, world.hub, crow, order);

const values = {
  status: "Grüße, ☂ & 100% + more = 'all' (or) *nothing*! ~",
  empty: "",
  "odd name[]": ["b", "a b", "a", ""],
  "a~b": "x/y?z",
};

describe.each(["header", "query", "body"] as const)("parameters in the %s", (place) => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("%s", async (method) => {
    if (place === "body" && method === "GET") return;
    const answer = await signed({ method, path: "/api/account/verify_credentials.json", query: values, place });
    expect([answer.status, answer.json?.screen_name ?? answer.text]).toEqual([200, "alma"]);
  });

  test.each(["POST", "PUT"])("%s with a form", async (method) => {
    const answer = await signed({ method, path: "/api/statuses/update.json", form: values, place });
    expect([answer.status, answer.json?.text ?? answer.text]).toEqual([200, values.status]);
    expect(answer.json.source).toContain("Crow");
  });

  test("a form with a query beside it, and in the native API", async () => {
    const order = { method: "POST", query: { pretty: "a b", c: ["2", "1"] }, form: { body: "+ & é", d: "" } };
    const answer = await signed({ ...order, path: "/api/z/1.0/item/update", place });
    expect([answer.status, answer.json?.success ?? answer.text]).toEqual([200, true]);
    // Which program it was is known, whether it says so or not.
    expect(answer.json.item.app).toBe("Crow");
  });
});

test.each(["1.0A", "1.0a"])("version %s, as the common Node library has it", async (version) => {
  const answer = await signed({ path: "/api/account/verify_credentials.json", version });
  expect([answer.status, answer.json?.screen_name ?? answer.text]).toEqual([200, "alma"]);
});

test("an application's caller is who the password stands for, and has nothing of the application's secrets", async () => {
  const once = { key: crow.key, token: crow.token, timestamp: "1", nonce: "n" };
  const { caller } = await findGranted(world.hub, once, "1.n");
  expect(caller).toEqual(await logIn(world.hub, { login: "alma", password, address: "192.0.2.1" }));
});

describe("bodies that no signature covers", () => {
  test.each(["header", "query"] as const)("multipart, with the parameters in the %s", async (place) => {
    const body = new FormData();
    body.append("status", "signed or not");
    body.append("oauth_nonce", "not a parameter of the protocol");
    const answer = await signed({ method: "POST", path: "/api/statuses/update.json", query: { a: "b" }, body, place });
    expect([answer.status, answer.json?.text ?? answer.text]).toEqual([200, "signed or not"]);
  });

  test("a picture is staged after the signature has been found right", async () => {
    const body = new FormData();
    const bytes = await picture(10, 10).png().toBuffer();
    body.append("media", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "a.png");
    body.append("body", "with a picture");
    const answer = await signed({ method: "POST", path: "/api/z/1.0/item/update", body });
    expect([answer.status, answer.json?.success ?? answer.text]).toEqual([200, true]);
    const before = await world.hub.db.selectFrom("attach").select("id").execute();
    const wrong = { ...crow, tokenSecret: "wrong" };
    const order = { method: "POST", path: "/api/z/1.0/item/update", body };
    expect((await sendSigned(world.app, world.hub, wrong, order)).status).toBe(401);
    expect(await world.hub.db.selectFrom("attach").select("id").execute()).toEqual(before);
  });

  test.each([
    ["application/json", '{"status":"from JSON"}', "from JSON"],
    ["text/plain", "status=not read", undefined],
  ])("%s", async (type, body, text) => {
    const headers = { "content-type": type };
    const order = { method: "POST", path: "/api/statuses/update.json", query: { source: "t" }, body, headers };
    const answer = await signed(order);
    if (text === undefined) expect(answer.status).toBe(400);
    else expect([answer.status, answer.json?.text ?? answer.text]).toEqual([200, text]);
  });

  test("a client that signs what it sends in the query and in the form", async () => {
    const both = { status: ["in both", "in both"] };
    const order = { method: "POST", path: "/api/statuses/update.json" };
    const request = written(world.hub, crow, { ...order, form: both });
    const answer = await send(world.app, {
      ...request,
      target: `${request.target}?status=in%20both`,
      body: "status=in%20both",
    });
    expect([answer.status, answer.json?.text ?? answer.text]).toEqual([200, "in both"]);
  });
});

describe("the address", () => {
  test.each([
    "/api/account/verify_credentials",
    "/api/account/verify_credentials.json",
    "/api/account/verify_credentials.xml",
    "/api/1.1/account/verify_credentials.json",
    "/api//account///verify_credentials.json",
    "/api/account/verify_credentials/",
    "/api/statuses/user_timeline/al%6da.json",
    "/api/z/1.0/channel/list",
  ])("%s as it is sent", async (path) => {
    expect([path, (await signed({ path })).status]).toEqual([path, 200]);
  });

  test.each([
    ["http://HUB.example", 200],
    ["http://hub.example:80", 401],
    ["https://hub.example", 401],
    ["http://other.example", 401],
  ])("a client that takes the hub for %s", async (origin, status) => {
    const lower = origin.replace("HUB", "hub");
    const request = written(world.hub, crow, { path: "/api/account/verify_credentials.json", origin: lower });
    expect((await send(world.app, request)).status).toBe(status);
  });

  test("the name by which the request calls the hub counts too", async () => {
    for (const host of ["10.0.0.1:8080", "Hub.Internal", "hub.internal:80"]) {
      const origin = `http://${host.toLowerCase().replace(/:80$/, "")}`;
      const request = written(world.hub, crow, { path: "/api/account/verify_credentials.json", origin });
      const headers = { ...request.headers, host };
      expect([host, (await send(world.app, { ...request, headers })).status]).toEqual([host, 200]);
    }
  });
});

describe("behind a proxy that ends TLS", () => {
  const open = (trusted: boolean) =>
    openTestApp({
      env: { HUBBUB_BASE_URL: "https://social.example", HUBBUB_TRUST_PROXY: trusted ? "on" : "off" },
    });

  test.each([
    [false, "https://social.example", {}, 200],
    [false, "http://127.0.0.1:8080", { host: "127.0.0.1:8080" }, 200],
    [false, "https://127.0.0.1:8080", { host: "127.0.0.1:8080" }, 200],
    [false, "https://alias.example", { "x-forwarded-host": "alias.example", "x-forwarded-proto": "https" }, 401],
    [true, "https://social.example", { "x-forwarded-proto": "http" }, 200],
    [true, "https://alias.example", { "x-forwarded-host": "Alias.example:443", "x-forwarded-proto": "https" }, 200],
    [true, "https://alias.example", { "x-forwarded-proto": "https", host: "alias.example" }, 200],
    [true, "http://alias.example:81", { "x-forwarded-host": "alias.example:81, b", "x-forwarded-proto": "http" }, 200],
  ])("trusted %s: signed for %s, sent with %j", async (trusted, origin, headers, status) => {
    const proxied = await open(trusted);
    const person = await proxied.person("paul");
    const app = await application(proxied.hub, person.channel);
    const path = "/api/account/verify_credentials.json";
    const request = written(proxied.hub, app, { path, origin });
    const answer = await send(proxied.app, { ...request, headers: { ...request.headers, ...headers } }, "http://inner");
    expect(answer.status).toBe(status);
    await proxied.close();
  });
});

describe("PLAINTEXT", () => {
  const path = "/api/account/verify_credentials.json";

  test.each([
    ["http://localhost:8080", {}, 200],
    ["http://127.0.0.1:8080", {}, 200],
    ["http://[::1]:8080", {}, 200],
    ["https://hub.example", {}, 200],
    ["https://hub.example", { "x-forwarded-proto": "http" }, 400],
    ["http://hub.example", {}, 400],
    ["http://localhost.example", {}, 400],
  ])("on %s with %j", async (baseUrl, headers, status) => {
    const site = await openTestApp({ env: { HUBBUB_BASE_URL: baseUrl, HUBBUB_TRUST_PROXY: "on" } });
    const person = await site.person("paul");
    const client = await createClient(site.hub, person.channel.channel_id, {
      name: "Odd",
      key: "odd.key",
      secret: "a&b c+%",
    });
    const { token, secret } = await issueToken(site.hub, client, person.channel.channel_id);
    const odd = { key: client.client_key, secret: client.secret, token, tokenSecret: secret };
    for (const place of ["header", "query"] as const) {
      const order = { path, place, signatureMethod: "PLAINTEXT" as const, headers };
      const answer = await sendSigned(site.app, site.hub, odd, order);
      expect([place, answer.status]).toEqual([place, status]);
      if (status === 400)
        expect(answer.json.error).toBe(
          "Signature method 'PLAINTEXT' not supported try one of the following: HMAC-SHA1",
        );
      const wrong = await sendSigned(site.app, site.hub, { ...odd, tokenSecret: "x" }, order);
      expect([place, wrong.status]).toEqual([place, status === 200 ? 401 : status]);
    }
    await site.close();
  });
});

describe("whatever names and values there are", () => {
  /** Escapes in one of the ways in which clients do. */
  const spelt = fc
    .array(fc.tuple(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("a", "b", "", "é")), fc.nat(3)))
    .map((parts) =>
      parts
        .map(([text, way]) => {
          const whole = encodeURIComponent(text.toWellFormed());
          if (way === 1) return whole.replaceAll("%20", "+");
          if (way === 2) return whole.toLowerCase().replaceAll("%7e", "~");
          return way === 3 ? escape3986(text.toWellFormed()) : whole;
        })
        .join(""),
    );
  const search = fc
    .array(fc.tuple(spelt, fc.option(spelt)), { maxLength: 6 })
    .map((pairs) => pairs.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join("&"))
    .filter((text) => !/oauth/i.test(decodeURIComponent(text)) && !/(^|&)(channel|callback)(%5B|=|&|$)/i.test(text));

  test("the signature is the one that the RFC describes, and covers every byte", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(search, search, fc.nat(), async (query, form, where) => {
        const path = "/api/help/test.json";
        const said = {
          oauth_consumer_key: crow.key,
          oauth_token: crow.token,
          oauth_signature_method: "HMAC-SHA1",
          oauth_timestamp: String(world.hub.clock().getTime() / 1000),
          oauth_nonce: `n${count++}`,
        };
        const all = { ...said, oauth_signature: signatureOf(crow, "POST", path, [query, form], said) };
        const header = Object.entries(all).map(([name, value]) => `${name}="${escape3986(value)}"`);
        const headers = {
          authorization: `OAuth ${header.join(",")}`,
          "content-type": "application/x-www-form-urlencoded",
        };
        const request = { method: "POST", target: `${path}?${query}`, headers, body: form };
        const answer = await send(world.app, request);
        expect([query, form, answer.status]).toEqual([query, form, 200]);

        const place = form.length === 0 ? 0 : where % form.length;
        const other = `${form.slice(0, place)}x${form.slice(place)}`;
        const fresh = { ...all, oauth_nonce: `n${count++}` };
        const spoilt = { ...headers, authorization: headers.authorization.replace(all.oauth_nonce, fresh.oauth_nonce) };
        expect((await send(world.app, { ...request, headers: spoilt })).status).toBe(401);
        const changed = await send(world.app, { ...request, body: other });
        expect([form, other, changed.status]).toEqual([form, other, 401]);
      }),
      { numRuns: size(20, 1000) },
    );
  });
});
