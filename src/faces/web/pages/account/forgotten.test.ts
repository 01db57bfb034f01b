import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { makeAccount, password } from "../../../../../test/support/hub.ts";
import { openMailbox } from "../../../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../../../test/support/mailbox.ts";
import { visitorOf, withoutTokens } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { createClient } from "../../../../domain/identity/applications/oauth-clients.ts";
import { issueToken } from "../../../../domain/identity/applications/oauth-tokens.ts";
import { findCaller } from "../../../../domain/identity/accounts/log-in.ts";
import { addWebhook } from "../../../../domain/webhooks/webhooks.ts";
import { setAccountFlag, setLanguage } from "../../../../domain/identity/accounts/accounts.ts";
import { listJobs } from "../../../../jobs/operate.ts";

/** Forgotten passwords: a link by mail, which works once, for an hour, and tells nobody who has an account here. */

let mailbox: Mailbox;
let world: TestApp;
const statements: string[] = [];
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({
    env: { HUBBUB_SMTP_URL: mailbox.url, HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" },
    onQuery: ({ query }) => void statements.push(query.sql),
  });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

const better = "a battery of staples";

async function ask(email: string, address = "192.0.2.1"): Promise<VisitedPage> {
  const visitor = from(address);
  await visitor.get("/login/forgotten");
  return visitor.post("/login/forgotten", { email });
}

/** A visitor whose requests come from that address. */
function from(address: string): Visitor {
  const app = {
    request: (url: string, init: RequestInit) =>
      world.app.request(url, { ...init, headers: { ...(init.headers as object), "x-forwarded-for": address } }),
  };
  return visitorOf(app);
}

async function linkFor(email: string): Promise<string> {
  await world.work();
  const { text } = mailbox.lastTo(email);
  return /http:\/\/hub\.example(\/login\/new-password\/[\w-]{43})/.exec(text)![1]!;
}

test("a link by mail leads to a new password, once; browsers and applications lose their access, and the owner is told", async () => {
  const alma = await world.person("alma");
  const browser = visitorOf(world.app);
  await browser.logIn("alma", password);
  const caller = (await findCaller(world.hub, alma.channel.channel_account_id, alma.channel.channel_id))!;
  await addWebhook(world.hub, caller, { url: "https://receiver.example/hub", events: ["post.published"] });
  const client = await createClient(world.hub, 0, { name: "Crow", key: "k", secret: "s" });
  await issueToken(world.hub, client, alma.channel.channel_id);
  expect((await from("192.0.2.1").get("/login")).text).toContain('href="/login/forgotten"');
  expect((await ask(" ALMA@example.org")).text).toContain("an e-mail is on its way");
  const link = await linkFor("alma@example.org");
  const stored = await world.hub.db.selectFrom("account_token").selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(link.split("/").at(-1));
  expect(await world.hub.db.selectFrom("letter").selectAll().execute()).toEqual([]);
  const visitor = from("192.0.2.2");
  expect((await visitor.get(link)).text).toContain("Choose a new password");
  expect((await visitor.post(link, { password: "short" })).status).toBe(422);
  expect((await visitor.post(link, { password: better })).location).toBe("/login?done=password");
  expect((await browser.get("/network")).status).toBe(303);
  expect(await world.hub.db.selectFrom("oauth_token").selectAll().execute()).toEqual([]);
  expect((await visitor.logIn("alma", password)).status).toBe(422);
  expect((await visitor.logIn("alma", better)).location).toBe("/network");
  await world.work();
  const { headers, text } = mailbox.lastTo("alma@example.org");
  expect(headers["subject"]).toBe("Your password for Hubbub was changed");
  expect(text.replaceAll(/\s+/g, " ")).toContain("Nothing goes to your webhooks (1) and places of archives (0)");
  expect(await world.hub.db.selectFrom("webhook").select("is_on").execute()).toEqual([{ is_on: 0 }]);
  for (const again of [await from("192.0.2.3").get(link), await from("192.0.2.3").get(`${link.slice(0, -1)}_`)])
    expect([again.status, again.text.includes("no longer works")]).toEqual([404, true]);
});

test("mails speak the language in which they were asked for, unless the account has chosen another", async () => {
  const { channel } = await world.person("greta");
  const german = { "accept-language": "de" };
  const visitor = from("192.0.2.7");
  const asked = async (): Promise<string> => {
    await visitor.get("/login/forgotten");
    await visitor.post("/login/forgotten", { email: "greta@example.org" }, german);
    await world.work();
    return mailbox.lastTo("greta@example.org").text;
  };
  expect(await asked()).toContain("Neues Passwort wählen");
  const link = await linkFor("greta@example.org");
  await visitor.get(link);
  const refused = (await visitor.post(link, { password: "short" }, german)).text;
  expect(refused).toContain("Ein Passwort hat mindestens 10 Zeichen.");
  expect((await visitor.post(link, { password: better }, german)).location).toBe("/login?done=password");
  await world.work();
  expect(mailbox.lastTo("greta@example.org").text).toContain("Das Passwort deines Kontos bei Hubbub wurde geändert.");
  await setLanguage(world.hub, channel.channel_account_id, "fr");
  expect(await asked()).toContain("Choisir un nouveau mot de passe");
});

test("answer and statements are the same for those who have an account, those who have none, and those who are locked out", async () => {
  await world.person("bruno");
  const locked = await makeAccount(world.hub, "locked@example.org");
  await setAccountFlag(world.hub, locked.account_id, "blocked", true);
  const emails = ["bruno@example.org", "nobody@example.org", "locked@example.org", "nul\0@example.org"];
  const answers = [];
  for (const email of emails) {
    statements.length = 0;
    const { status, text, headers } = await ask(email, "192.0.2.9");
    answers.push({ status, text: withoutTokens(text), length: headers.get("content-length"), sql: [...statements] });
  }
  for (const other of answers.slice(1)) expect(other).toEqual(answers[0]);
  const before = mailbox.received.length;
  await world.work();
  expect(mailbox.received.slice(before).map(({ to }) => to)).toEqual([["bruno@example.org"]]);
});

test("an address gets three mails an hour, and a network may ask twenty times", async () => {
  await world.person("clara");
  const before = mailbox.received.length;
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await ask("clara@example.org", "192.0.2.77")).status);
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  expect((await ask("clara@example.org", "198.51.100.1")).status).toBe(200);
  await world.work();
  expect(mailbox.received.slice(before)).toHaveLength(3);
  world.hub.advance(3601);
  await ask("clara@example.org", "192.0.2.77");
  await world.work();
  expect(mailbox.received.slice(before)).toHaveLength(4);
});

