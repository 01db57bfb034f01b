import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { findConnectionTo } from "../../domain/connections/connections.ts";
import { findChannelByNick } from "../../domain/identity/channels/find-channel.ts";
import { accountRoles, setAccountFlag } from "../../domain/identity/accounts/accounts.ts";
import { changeSite } from "../../domain/identity/site/site-settings.ts";
import { acceptInvitation, invite, inviterBy, listInvitations } from "../../domain/invitations/invitations.ts";

/** Links by which people sign up (decision 84), and their first steps. */

let world: TestApp;
let ann: Person;
let round = 0;

beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());
beforeEach(async () => {
  round += 1;
  ann = await world.person(`ann${round}`);
  await changeSite(world.hub, { registration: "closed", invitations: "members", invitedWait: false });
});

const account = { account_roles: 0 };

async function linkOf(person: Person, uses = 1, days = 7): Promise<string> {
  await invite(world.hub, { channel: person.channel, account }, { note: "For Ben", uses, days });
  return (await listInvitations(world.hub, person.channel.channel_id))[0]!.token;
}

const accept = (token: string, fields: ReturnType<typeof newcomer>) => acceptInvitation(world.hub, token, fields, "en");

const newcomer = (nick: string) => ({
  email: `${nick}@example.org`,
  password: "a long enough horse",
  nick,
  name: `The ${nick}`,
  address: "192.0.2.1",
});

async function isConnected(person: Person, nick: string): Promise<boolean> {
  const other = (await findChannelByNick(world.hub, nick))!;
  const row = await findConnectionTo(world.hub, person.channel.channel_id, other.channel_hash);
  const back = await findConnectionTo(world.hub, other.channel_id, person.channel.channel_hash);
  return [row, back].every((one) => one?.follow_out === "accepted" && one.follow_in === "accepted");
}

describe("a link", () => {
  test("lets somebody sign up where nobody else may, connected both ways, through the first steps", async () => {
    const link = await linkOf(ann);
    const visitor = visitorOf(world.app);
    expect((await visitor.get("/register")).status).toBe(403);
    const page = await visitor.get(`/invite/${link}`);
    expect(page.text).toContain(`Ann${round} invites you`);
    const { address: _, ...typed } = newcomer(`ben${round}`);
    const done = await visitor.post(`/invite/${link}`, typed);
    expect([done.status, done.location]).toEqual([303, "/welcome"]);
    expect(await isConnected(ann, `ben${round}`)).toBe(true);
    const again = await visitorOf(world.app).get(`/invite/${link}`);
    expect([again.status, again.text.includes("invitation has ended")]).toEqual([404, true]);
  });

  test("has an end", async () => {
    const link = await linkOf(ann, 5, 2);
    world.hub.advance(3 * 24 * 3600);
    expect(await inviterBy(world.hub, link)).toBeUndefined();
    await expect(accept(link, newcomer(`late${round}`))).rejects.toMatchObject({
      code: "invitation_over",
    });
  });

  test("is used no more often than it says, whoever comes at once, and by nobody whose sign-up fails", async () => {
    const link = await linkOf(ann, 2);
    await expect(accept(link, newcomer(`ann${round}`))).rejects.toMatchObject({
      code: "email_taken",
    });
    const many = [1, 2, 3, 4, 5].map((n) => accept(link, newcomer(`many${round}x${n}`)));
    const results = await Promise.allSettled(many);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "invitation_over" });
    expect(await listInvitations(world.hub, ann.channel.channel_id)).toMatchObject([{ uses: 2, most_uses: 2 }]);
    const rows = await world.hub.db
      .selectFrom("account")
      .select("account_id")
      .where("account_email", "like", `many${round}x%`)
      .execute();
    expect(rows).toHaveLength(2);
  });

  test("does not work any more when its owner may not invite", async () => {
    const link = await linkOf(ann);
    await changeSite(world.hub, { invitations: "administrators" });
    expect(await inviterBy(world.hub, link)).toBeUndefined();
    await expect(linkOf(ann)).rejects.toMatchObject({ code: "not_inviting" });
    const boss = { channel: ann.channel, account: { account_roles: accountRoles.administrator } };
    await invite(world.hub, boss, { note: "", uses: 1, days: 1 });
    await changeSite(world.hub, { invitations: "members" });
    expect(await inviterBy(world.hub, link)).toBeDefined();
    await setAccountFlag(world.hub, ann.channel.channel_account_id, "blocked", true);
    expect(await inviterBy(world.hub, link)).toBeUndefined();
  });

  test("lets people wait where the site wants that, and else works at once", async () => {
    await changeSite(world.hub, { registration: "approval" });
    const link = await linkOf(ann, 2);
    expect((await accept(link, newcomer(`one${round}`))).account.account_flags).toBe(0);
    await changeSite(world.hub, { invitedWait: true });
    const visitor = visitorOf(world.app);
    await visitor.get(`/invite/${link}`);
    const { address: _, ...typed } = newcomer(`two${round}`);
    expect((await visitor.post(`/invite/${link}`, typed)).text).toContain("waiting for the administrator");
  });
});

