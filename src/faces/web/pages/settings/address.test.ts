import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { put } from "../../../../../test/support/files.ts";
import { makeAccount, password } from "../../../../../test/support/hub.ts";
import { openMailbox } from "../../../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../../../test/support/mailbox.ts";
import { befriend } from "../../../../../test/support/people.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { accountRoles, findAccount } from "../../../../domain/identity/accounts/accounts.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { leaveFor } from "../../../../domain/identity/channels/moved.ts";
import { offeredCodeApp } from "../../../../domain/identity/factors/code-app.ts";
import { totpCode, totpStepAt } from "../../../../domain/identity/factors/totp.ts";
import { createGuest } from "../../../../domain/connections/guests.ts";
import { changeSite } from "../../../../domain/identity/site/site-settings.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { keepSketch } from "../../../../domain/items/posting/sketches.ts";
import { createRoom } from "../../../../domain/messages/room-change.ts";
import { say } from "../../../../domain/messages/rooms.ts";
import { sendMessage } from "../../../../domain/messages/send.ts";
import { createApp } from "../../../../main.ts";

/** Addresses of accounts are confirmed by mail, at sign-up and when they change; and how accounts end. */

let mailbox: Mailbox;
let world: TestApp;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({ env: { HUBBUB_SMTP_URL: mailbox.url } });
  await makeAccount(world.hub, "root@example.org", { roles: accountRoles.administrator });
  await changeSite(world.hub, { registration: "open" });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

async function linkTo(email: string): Promise<string> {
  await world.work();
  return /http:\/\/hub\.example(\/\S+\/[\w-]{43})/.exec(mailbox.lastTo(email).text)![1]!;
}

async function join(nick: string): Promise<VisitedPage> {
  const visitor = visitorOf(world.app);
  await visitor.get("/register");
  return visitor.post("/register", { email: `${nick}@example.org`, password, nick, name: nick });
}

async function loggedIn(nick: string, secret = password): Promise<Visitor> {
  const visitor = visitorOf(world.app);
  expect((await visitor.logIn(nick, secret)).location).toBe("/network");
  return visitor;
}

async function press(path: string): Promise<VisitedPage> {
  const visitor = visitorOf(world.app);
  await visitor.get(path);
  return visitor.post(path, {});
}

describe("at sign-up", () => {
  test("an account can be used once its address is confirmed, by a link that works once", async () => {
    const joined = await join("anna");
    expect([joined.location, joined.text.includes("An e-mail is on its way to anna@example.org")]).toEqual(["", true]);
    const refused = await visitorOf(world.app).logIn("anna", password);
    expect([refused.status, refused.text.includes("once its address is confirmed")]).toEqual([422, true]);
    const link = await linkTo("anna@example.org");
    expect((await visitorOf(world.app).get(link)).text).toContain("This address is mine");
    expect((await visitorOf(world.app).logIn("anna", password)).status).toBe(422);
    expect((await press(link)).location).toBe("/login?done=confirmed");
    await loggedIn("anna");
    for (const again of [link, `${link.slice(0, -1)}_`])
      expect((await visitorOf(world.app).get(again)).status).toBe(404);
  });

  test("a link holds for a week, and a new password by mail confirms as well", async () => {
    await join("bela");
    const link = await linkTo("bela@example.org");
    world.hub.advance(7 * 24 * 3600);
    expect((await visitorOf(world.app).get(link)).status).toBe(404);
    const visitor = visitorOf(world.app);
    await visitor.get("/login/forgotten");
    await visitor.post("/login/forgotten", { email: "bela@example.org" });
    const way = await linkTo("bela@example.org");
    await visitor.get(way);
    await visitor.post(way, { password: "another horse" });
    await loggedIn("bela", "another horse");
  });

  test("without a mail server an account works at once", async () => {
    const app = createApp({ ...world.hub, config: { ...world.hub.config, mail: undefined } });
    const visitor = visitorOf(app);
    await visitor.get("/register");
    const joined = await visitor.post("/register", { email: "cleo@example.org", password, nick: "cleo", name: "C" });
    expect(joined.location).toBe("/welcome");
  });
});

