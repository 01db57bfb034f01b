import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { basic } from "../../../test/support/client.ts";
import { makeChannel, password } from "../../../test/support/hub.ts";
import { application, headerOf, send, sendSigned, signatureOf, written } from "../../../test/support/oauth.ts";
import type { Order, Place, Secrets, Written } from "../../../test/support/oauth.ts";
import { findAccount, setAccountFlag } from "../../domain/identity/accounts/accounts.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { removeChannel } from "../../domain/connections/remove-channel.ts";
import { createClient, deleteClient } from "../../domain/identity/applications/oauth-clients.ts";
import { createApp } from "../../main.ts";
import { Caches } from "../../caches.ts";
import { sweepOauth } from "../../domain/identity/applications/oauth-sweep.ts";
import { issueToken, revokeToken } from "../../domain/identity/applications/oauth-tokens.ts";
import { size } from "../../../test/support/size.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

/** Signed requests with something wrong, in every place where OAuth's parameters may stand (microblog contract 6.3, 6.4). */

let world: TestApp;
let alma: Person;
let crow: Required<Secrets>;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  crow = await application(world.hub, alma.channel);
});
afterAll(() => world.close());

const signed = (order: Order, secrets: Secrets = crow) => sendSigned(world.app, world.hub, secrets, order);
const seconds = (): number => Math.floor(world.hub.clock().getTime() / 1000);
const places: Place[] = ["header", "query", "body"];
const path = "/api/account/verify_credentials.json";
const methodFor = (place: Place): string => (place === "body" ? "POST" : "GET");

type Spoil = NonNullable<Order["spoil"]>;
const without =
  (...names: string[]): Spoil =>
  (said) => {
    for (const name of names) delete said[name];
  };
const changed =
  (values: Record<string, string | (() => string)>): Spoil =>
  (said) => {
    for (const [name, value] of Object.entries(values)) said[name] = typeof value === "string" ? value : value();
  };

