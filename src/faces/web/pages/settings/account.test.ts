import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import { password } from "../../../../../test/support/hub.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { createGuest } from "../../../../domain/connections/connections.ts";
import { findArchivePlace, saveArchivePlace } from "../../../../domain/archives/archive-place.ts";
import { findCaller } from "../../../../domain/identity/accounts/log-in.ts";
import { addWebhook, listWebhooks } from "../../../../domain/webhooks/webhooks.ts";
import { now } from "../../../../hub.ts";
import { zeroDate } from "../../../../storage/sql.ts";
import { createClient } from "../../../../domain/identity/applications/oauth-clients.ts";
import { issueToken } from "../../../../domain/identity/applications/oauth-tokens.ts";
import { browserName } from "../../browser-name.ts";

/** The account page: where somebody is logged in, what acts for them, and how all of it ends. */

const page = "/settings/account";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

let world: TestApp;
let alma: Person;
let writes = 0;
beforeAll(async () => {
  const isWrite = /^(insert|update|delete)/;
  world = await openTestApp({ onQuery: ({ query }) => void (writes += Number(isWrite.test(query.sql))) });
  alma = await world.person("alma");
  await world.person("bruno");
});
afterAll(() => world.close());

async function browserOf(nick: string, agent = firefox, secret = password): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  await visitor.get("/login");
  await visitor.post("/login", { login: nick, password: secret }, { "user-agent": agent });
  return visitor;
}

const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get("/network")).status === 200;
const idsIn = ({ text }: VisitedPage, name: string): string[] =>
  [...text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, "g"))].map((match) => match[1]!);

async function application(): Promise<string> {
  const key = `k${Math.random()}`;
  const client = await createClient(world.hub, 0, { name: "Crow", key, secret: "s" });
  return (await issueToken(world.hub, client, alma.channel.channel_id)).token;
}

const tokens = async (): Promise<string[]> =>
  (await world.hub.db.selectFrom("oauth_token").select("token").execute()).map(({ token }) => token);
const links = async (): Promise<string[]> =>
  (await world.hub.db.selectFrom("atoken").select("atoken_token").execute()).map((row) => row.atoken_token);

test("log-ins are listed with their last use, and each can be ended by its owner alone", async () => {
  const [here, there, bruno] = [await browserOf("alma"), await browserOf("alma", iphone), await browserOf("bruno")];
  world.hub.advance(3 * 3600);
  const shown = await here.get(page);
  expect(shown.text).toMatch(/Firefox \(Linux\)[^]*this browser[^]*Safari \(iPhone\)[^]*3 hours ago/);
  const [id, ...more] = idsIn(shown, "end");
  expect(more).toEqual([]);
  await bruno.get(page);
  const unknown = await bruno.post(`${page}/sessions`, { end: "nobodys" });
  const foreign = await bruno.post(`${page}/sessions`, { end: id! });
  expect([foreign.status, unknown.status, await isIn(there)]).toEqual([404, 404, true]);
  expect((await here.post(`${page}/sessions`, { end: id! })).location).toBe(`${page}?done=ended`);
  expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
});

test("last use is written once an hour", async () => {
  const visitor = await browserOf("alma");
  const writesOf = async (): Promise<number> => {
    const before = writes;
    await visitor.get("/settings");
    return writes - before;
  };
  expect([await writesOf(), await writesOf()]).toEqual([0, 0]);
  world.hub.advance(3600);
  expect([await writesOf(), await writesOf()]).toEqual([1, 0]);
});

test("applications are listed, and each can be ended by its owner alone", async () => {
  const [token, visitor, bruno] = [await application(), await browserOf("alma"), await browserOf("bruno")];
  const shown = await visitor.get(page);
  expect(shown.text).toMatch(/Crow[^]*as Alma[^]*used lately/);
  expect(idsIn(shown, "remove")).toEqual([token]);
  await bruno.get(page);
  expect((await bruno.post(`${page}/applications`, { remove: token })).status).toBe(404);
  expect(await tokens()).toEqual([token]);
  expect((await visitor.post(`${page}/applications`, { remove: token })).location).toBe(`${page}?done=revoked`);
  expect(await tokens()).toEqual([]);
});