test("a link holds for an hour, and a change of the password ends it", async () => {
  await world.person("dora");
  await ask("dora@example.org", "203.0.113.1");
  const late = await linkFor("dora@example.org");
  const visitor = from("203.0.113.1");
  await visitor.get(late);
  world.hub.advance(3600);
  expect((await visitor.post(late, { password: better })).status).toBe(422);
  await ask("dora@example.org", "203.0.113.1");
  const link = await linkFor("dora@example.org");
  await visitor.logIn("dora", password);
  await visitor.get("/settings/account");
  await visitor.post("/settings/account", { old_password: password, password: "words of another kind" });
  expect((await from("203.0.113.2").get(link)).status).toBe(404);
});

test("without a mail server the page says so, and nothing is queued", async () => {
  const hub = { ...world.hub, config: { ...world.hub.config, mail: undefined } };
  const { createApp } = await import("../../../../main.ts");
  const visitor = visitorOf(createApp(hub));
  expect((await visitor.get("/login/forgotten")).text).toContain("This hub sends no mail");
  await visitor.get("/login");
  expect((await visitor.post("/login/forgotten", { email: "alma@example.org" })).text).toContain("sends no mail");
  expect(await listJobs(world.hub, false)).not.toEqual(
    expect.arrayContaining([expect.objectContaining({ name: "forgotten-password" })]),
  );
});