const wrongs: [what: string, spoil: Spoil, status: number, text: string | RegExp][] = [
  ["another version", changed({ oauth_version: "2.0" }), 400, "OAuth version '2.0' not supported"],
  ["a version that only begins so", changed({ oauth_version: "1.0b" }), 400, "OAuth version '1.0b' not supported"],
  ["an empty version", changed({ oauth_version: "" }), 400, "OAuth version '' not supported"],
  ["no method", without("oauth_signature_method"), 400, "No signature method parameter. This parameter is required"],
  [
    "another method",
    changed({ oauth_signature_method: "RSA-SHA1" }),
    400,
    /^Signature method 'RSA-SHA1' not supported try one of the following: HMAC-SHA1/,
  ],
  ["no timestamp", without("oauth_timestamp"), 400, "Missing timestamp parameter. The parameter is required"],
  ["no nonce", without("oauth_nonce"), 400, "Missing nonce parameter. The parameter is required"],
  ["an empty nonce", changed({ oauth_nonce: "" }), 400, "Missing nonce parameter. The parameter is required"],
  ["a nonce of 256 characters", changed({ oauth_nonce: "n".repeat(256) }), 400, "A nonce has at most 255 characters"],
  ["a timestamp that is none", changed({ oauth_timestamp: "now" }), 401, /^Expired timestamp, yours now, ours \d+$/],
  [
    "an old timestamp",
    changed({ oauth_timestamp: () => String(seconds() - 301) }),
    401,
    /^Expired timestamp, yours \d+/,
  ],
  ["one of the future", changed({ oauth_timestamp: () => String(seconds() + 301) }), 401, /^Expired timestamp, yours /],
  ["a negative timestamp", changed({ oauth_timestamp: "-5" }), 401, /^Expired timestamp, yours -5/],
  ["no key", without("oauth_consumer_key"), 401, "Invalid consumer key"],
  ["an empty key", changed({ oauth_consumer_key: "" }), 401, "Invalid consumer key"],
  ["an unknown key", changed({ oauth_consumer_key: "unknown" }), 401, "Invalid consumer"],
  ["no token", without("oauth_token"), 401, "Invalid access token: "],
  ["an unknown token", changed({ oauth_token: "unknown" }), 401, "Invalid access token: unknown"],
  ["no signature", without("oauth_signature"), 401, "Invalid signature"],
  ["an empty signature", changed({ oauth_signature: "" }), 401, "Invalid signature"],
  ["another signature", changed({ oauth_signature: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" }), 401, "Invalid signature"],
  ["a longer signature", (said) => void (said["oauth_signature"] += "="), 401, "Invalid signature"],
  ["another nonce", changed({ oauth_nonce: "other" }), 401, "Invalid signature"],
  ["another timestamp", changed({ oauth_timestamp: () => String(seconds() - 1) }), 401, "Invalid signature"],
  ["a callback that was not signed", changed({ oauth_callback: "oob" }), 401, "Invalid signature"],
  ["a version that was not signed", without("oauth_version"), 401, "Invalid signature"],
  [
    "nothing but a token",
    without("oauth_consumer_key", "oauth_signature_method", "oauth_version"),
    400,
    /^No signature method/,
  ],
];

describe.each(places)("in the %s", (place) => {
  test.each(wrongs)("%s", async (_what, spoil, status, text) => {
    const order = { method: methodFor(place), path, place, spoil };
    const answer = await signed(order);
    expect([answer.status, answer.json]).toEqual([
      status,
      { error: typeof text === "string" ? text : expect.stringMatching(text), code: status, request: path.slice(1) },
    ]);
    if (status === 401)
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Hubbub", OAuth realm="http://hub.example/"');
    const xml = await signed({ ...order, path: path.replace("json", "xml") });
    expect([xml.status, xml.headers.get("content-type")]).toEqual([status, "application/xml; charset=utf-8"]);
    const native = await signed({ ...order, path: "/api/z/1.0/channel/list" });
    expect([native.status, native.json]).toEqual([
      status,
      expect.objectContaining({ success: false, reason: status === 401 ? "unauthorized" : "bad_parameter" }),
    ]);
  });

  test("twice the same parameter", async () => {
    for (const name of ["oauth_nonce", "oauth_token", "oauth_signature", "oauth_version"]) {
      const request = written(world.hub, crow, { method: methodFor(place), path, place });
      const answer = await send(world.app, again(request, place, name));
      expect([answer.status, answer.json.error]).toEqual([400, `Parameter ${name} given more than once`]);
    }
  });

  test("the same request once more", async () => {
    const request = written(world.hub, crow, { method: methodFor(place), path, place });
    expect((await send(world.app, request)).status).toBe(200);
    const answer = await send(world.app, request);
    expect([answer.status, answer.json.error]).toEqual([401, expect.stringMatching(/^Nonce already used: \w+$/)]);
  });

  test("cut off anywhere: a refusal, and never the password instead", async () => {
    const request = written(world.hub, crow, { method: methodFor(place), path, place });
    const whole =
      place === "header"
        ? request.headers["authorization"]!
        : String(place === "query" ? request.target : request.body);
    const first = whole.indexOf("oauth_") + "oauth_consumer_key".length;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first, max: whole.length - 3 }), async (length) => {
        const part = whole.slice(0, length);
        const cut: Written =
          place === "header"
            ? { ...request, headers: { ...request.headers, authorization: part } }
            : place === "query"
              ? { ...request, target: part }
              : { ...request, body: part };
        const answer = await send(world.app, cut);
        expect([part, [400, 401].includes(answer.status)]).toEqual([part, true]);
        if (place === "header") return;
        const headers = { ...cut.headers, authorization: basic(`alma:${password}`) };
        const withPassword = await send(world.app, { ...cut, headers });
        expect([part, withPassword.status]).toEqual([part, answer.status]);
      }),
      { numRuns: size(30, 1000) },
    );
  });

  test("where nobody needs to be known", async () => {
    const answer = await signed({
      method: methodFor(place),
      path: "/api/help/test.json",
      place,
      spoil: without("oauth_nonce"),
    });
    expect(answer.status).toBe(400);
    const wrong = { ...crow, secret: "wrong" };
    expect((await signed({ method: methodFor(place), path: "/api/help/test.json", place }, wrong)).status).toBe(401);
  });

  test("for what only the own password opens", async () => {
    for (const spoil of [undefined, without("oauth_nonce")] as const) {
      const order = { path: "/api/z/1.0/channel/export/basic", place: place === "body" ? "query" : place } as const;
      const answer = await signed({ ...order, ...(spoil && { spoil }) });
      expect([answer.status, answer.json.reason]).toEqual([403, "permission_denied"]);
    }
  });
});

function again(request: Written, place: Place, name: string): Written {
  if (place === "header") {
    const authorization = `${request.headers["authorization"]}, ${name}="1"`;
    return { ...request, headers: { ...request.headers, authorization } };
  }
  if (place === "query") return { ...request, target: `${request.target}&${name}=1` };
  return { ...request, body: `${String(request.body)}&%6F${name.slice(1)}=1` };
}