describe("another address", () => {
  const page = "/settings/account/address";

  test("counts once its link was opened; the old one is told twice, and its links work no more", async () => {
    await world.person("dora");
    const visitor = await loggedIn("dora");
    await visitor.get(page);
    expect((await visitor.post(page, { email: "d@example.net", password: "wrong horse" })).status).toBe(422);
    expect((await visitor.post(page, { email: "root@example.org", password })).status).toBe(422);
    expect((await visitor.post(page, { email: " D@Example.net ", password })).text).toContain("Check your e-mail");
    await world.work();
    expect(mailbox.lastTo("dora@example.org").text).toContain("wants another address");
    expect((await findAccount(world.hub, "dora@example.org"))?.account_email).toBe("dora@example.org");
    const link = await linkTo("d@example.net");
    expect((await visitorOf(world.app).get(link)).text).toContain("You log in with d@example.net");
    const stale = visitorOf(world.app);
    await stale.get("/login/forgotten");
    await stale.post("/login/forgotten", { email: "dora@example.org" });
    const old = await linkTo("dora@example.org");
    expect((await press(link)).text).toContain("Your address is changed");
    await world.work();
    expect(mailbox.lastTo("dora@example.org").text).toContain("no longer the address");
    for (const gone of [link, old]) expect((await visitorOf(world.app).get(gone)).status).toBe(404);
    expect((await visitor.get("/settings/account")).text).toContain("d@example.net");
    await loggedIn("d@example.net");
    expect((await visitorOf(world.app).logIn("dora@example.org", password)).status).toBe(422);
  });

  test("is refused when somebody else has it by then, and after a day", async () => {
    await world.person("edda");
    const visitor = await loggedIn("edda");
    const ask = async (email: string): Promise<string> => {
      await visitor.get(page);
      await visitor.post(page, { email, password });
      return linkTo(email);
    };
    const taken = await ask("e@example.net");
    await makeAccount(world.hub, "e@example.net");
    expect((await press(taken)).status).toBe(422);
    const late = await ask("e2@example.net");
    world.hub.advance(24 * 3600);
    expect((await visitorOf(world.app).get(late)).status).toBe(404);
  });

  test("without a mail server is taken at once, and the page says that nothing was checked", async () => {
    await world.person("fred");
    const visitor = visitorOf(createApp({ ...world.hub, config: { ...world.hub.config, mail: undefined } }));
    await visitor.logIn("fred", password);
    expect((await visitor.get(page)).text).toContain("cannot check that the new one is yours");
    const done = await visitor.post(page, { email: "f@example.net", password });
    expect(done.location).toBe("/settings/account?done=saved");
    expect(await findAccount(world.hub, "f@example.net")).toBeDefined();
  });
});

