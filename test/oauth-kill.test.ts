import { afterAll, beforeAll, expect, test } from "vitest";
import { makePeople, newPlace, serve } from "./support/command.ts";
import type { Place, Serving } from "./support/command.ts";
import { codeIn, sayYes } from "./support/consent.ts";
import { password } from "./support/hub.ts";
import { visitorOf } from "./support/visitor.ts";

/** What an application of OAuth 2 is given survives whatever kills the process, and none of it stands in the log (Mastodon contract 9). */

const back = "crow-app://login";

let place: Place;
beforeAll(async () => {
  place = await newPlace({ HUBBUB_LOG_LEVEL: "debug" });
  await makePeople(place, "anna");
});
afterAll(() => place.remove());

type Given = { status: number; json: Record<string, string> };

async function post(path: string, form: Record<string, string>): Promise<Given> {
  const response = await fetch(place.url + path, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, json: (await response.json()) as Given["json"] };
}

async function statusOf(path: string, token: string): Promise<number> {
  const response = await fetch(place.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

/** Anna's yes, in her browser. */
async function codeOf(app: Record<string, string>): Promise<string> {
  const through = { request: (url: string, init: RequestInit) => fetch(url, { ...init, redirect: "manual" }) };
  const visitor = visitorOf(through, new URL(place.url).host);
  await visitor.logIn("anna", password);
  const query = { response_type: "code", client_id: app["client_id"]!, redirect_uri: back, scope: "read" };
  return codeIn(await sayYes(visitor, `/oauth/authorize?${new URLSearchParams(query).toString()}`));
}

test("kill -9 between code and token, and after it: the code holds once, the token goes on, and the log has neither", async () => {
  let log = "";
  let running = await serve(place);
  const killed = async (one: Serving): Promise<Serving> => {
    expect(await one.stop("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
    log += one.stderr();
    return serve(place);
  };
  const { json: app } = await post("/api/v1/apps", { client_name: "Crow", redirect_uris: back, scopes: "read" });
  const { client_id = "", client_secret = "" } = app;
  const code = await codeOf(app);
  running = await killed(running);
  const exchange = { grant_type: "authorization_code", client_id, client_secret, code, redirect_uri: back };
  const { status, json } = await post("/oauth/token", exchange);
  const token = json["access_token"]!;
  expect([status, json["scope"]]).toEqual([200, "read"]);
  running = await killed(running);
  expect(await statusOf("/api/v1/accounts/verify_credentials", token)).toBe(200);
  expect(await statusOf(`/api/v1/streaming/user?access_token=${token}`, token)).toBe(200);
  const again = await post("/oauth/token", exchange);
  expect([again.status, again.json["error"]]).toEqual([400, "invalid_grant"]);
  // Whoever has a code that was used has it from somebody else, so what it became ends (RFC 6749, 4.1.2).
  expect(await statusOf("/api/v1/accounts/verify_credentials", token)).toBe(401);
  await running.stop();
  log += running.stderr();
  for (const line of ["'POST' '/oauth/token' 200", "'GET' '/api/v1/streaming/user' 200"]) expect(log).toContain(line);
  for (const secret of [client_secret, code, token]) expect(log).not.toContain(secret);
});