describe("several places", () => {
  const said = (): Record<string, string> => ({
    oauth_consumer_key: crow.key,
    oauth_token: crow.token,
    oauth_signature_method: "HMAC-SHA1",
    oauth_timestamp: String(seconds()),
    oauth_nonce: randomUUID(),
  });
  const encode = (values: Record<string, string>): string => new URLSearchParams(values).toString();

  test("the header wins over the body, the body over the query; all of them are signed", async () => {
    const other = encode({ oauth_token: "other", oauth_consumer_key: "other" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const ours = said();
    const inHeader = { ...ours, oauth_signature: signatureOf(crow, "POST", path, [other, other], ours) };
    const request = { method: "POST", target: `${path}?${other}`, body: other };
    const answer = await send(world.app, { ...request, headers: { ...headers, authorization: headerOf(inHeader) } });
    expect([answer.status, answer.json.screen_name]).toEqual([200, "alma"]);
    const next = said();
    const inBody = { ...next, oauth_signature: signatureOf(crow, "POST", path, [other], next) };
    const second = await send(world.app, { ...request, headers, body: encode(inBody) });
    expect([second.status, second.json.screen_name]).toEqual([200, "alma"]);
  });

  test("what another place wins over need not be signed", async () => {
    const losing = encode({ oauth_token: "other" });
    const body = `${losing}&include_entities=true`;
    const inHeader = said();
    const headers = (texts: string[]) => ({
      "content-type": "application/x-www-form-urlencoded",
      authorization: headerOf({ ...inHeader, oauth_signature: signatureOf(crow, "POST", path, texts, inHeader) }),
    });
    const request = { method: "POST", target: path, body };
    expect((await send(world.app, { ...request, headers: headers([]) })).status).toBe(401);
    const answer = await send(world.app, { ...request, headers: headers(["include_entities=true"]) });
    expect([answer.status, answer.json.screen_name]).toEqual([200, "alma"]);
  });

  test("what is not OAuth's in the header does not count", async () => {
    const request = written(world.hub, crow, { path });
    const authorization = `${request.headers["authorization"]}, screen_name="x", x="y"`;
    expect((await send(world.app, { ...request, headers: { authorization } })).status).toBe(200);
  });

  test.each([
    ["oauth", (text: string) => text.replace("OAuth", "oauth")],
    ["without spaces", (text: string) => text.replaceAll(", oauth", ",oauth")],
    ["with line ends", (text: string) => text.replaceAll(", oauth", ",   oauth")],
    ["without quotes", (text: string) => text.replace(/"(?!any)([^"]*)"(?=,|$)/g, "$1").replace("any, realm", "r")],
  ])("a header written in another way: %s", async (_what, rewrite) => {
    const request = written(world.hub, crow, { path });
    const headers = { authorization: rewrite(request.headers["authorization"]!) };
    expect((await send(world.app, { ...request, headers })).status).toBe(200);
  });
});

describe("the order of checks", () => {
  test("path and method come first, parameters last", async () => {
    const spoil = without("oauth_signature");
    expect((await signed({ path: "/api/nowhere.json", spoil })).status).toBe(404);
    expect((await signed({ path: "/api/statuses/update.json", spoil })).status).toBe(405);
    expect((await signed({ path: "/api/statuses/show.json", query: { id: "999" }, spoil })).status).toBe(401);
    expect((await signed({ path: "/api/statuses/show.json", query: { id: "999" } })).status).toBe(404);
  });

  test("a wrong signature does not use up the nonce", async () => {
    const request = written(world.hub, crow, { path });
    const spoilt = request.headers["authorization"]!.replace(/oauth_signature="[^"]*"/, 'oauth_signature="x"');
    expect((await send(world.app, { ...request, headers: { authorization: spoilt } })).status).toBe(401);
    expect((await send(world.app, request)).status).toBe(200);
  });

  test("browsers get no challenge that makes them ask for a password", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await signed({ path, headers, spoil: without("oauth_signature") });
    expect(answer.headers.get("www-authenticate")).toBe('OAuth realm="http://hub.example/"');
    const none = await world.anonymous.get(path);
    expect(none.headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
  });
});

describe("tokens", () => {
  test("are bound to their client", async () => {
    const other = await application(world.hub, alma.channel, "Other");
    const mixed = { ...crow, token: other.token, tokenSecret: other.tokenSecret };
    const answer = await signed({ path }, mixed);
    expect([answer.status, answer.json.error]).toEqual([401, `Invalid access token: ${other.token}`]);
  });

  test("are bound to their channel", async () => {
    const account = (await findAccount(world.hub, "alma@example.org"))!;
    await createChannel(world.hub, account, { nick: "second", name: "Second" });
    for (const prefix of ["/api/", "/api/z/1.0/"]) {
      const order = { path: prefix === "/api/" ? path : `${prefix}channel/list` };
      expect((await signed({ ...order, query: { channel: "Alma" } })).status).toBe(200);
      for (const channel of ["second", "nobody"]) {
        const answer = await signed({ ...order, query: { channel } });
        expect([channel, answer.status]).toEqual([channel, 403]);
      }
    }
  });

  test("end when they are revoked, and with their client", async () => {
    const app = await application(world.hub, alma.channel, "Gone");
    await revokeToken(world.hub, alma.channel.channel_account_id, app.token);
    expect((await signed({ path }, app)).status).toBe(401);
    const next = await application(world.hub, alma.channel, "Gone too");
    await deleteClient(world.hub, alma.channel.channel_id, next.key);
    const answer = await signed({ path }, next);
    expect([answer.status, answer.json.error]).toEqual([401, "Invalid consumer"]);
  });

  test("end with the channel, and its clients with them", async () => {
    const channel = await makeChannel(world.hub, "leaving");
    const own = await application(world.hub, channel, "Leaving");
    const byOther = await createClient(world.hub, alma.channel.channel_id, { name: "x", key: "by-other", secret: "s" });
    const given = await issueToken(world.hub, byOther, channel.channel_id);
    await removeChannel(world.hub, channel.channel_id);
    expect((await signed({ path }, own)).json.error).toBe("Invalid consumer");
    const left = { key: "by-other", secret: "s", token: given.token, tokenSecret: given.secret };
    expect((await signed({ path }, left)).json.error).toBe(`Invalid access token: ${given.token}`);
    const rows = await world.hub.db
      .selectFrom("oauth_token")
      .select("id")
      .where("uid", "=", channel.channel_id)
      .execute();
    expect(rows).toEqual([]);
  });

  test("do nothing while the account is blocked", async () => {
    const blocked = await world.person("blocked");
    const app = await application(world.hub, blocked.channel, "Waiting");
    const { account_id } = (await findAccount(world.hub, "blocked@example.org"))!;
    await setAccountFlag(world.hub, account_id, "blocked", true);
    expect((await signed({ path }, app)).json.error).toBe(`Invalid access token: ${app.token}`);
    await setAccountFlag(world.hub, account_id, "blocked", false);
    expect((await signed({ path }, app)).status).toBe(200);
  });

  test("live for a year from their last use, which is written down once a day", async () => {
    const late = await openTestApp();
    const paul = await late.person("paul");
    const app = await application(late.hub, paul.channel);
    const use = async (): Promise<number> => (await sendSigned(late.app, late.hub, app, { path })).status;
    const expires = async (): Promise<string> =>
      (await late.hub.db.selectFrom("oauth_token").select("expires").executeTakeFirstOrThrow()).expires;
    const first = await expires();
    expect(first).toBe("2027-03-01 12:00:00");
    late.hub.advance(24 * 3600 - 1);
    expect([await use(), await expires()]).toEqual([200, first]);
    late.hub.advance(1);
    expect([await use(), await expires()]).toEqual([200, "2027-03-02 12:00:00"]);
    late.hub.advance(365 * 24 * 3600 - 1);
    expect([await use(), await expires()]).toEqual([200, "2028-03-01 11:59:59"]);
    late.hub.advance(365 * 24 * 3600);
    const answer = await sendSigned(late.app, late.hub, app, { path });
    expect([answer.status, answer.json.error]).toEqual([401, "Expired access token"]);
    await sweepOauth(late.hub);
    expect((await sendSigned(late.app, late.hub, app, { path })).json.error).toBe("Expired access token");
    late.hub.advance(3601);
    await sweepOauth(late.hub);
    expect((await sendSigned(late.app, late.hub, app, { path })).json.error).toBe(`Invalid access token: ${app.token}`);
    await late.close();
  });
});

describe("nonces", () => {
  test("of requests that change something outlive the process, and are swept", async () => {
    const order = { method: "POST", path: "/api/z/1.0/item/update", form: { body: "only once" } };
    const request = written(world.hub, crow, order);
    const nonces = () => world.hub.db.selectFrom("oauth_nonce").selectAll().execute();
    await sweepOauth(world.hub);
    const before = (await nonces()).length;
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(world.app, request)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 401, 401, 401]);
    expect((await nonces()).length).toBe(before + 1);
    await signed({ path });
    expect((await nonces()).length).toBe(before + 1);
    world.hub.advance(601);
    await sweepOauth(world.hub);
    expect(await nonces()).toEqual([]);
  });

  test("of requests that change something count for other processes at once, however the request went", async () => {
    const other = createApp({ ...world.hub, caches: new Caches() });
    const everywhere = async (order: Order, secrets: Secrets = crow): Promise<number[]> => {
      const request = written(world.hub, secrets, { method: "POST", ...order });
      const answers = await Promise.all([world.app, other, world.app, other].map((app) => send(app, request)));
      return answers.map((answer) => answer.status).toSorted();
    };
    const body = "one of two processes";
    expect(await everywhere({ path: "/api/z/1.0/item/update", form: { body } })).toEqual([200, 401, 401, 401]);
    expect(await everywhere({ path: "/api/statuses/destroy/999999.json" })).toEqual([401, 401, 401, 404]);
    const { key, secret } = crow;
    const asking: Order = { path: "/api/oauth/request_token", more: { oauth_callback: "oob" } };
    expect(await everywhere(asking, { key, secret })).toEqual([200, 401, 401, 401]);
    const found = await world.hub.db.selectFrom("message").select("id").where("body", "=", body).execute();
    expect(found.length).toBe(1);
    // A text that is laid out in a thread, for which a transaction is undone and runs again.
    const [first] = found;
    const item = await world.hub.db
      .selectFrom("item")
      .select("id")
      .where("message_id", "=", first!.id)
      .executeTakeFirstOrThrow();
    const edit = { post_id: String(item.id), body: "A long text. ".repeat(1000) };
    expect(await everywhere({ path: "/api/z/1.0/item/update", form: edit })).toEqual([200, 401, 401, 401]);
    const edited = await world.hub.db
      .selectFrom("message")
      .select("revision")
      .where("id", "=", first!.id)
      .executeTakeFirst();
    expect(edited).toEqual({ revision: 1 });
  });

  test("belong to the client, the token and the second", async () => {
    const other = await application(world.hub, alma.channel, "Same nonce");
    const nonce = "the-same";
    for (const secrets of [crow, other]) {
      const request = written(world.hub, secrets, { path, nonce });
      expect((await send(world.app, request)).status).toBe(200);
      expect((await send(world.app, request)).status).toBe(401);
    }
    world.hub.advance(1);
    expect((await send(world.app, written(world.hub, crow, { path, nonce }))).status).toBe(200);
  });
});

