import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { TestApp } from "../../../../test/support/app.ts";
import { makeAccount, password } from "../../../../test/support/hub.ts";
import { openMailbox } from "../../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../../test/support/mailbox.ts";
import { bearerFor, mastodonClient } from "../../../../test/support/mastodon.ts";
import type { MastodonClient } from "../../../../test/support/mastodon.ts";
import { visitorOf } from "../../../../test/support/visitor.ts";
import { accountRoles, findAccount } from "../../../domain/identity/accounts/accounts.ts";
import { callerOf } from "../../../domain/identity/accounts/caller.ts";
import { findChannelByNick } from "../../../domain/identity/channels/channels.ts";
import { changeSite } from "../../../domain/identity/site/site-settings.ts";
import { invite, listInvitations } from "../../../domain/invitations/invitations.ts";
import type { Answer } from "../../../../test/support/client.ts";

/** People who sign up by an application, with what the pages ask for. */

let mailbox: Mailbox;
let world: TestApp;
let app: MastodonClient;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({ env: { HUBBUB_SMTP_URL: mailbox.url } });
  app = mastodonClient(world, await bearerFor(world, undefined));
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

const signUp = (nick: string, more: object = {}, client = app): Promise<Answer> =>
  client.post("/api/v1/accounts", {
    username: nick,
    email: `${nick}@example.org`,
    password,
    agreement: true,
    ...more,
  });
const whoIs = ({ json }: Answer): Promise<Answer> =>
  mastodonClient(world, json.access_token).get("/api/v1/accounts/verify_credentials");

async function confirm(email: string): Promise<string> {
  await world.work();
  const { text } = mailbox.lastTo(email);
  const path = /http:\/\/hub\.example(\/\S+\/[\w-]{43})/.exec(text)![1]!;
  const visitor = visitorOf(world.app);
  await visitor.get(path);
  await visitor.post(path, {});
  return text;
}

test("nobody comes in before the first account, which is the administrator's, and nobody where the hub is closed", async () => {
  const closed = async () => (await signUp("early")).json;
  const told = async () => [
    (await app.get("/api/v2/instance")).json.registrations.enabled,
    (await app.get("/api/v1/instance")).json.registrations,
    (await world.anonymous.get("/api/statusnet/config.json")).json.site.closed,
    (await world.anonymous.get("/nodeinfo/2.0")).json.openRegistrations,
  ];
  await changeSite(world.hub, { registration: "open" });
  expect(await closed()).toEqual({ error: "This action is not allowed" });
  expect(await told()).toEqual([false, false, "true", false]);
  await makeAccount(world.hub, "root@example.org", { roles: accountRoles.administrator });
  const later = new Date(world.hub.clock().getTime() + 61_000);
  world.hub.setClock(later);
  expect(await told()).toEqual([true, true, "false", true]);
  await changeSite(world.hub, { registration: "closed" });
  expect(await closed()).toEqual({ error: "This action is not allowed" });
  expect(await findAccount(world.hub, "early@example.org")).toBeUndefined();
  await changeSite(world.hub, { registration: "open" });
});

test("the token works once the address is confirmed, for all that the application may ask for", async () => {
  const made = await signUp("anna", { locale: "de-AT", time_zone: "Europe/Vienna" });
  expect([made.status, made.json.token_type, made.json.scope]).toEqual([200, "Bearer", "read write follow"]);
  const early = await whoIs(made);
  expect([early.status, early.json.error]).toEqual([403, "Your login is missing a confirmed e-mail address"]);
  expect(await confirm("anna@example.org")).toContain("Adresse");
  const { json } = await whoIs(made);
  expect([json.acct, json.display_name]).toEqual(["anna", "anna"]);
  const { channel_timezone } = (await findChannelByNick(world.hub, "anna"))!;
  expect(channel_timezone).toBe("Europe/Vienna");
});