describe("on the page of settings", () => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = visitorOf(world.app);
    await visitor.logIn(`ann${round}`, password);
  });

  test("links are made, listed and ended", async () => {
    expect((await visitor.get("/settings")).text).toContain("/settings/invitations");
    await visitor.get("/settings/invitations");
    const made = await visitor.post("/settings/invitations", { note: "Ben", uses: "3", days: "14" });
    expect(made.location).toBe("/settings/invitations?done=invited");
    const [one] = await listInvitations(world.hub, ann.channel.channel_id);
    expect(one).toMatchObject({ note: "Ben", most_uses: 3, uses: 0 });
    expect(Buffer.from(one!.token, "base64url")).toHaveLength(16);
    expect((await visitor.get("/settings/invitations")).text).toContain(`/invite/${one!.token}`);
    await visitor.post("/settings/invitations/end", { id: String(one!.id) });
    expect(await inviterBy(world.hub, one!.token)).toBeUndefined();
  });

  test.each([
    [{ uses: "0", days: "7" }, "for 1 to 100 people"],
    [{ uses: "101", days: "7" }, "for 1 to 100 people"],
    [{ uses: "1", days: "365" }, "lasts 1 to 90 days"],
    [{ uses: "some", days: "" }, "for 1 to 100 people"],
  ])("%o is refused", async (typed, words) => {
    await visitor.get("/settings/invitations");
    const wrong = await visitor.post("/settings/invitations", typed);
    expect([wrong.status, wrong.text.includes(words)]).toEqual([422, true]);
  });

  test("there are no more than fifty, and none of others", async () => {
    const eve = await world.person(`eve${round}`);
    await linkOf(eve);
    const [theirs] = await listInvitations(world.hub, eve.channel.channel_id);
    await visitor.get("/settings/invitations");
    expect((await visitor.post("/settings/invitations/end", { id: String(theirs!.id) })).status).toBe(404);
    expect((await visitor.get("/settings/invitations")).text).not.toContain(theirs!.token);
    for (let n = 0; n < 50; n += 1) await linkOf(ann);
    await expect(linkOf(ann)).rejects.toMatchObject({ code: "invitations_full" });
  });

  test("where nobody may invite nothing leads there", async () => {
    await changeSite(world.hub, { invitations: "nobody" });
    expect((await visitor.get("/settings")).text).not.toContain("/settings/invitations");
    const page = await visitor.get("/settings/invitations");
    expect(page.text).toContain("cannot invite people");
    expect((await visitor.post("/settings/invitations", { uses: "1", days: "1" })).status).toBe(403);
  });
});

describe("first steps", () => {
  test("name and words are kept, each step leads on, and all of them can be left", async () => {
    const visitor = visitorOf(world.app);
    await visitor.logIn(`ann${round}`, password);
    const first = await visitor.get("/welcome");
    expect(first.text).toContain("Skip this and look around");
    const saved = await visitor.post("/welcome", { fullname: "Ann of the Hill", about: "I bake." });
    expect(saved.location).toBe("/welcome/people?done=saved");
    expect((await visitor.get(`/profile/ann${round}`)).text).toContain("Ann of the Hill");
    const wrong = await visitor.post("/welcome", { fullname: "", about: "" });
    expect([wrong.status, wrong.text.includes("aria-invalid")]).toEqual([422, true]);
    expect((await visitor.get("/welcome/people")).text).toContain("/welcome/post");
    const last = await visitor.get("/welcome/post");
    expect(last.text).toContain('action="/network"');
    await visitor.post("/network", { body: "Hello, hub!", audience: "public", do: "post" });
    expect((await visitor.get("/network")).text).toContain("Hello, hub!");
  });

  test("an empty stream says what comes there, and leads to them", async () => {
    const visitor = visitorOf(world.app);
    await visitor.logIn(`ann${round}`, password);
    const page = await visitor.get("/network");
    expect(page.text).toContain("Take the first steps");
  });
});