describe("too many failures", () => {
  test("are refused as too many log-ins are, and a wrong clock is none", async () => {
    const strict = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
    const paul = await strict.person("paul");
    const app = await application(strict.hub, paul.channel);
    const wrong = { ...app, secret: "wrong" };
    const stale: Spoil = changed({ oauth_timestamp: "1" });
    for (let n = 0; n < 120; n++) await sendSigned(strict.app, strict.hub, app, { path, spoil: stale });
    for (let n = 0; n < 100; n++) {
      expect((await sendSigned(strict.app, strict.hub, wrong, { path })).status).toBe(401);
    }
    const answer = await sendSigned(strict.app, strict.hub, app, { path });
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    strict.hub.advance(601);
    expect((await sendSigned(strict.app, strict.hub, app, { path })).status).toBe(200);
    await strict.close();
  });
});

test("odd headers are refused and never a fault", async () => {
  const odd = fc.oneof(
    fc.constantFrom(
      "OAuth",
      "OAuth ",
      "OAuth ,,,",
      "OAuth =",
      'OAuth oauth_nonce="',
      "OAuth oauth_token=%zz",
      "OAuth oauth_token=%00",
    ),
    fc
      .dictionary(
        fc.constantFrom(
          "oauth_consumer_key",
          "oauth_token",
          "oauth_signature_method",
          "oauth_timestamp",
          "oauth_nonce",
          "oauth_version",
        ),
        fc.oneof(
          fc.constantFrom(crow?.key ?? "", "HMAC-SHA1", "1.0", String(Date.UTC(2026, 2, 1, 12) / 1000)),
          fc.string({ unit: anyCharacter }),
        ),
      )
      .map((said) =>
        headerOf(Object.fromEntries(Object.entries(said).map(([name, value]) => [name, value.toWellFormed()]))),
      ),
  );
  await fc.assert(
    fc.asyncProperty(odd, async (authorization) => {
      const { status } = await send(world.app, { method: "GET", target: path, headers: { authorization }, body: null });
      expect([authorization, [400, 401].includes(status)]).toEqual([authorization, true]);
    }),
    { numRuns: size(30, 1000) },
  );
});