describe("deleting everything", () => {
  const page = "/settings/account/delete";

  test("takes the password; then the channel, its posts and its files are gone, and its address is free", async () => {
    const { hub } = world;
    const { channel } = await world.person("gina");
    const friend = await world.person("gus");
    await befriend(hub, channel, friend.channel);
    await postItem(hub, channel, { body: "words of a past" });
    await put(hub, channel, "plan.txt", new TextEncoder().encode("a plan"));
    await world.work();
    const visitor = await loggedIn("gina");
    const other = await loggedIn("gina");
    const reader = await loggedIn("gus");
    expect((await reader.get("/network")).text).toContain("words of a past");
    await visitor.get(page);
    for (const wrong of [{ password }, { sure: "1", password: "wrong horse" }])
      expect((await visitor.post(page, wrong)).status).toBe(422);
    expect((await visitor.post(page, { sure: "1", password })).location).toBe("/?done=goodbye");
    await world.work();
    expect(mailbox.lastTo("gina@example.org").headers["subject"]).toBe("Your account at Hubbub was deleted");
    for (const gone of [visitor, other]) expect((await gone.get("/settings")).status).toBe(303);
    expect((await visitorOf(world.app).logIn("gina", password)).status).toBe(422);
    expect((await reader.get("/network")).text).not.toContain("words of a past");
    expect((await visitorOf(world.app).get("/channel/gina")).status).toBe(404);
    const left = await hub.db.selectFrom("attach").select("id").where("uid", "=", channel.channel_id).execute();
    const photos = await hub.db.selectFrom("photo").select("id").where("uid", "=", channel.channel_id).execute();
    expect([left, photos]).toEqual([[], []]);
    await makeAccount(hub, "gina@example.org");
  });

  test("leaves nothing that is nobody else's; a letter stays with whom it was sent to", async () => {
    const { hub } = world;
    const { channel } = await world.person("greta");
    const friend = await world.person("grant");
    await befriend(hub, channel, friend.channel);
    await sendMessage(hub, channel, { to: friend.channel.channel_hash, body: "between us" });
    await sendMessage(hub, friend.channel, { to: channel.channel_hash, body: "and never a word" });
    await keepSketch(hub, channel, { name: "a".repeat(32), place: "/network", fields: [["body", "half a thought"]] });
    await createGuest(hub, channel, { name: "Aunt" });
    const everybody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
    const room = await createRoom(hub, friend.channel, { name: "Parlour", minutes: 0, audience: everybody });
    await say(hub, channel, friend.channel, room.cr_id, "I was here");
    await world.work();
    const visitor = await loggedIn("greta");
    expect((await visitor.get(page)).text).toContain("Messages stay with those who got them.");
    await visitor.post(page, { sure: "1", password });
    await world.work();
    const { channel_id: id, xchan_id } = channel;
    const left = await Promise.all([
      hub.db.selectFrom("mail").select("id").where("channel_id", "=", id).execute(),
      hub.db.selectFrom("conv").select("id").where("uid", "=", id).execute(),
      hub.db.selectFrom("sketch").select("id").where("uid", "=", id).execute(),
      hub.db.selectFrom("profile").select("id").where("uid", "=", id).execute(),
      hub.db.selectFrom("notify").select("id").where("uid", "=", id).execute(),
      hub.db.selectFrom("atoken").select("atoken_id").where("atoken_uid", "=", id).execute(),
      hub.db.selectFrom("chat_line").select("id").where("author_id", "=", xchan_id).execute(),
    ]);
    expect(left.flat()).toEqual([]);
    const [letter] = await hub.db
      .selectFrom("mail")
      .select("id")
      .where("channel_id", "=", friend.channel.channel_id)
      .execute();
    expect((await (await loggedIn("grant")).get(`/mail/${letter!.id}`)).text).toContain("between us");
  });

  test("takes the code of a second factor, all channels of the account, and one that has moved away", async () => {
    const { hub, app } = world;
    const { channel } = await world.person("ines");
    const account = (await findAccount(hub, "ines@example.org"))!;
    await createChannel(hub, account, { nick: "ines-sings", name: "Ines sings" });
    const { uuid } = await postItem(hub, channel, { body: "words for everybody" });
    const visitor = await loggedIn("ines");
    await visitor.get("/settings/account/second-factor");
    await visitor.post("/settings/account/second-factor/begin", { password });
    const secret = (await offeredCodeApp(hub, account.account_id))!;
    const code = (): string => {
      hub.advance(30);
      return totpCode(secret, totpStepAt(hub.clock()));
    };
    await visitor.post("/settings/account/second-factor/app", { code: code() });
    await leaveFor(hub, channel, { url: "https://elsewhere.example", nick: "ines" });
    await world.work();
    const shown = await visitor.get(page);
    for (const words of ["ines-sings", 'name="code"', `action="${page}"`]) expect(shown.text).toContain(words);
    for (const wrong of ["", "000000"]) {
      const refused = await visitor.post(page, { sure: "1", password, code: wrong });
      expect([refused.status, /name="sure"[^>]*checked/.test(refused.text)]).toEqual([422, true]);
    }
    expect((await visitor.post(page, { sure: "1", password, code: code() })).location).toBe("/?done=goodbye");
    expect((await visitor.get("/?done=goodbye")).text).toContain("Your account is deleted.");
    await world.work();
    expect((await visitorOf(app).logIn("ines", password)).status).toBe(422);
    const document = { accept: "application/activity+json" };
    const answers = ["/channel/ines", "/channel/ines-sings", `/item/${uuid}`].map(async (path) => [
      (await visitorOf(app).get(path)).status,
      (await app.request(`http://hub.example${path}`, { headers: document })).status,
    ]);
    expect(await Promise.all(answers)).toEqual([
      [404, 410],
      [404, 410],
      [404, 410],
    ]);
    const finger = "http://hub.example/.well-known/webfinger?resource=acct:ines@hub.example";
    expect((await app.request(finger)).status).toBe(410);
  });

  test("is refused to the last administrator, who reads why before", async () => {
    const { channel } = await world.person("hugo");
    await world.hub.db.updateTable("account").set({ account_roles: 0 }).where("account_roles", "<>", 0).execute();
    await world.hub.db
      .updateTable("account")
      .set({ account_roles: accountRoles.administrator })
      .where("account_id", "=", channel.channel_account_id)
      .execute();
    const visitor = await loggedIn("hugo");
    const shown = await visitor.get(page);
    const refused = await visitor.post(page, { sure: "1", password });
    for (const { text } of [shown, refused]) expect(text).toContain("Nobody else administers this hub");
    expect([shown.text.includes('name="password"'), refused.status]).toEqual([false, 422]);
    expect((await visitor.get("/settings")).status).toBe(200);
  });
});
