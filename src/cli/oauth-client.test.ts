import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hubbub, hubbubJson, makePeople, newPlace, serve } from "../../test/support/command.ts";
import type { Place, Serving } from "../../test/support/command.ts";
import { written } from "../../test/support/oauth.ts";
import type { Order, Secrets } from "../../test/support/oauth.ts";

/** The operator's way to an application, and what it can do with a hub that runs. */

type Made = { key: string; secret: string; token?: string; token_secret?: string };

let place: Place;
beforeAll(async () => {
  place = await newPlace();
  await makePeople(place, "alice");
});
afterAll(() => place.remove());

const create = (...more: string[]) => ["oauth-client", "create", "--name", "My app", ...more];

async function send(secrets: Secrets, order: Order, at: Place = place): Promise<Response> {
  const { method, target, headers, body } = written({ clock: () => new Date() }, secrets, { ...order, origin: at.url });
  return fetch(at.url + target, { method, headers, ...(body !== undefined && { body }) });
}

function secretsOf(made: Made): Secrets {
  return { key: made.key, secret: made.secret, token: made.token!, tokenSecret: made.token_secret! };
}

describe("oauth-client", () => {
  test("create prints key and secret, and a token when asked", async () => {
    const word = expect.stringMatching(/^[A-Za-z0-9]{16}$/);
    const long = expect.stringMatching(/^[0-9a-f]{32,}$/);
    expect(await hubbubJson(place, ...create("--channel", "alice"))).toEqual({ key: word, secret: word });
    const callback = ["--callback", "https://app.example/back"];
    expect(await hubbubJson(place, ...create("--channel", "alice", "--with-token", ...callback))).toEqual({
      key: word,
      secret: word,
      token: long,
      token_secret: long,
    });
    const { stdout } = await hubbub(place, create("--channel", "alice", "--with-token"));
    expect(stdout).toMatch(/^key: \w{16}\nsecret: \w{16}\ntoken: \w{32}\ntoken secret: \w{32}\n$/);
  });

  test("create makes one for OAuth 2, with what it may do", async () => {
    const word = expect.stringMatching(/^[\w-]{43}$/);
    expect(await hubbubJson(place, ...create("--oauth2"))).toEqual({ client_id: word, client_secret: word });
    const order = create("--oauth2", "--channel", "alice", "--with-token", "--scopes", "read write:statuses");
    expect(await hubbubJson(place, ...order)).toEqual({ client_id: word, client_secret: word, token: word });
  });

  test.each([
    [create("--scopes", "read"), /--oauth2/],
    [create("--oauth2", "--scopes", "everything"), /^Scopes do not name anything/],
    [create("--oauth2", "--callback", "javascript:alert(1)"), /redirect/i],
    [create("--oauth2", "--with-token"), /--channel/],
    [create("--channel", "nobody"), "Channel nobody not found."],
    [create("--channel", "alice", "--callback", "nowhere"), /^The callback is an address/],
    [create("--channel", "alice", "--callback", "javascript:alert(1)"), /^The callback is an address/],
    [["oauth-client", "create", "--channel", "alice", "--name", " "], "Name is required"],
    [create("--with-token"), /--channel/],
    [["oauth-client", "delete", "unknown", "--channel", "alice"], "This application cannot be edited."],
  ])("%j is refused in one sentence", async (args, sentence) => {
    const { code, stderr, stdout } = await hubbub(place, args);
    expect([code, stdout]).toEqual([expect.any(Number), ""]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n").length).toBeLessThan(3);
  });

  test("list and delete, for a channel and for the hub", async () => {
    const { key } = await hubbubJson<Made>(place, ...create());
    const list = () => hubbubJson<{ key: string }[]>(place, "oauth-client", "list");
    expect((await list()).map((one) => one.key)).toEqual([key]);
    expect((await hubbub(place, ["oauth-client", "list"])).stdout).toContain("My app");
    const outcome = await hubbub(place, ["oauth-client", "delete", key, "--channel", "alice"]);
    expect(outcome.code).toBeGreaterThan(0);
    expect(await hubbubJson(place, "oauth-client", "delete", key)).toMatchObject({ key, deleted: true });
    expect(await list()).toEqual([]);
  });
});

describe("a hub that runs", () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await serve(place);
  });
  afterAll(() => serving.stop());

  test("knows the application at once, over a socket", async () => {
    const secrets = secretsOf(await hubbubJson<Made>(place, ...create("--channel", "alice", "--with-token")));
    for (const where of ["header", "query", "body"] as const) {
      const method = where === "body" ? "POST" : "GET";
      const answer = await send(secrets, { method, path: "/api/account/verify_credentials.json", place: where });
      expect([where, answer.status, await answer.json()]).toMatchObject([where, 200, { screen_name: "alice" }]);
    }
    const odd = await send(secrets, { path: "/api//1.1/account/verify_credentials/", query: { a: "b c" } });
    expect(odd.status).toBe(200);
  });

  test("refuses a write that it has seen before it was killed, and posts once", async () => {
    const secrets = secretsOf(await hubbubJson<Made>(place, ...create("--channel", "alice", "--with-token")));
    const order = { method: "POST", path: "/api/z/1.0/item/update", form: { body: "only once" } };
    const request = written({ clock: () => new Date() }, secrets, { ...order, origin: place.url });
    const again = (): Promise<Response> =>
      fetch(place.url + request.target, { method: "POST", headers: request.headers, body: request.body as string });
    expect((await again()).status).toBe(200);
    expect((await again()).status).toBe(401);
    await serving.stop("SIGKILL");
    serving = await serve(place);
    const refused = await again();
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      401,
      expect.stringMatching(/^Nonce already used: /),
    ]);
  });
});