describe("a new password", () => {
  const fields = (from: string, to: string) => ({ old_password: from, password: to });

  test("must be a good one", async () => {
    const visitor = await browserOf("alma");
    await visitor.get(page);
    const weak = await visitor.post(page, fields(password, "qwertyuiop"));
    expect([weak.status, /best-known passwords/.test(weak.text)]).toEqual([422, true]);
  });

  test("ends log-ins, applications and links of guests unless they are kept", async () => {
    await createGuest(world.hub, alma.channel, { name: "Gus" });
    const [token, link] = [await application(), await links()];
    const [here, there, bruno] = [await browserOf("alma"), await browserOf("alma"), await browserOf("bruno")];
    await here.get(page);
    const keep = { keep_sessions: "1", keep_applications: "1", keep_guests: "1" };
    const kept = await here.post(page, { ...fields(password, "a newer horse"), ...keep });
    expect(kept.location).toBe(`${page}?done=password`);
    expect([await isIn(here), await isIn(there), await tokens(), await links()]).toEqual([true, true, [token], link]);
    await here.get(page);
    await here.post(page, fields("a newer horse", "the newest horse"));
    expect([await isIn(here), await isIn(there), await tokens()]).toEqual([true, false, []]);
    expect(await links()).toEqual([expect.not.stringMatching(link[0]!)]);
    expect(await isIn(bruno)).toBe(true);
  });
});

test("a new password pauses webhooks and places of archives unless they are kept, and says so", async () => {
  const cora = await world.person("cora");
  const uid = cora.channel.channel_id;
  const [browser, owner] = [await browserOf("cora"), cora.channel.channel_account_id];
  const order = { url: "https://receiver.example/hub", events: ["post.published"] };
  const { webhook } = await addWebhook(world.hub, (await findCaller(world.hub, owner, uid))!, order);
  const place = { kind: "webdav", address: "https://disk.example/a", login: "c", password: "p" } as const;
  await saveArchivePlace(world.hub, uid, { ...place, passphrase: "", region: "", every: "day", keep: 1 });
  const states = async () => [
    (await listWebhooks(world.hub, uid)).map(({ is_on, paused }) => [is_on, paused]),
    (await findArchivePlace(world.hub, uid))!.paused,
  ];
  const open = [[[1, zeroDate]], undefined];
  expect((await browser.get(page)).text).toContain("Webhooks (1) and places of archives (1) go on getting");
  await browser.post(page, { old_password: password, password: "a newer horse", keep_places: "1" });
  expect(await states()).toEqual(open);
  await browser.get(page);
  await browser.post(page, { old_password: "a newer horse", password: "the newest horse" });
  expect(await states()).toEqual([[[0, now(world.hub)]], now(world.hub)]);
  const shown = (await browser.get(page)).text;
  expect(shown).toMatch(/Paused since your password was changed: [^]*\(1\)[^]*\(1\)/);
  expect(shown).not.toContain("keep_places");
  expect((await browser.get("/settings/webhooks")).text).toContain("Paused");
  expect((await browser.get(`/settings/webhooks/${webhook.id}`)).text).toContain(
    "somebody who knew it may have put this address",
  );
  const resumed = await browser.post(`/settings/webhooks/${webhook.id}/do`, { deed: "resume" });
  await browser.get("/settings/archives");
  const made = await browser.post("/settings/archives/now", {});
  expect([resumed.status, made.status, await states()]).toEqual([303, 303, open]);
  expect((await browser.get(page)).text).not.toContain("Paused since");
});

test.each([
  [firefox, "Firefox (Linux)"],
  [iphone, "Safari (iPhone)"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge (Windows)"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36", "Chrome (Linux)"],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome (Android)"],
  ["curl/8.0", ""],
  ["", ""],
])("%s is called %j", (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