test("all that is wrong is told at once, each with its field", async () => {
  const { status, json } = await signUp("Instance.Actor", {
    email: "anna@example.org",
    password: "short",
    agreement: "",
  });
  expect([status, Object.entries(json.details).map(([name, [one]]: [string, any]) => [name, one.error])]).toEqual([
    422,
    [
      ["email", "ERR_TAKEN"],
      ["username", "ERR_INVALID"],
      ["password", "ERR_TOO_SHORT"],
      ["agreement", "ERR_ACCEPTED"],
    ],
  ]);
  expect(json.error).toMatch(/^Validation failed: [^,]+(, [^,]+){3,}$/);
  expect(json.details.password[0].description).toContain("10 characters");
  const nothing = await app.post("/api/v1/accounts");
  expect([nothing.status, Object.keys(nothing.json.details)]).toEqual([
    422,
    ["email", "username", "password", "agreement"],
  ]);
  expect((await signUp("anna", { email: "x@example.org" })).json.details.username[0].error).toBe("ERR_TAKEN");
  expect((await signUp("anders", { agreement: "false" })).json.details).toHaveProperty("agreement");
  expect(await findAccount(world.hub, "anders@example.org")).toBeUndefined();
});

test("it is for applications with the right, and not for those that act as somebody", async () => {
  const { channel } = await world.person("bert");
  const answers = [
    await signUp("x", {}, mastodonClient(world, await bearerFor(world, channel))),
    await signUp("x", {}, mastodonClient(world, await bearerFor(world, undefined, "read"))),
    await signUp("x", {}, mastodonClient(world)),
    await signUp("x", {}, mastodonClient(world, "of nobody")),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 401, 401]);
});

test("where sign-ups need approval a reason is asked for, and the token waits; who has an invitation comes in at once", async () => {
  await changeSite(world.hub, { registration: "approval", invitations: "members" });
  expect((await signUp("cara")).json.details).toEqual({
    reason: [{ error: "ERR_BLANK", description: expect.any(String) }],
  });
  const made = await signUp("cara", { reason: "Friends are here" });
  await confirm("cara@example.org");
  expect((await whoIs(made)).json.error).toBe("Your login is currently pending approval");
  expect((await findAccount(world.hub, "cara@example.org"))?.account_reason).toBe("Friends are here");
  const bert = (await findChannelByNick(world.hub, "bert"))!;
  const account = (await findAccount(world.hub, "bert@example.org"))!;
  await invite(world.hub, callerOf(account, bert), { note: "", uses: 1, days: 1 });
  const [{ token } = { token: "" }] = await listInvitations(world.hub, bert.channel_id);
  const invited = await signUp("dana", { invite_code: token });
  await confirm("dana@example.org");
  expect((await whoIs(invited)).json).toMatchObject({ acct: "dana", following_count: 1 });
  const again = await signUp("emil", { invite_code: token });
  expect([again.status, typeof again.json.error]).toEqual([403, "string"]);
});

test("from one network five sign up within an hour, and no more; others go on", async () => {
  const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" } });
  await makeAccount(limited.hub, "root@example.org", { roles: accountRoles.administrator });
  await changeSite(limited.hub, { registration: "open" });
  const client = mastodonClient(limited, await bearerFor(limited, undefined));
  const from = (address: string, nick: string) => {
    const form = { username: nick, email: `${nick}@example.org`, password, agreement: true };
    return client.post("/api/v1/accounts", form, { headers: { "x-forwarded-for": address } });
  };
  for (let n = 0; n < 5; n++) expect((await from("192.0.2.1", `nick${n}`)).status).toBe(200);
  const refused = await from("192.0.2.1", "late");
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 3600]);
  expect(await findAccount(limited.hub, "late@example.org")).toBeUndefined();
  expect((await from("192.0.2.2", "other")).status).toBe(200);
  limited.hub.advance(3600);
  expect((await from("192.0.2.1", "late")).status).toBe(200);
  await limited.close();
});
