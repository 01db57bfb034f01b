import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../../test/support/app.ts";
import { password } from "../../../../../test/support/hub.ts";
import { application, sendSigned } from "../../../../../test/support/oauth.ts";
import type { Secrets } from "../../../../../test/support/oauth.ts";
import { visitorOf } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { findAccount } from "../../../../domain/identity/accounts/accounts.ts";
import { createChannel } from "../../../../domain/identity/channels/channels.ts";
import { createClient } from "../../../../domain/identity/applications/oauth-clients.ts";
import { proxied } from "../../../../domain/proxy/addresses.ts";
import { authorizePaths } from "./authorize.ts";

/** The pages about applications: consent (microblog contract 6.4) and settings (microblog contract 6.5). */

let world: TestApp;
let alma: Person;
let bruno: Person;
let visitor: Visitor;
let stranger: Visitor;
let anonymous: Visitor;

const app = { key: "crow", secret: "caw" };

beforeAll(async () => {
  world = await openTestApp();
  [alma, bruno] = [await world.person("alma"), await world.person("bruno")];
  await createClient(world.hub, bruno.channel.channel_id, {
    name: "Crow <b>",
    ...app,
    icon: "https://app.example/icon.png",
  });
});
afterAll(() => world.close());

beforeEach(async () => {
  [visitor, stranger, anonymous] = [visitorOf(world.app), visitorOf(world.app), visitorOf(world.app)];
  await visitor.logIn("alma", password);
  await stranger.logIn("bruno", password);
});

async function ask(callback = "https://app.example/cb", secrets: Secrets = app): Promise<string> {
  const more = { oauth_callback: callback };
  const { pairs } = await sendSigned(world.app, world.hub, secrets, { path: "/api/oauth/request_token", more });
  return pairs["oauth_token"]!;
}

const count = async (): Promise<number> =>
  (await world.hub.db.selectFrom("oauth_token").select("id").where("verifier", "<>", "").execute()).length;

const isUnknown = (shown: VisitedPage): void => {
  expect(shown.status).toBe(400);
  expect(shown.text).toContain("Invalid request. Unknown token.");
  expect(shown.headers.get("content-type")).toBe("text/html; charset=utf-8");
};

describe("the page that asks for consent", () => {
  test.each(authorizePaths)("%s", async (path) => {
    const token = await ask();
    const shown = await visitor.get(`${path}?oauth_token=${token}`);
    expect(shown.status).toBe(200);
    for (const part of [
      "Crow &lt;b&gt;",
      proxied(world.hub, "https://app.example/icon.png"),
      "alma",
      "app.example",
      'name="oauth_yes"',
      'name="oauth_no"',
    ])
      expect(shown.text).toContain(part);
    expect(shown.headers.get("x-frame-options")).toBe("DENY");
    expect(shown.headers.has("access-control-allow-origin")).toBe(false);
    expect(shown.headers.get("content-security-policy")).not.toContain("form-action");
    isUnknown(await anonymous.get(`${path}?oauth_token=unknown`));
    isUnknown(await anonymous.get(path));
    expect((await visitor.get(`${path}/more`)).headers.get("content-type")).not.toMatch(
      path.startsWith("/api") ? /html/ : /nothing/,
    );
    expect((await world.anonymous.send("PUT", `${path}?oauth_token=${token}`)).status).toBe(405);
  });

  test("with a code, forms end here", async () => {
    const shown = await visitor.get(`/oauth/authorize?oauth_token=${await ask("oob")}`);
    expect(shown.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(shown.text).toContain("code to type into the application");
  });

  test("after the log-in, the same page", async () => {
    const token = await ask();
    const path = `/api/oauth/authorize?oauth_token=${token}`;
    const first = await anonymous.get(path);
    expect([first.status, first.location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
    await anonymous.get(first.location);
    const back = await anonymous.post("/login", { login: "alma", password, next: path });
    expect([back.status, back.location]).toEqual([303, path]);
    expect((await anonymous.get(back.location)).text).toContain("oauth_yes");
  });

  test("a form without the browser's token does nothing", async () => {
    const token = await ask();
    await visitor.get(`/oauth/authorize?oauth_token=${token}`);
    const before = await count();
    for (const form_security_token of ["", "wrong", stranger.token()]) {
      const answer = await visitor.post("/oauth/authorize", {
        oauth_token: token,
        oauth_yes: "1",
        form_security_token,
      });
      expect(answer.status).toBe(403);
    }
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    await visitor.get(`/oauth/authorize?oauth_token=${token}`);
    expect((await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1" }, foreign)).status).toBe(403);
    expect(await count()).toBe(before);
    const yes = await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1" });
    expect(yes.status).toBe(302);
  });

  test("nobody agrees without a log-in, nor twice", async () => {
    const token = await ask();
    await anonymous.get("/login");
    const before = await count();
    const answer = await anonymous.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1" });
    expect([answer.status, await count()]).toEqual([303, before]);
    await visitor.get(`/oauth/authorize?oauth_token=${token}`);
    await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1" });
    isUnknown(await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1" }));
    isUnknown(await visitor.post("/oauth/authorize", { oauth_token: token, oauth_no: "1" }));
    isUnknown(await stranger.get(`/oauth/authorize?oauth_token=${token}`));
  });

  test("a question that has waited too long", async () => {
    const token = await ask();
    world.hub.advance(600);
    isUnknown(await visitor.get(`/oauth/authorize?oauth_token=${token}`));
  });

  test("a channel of one's own is chosen, and no other", async () => {
    const account = (await findAccount(world.hub, "alma@example.org"))!;
    await createChannel(world.hub, account, { nick: "second", name: "Second" });
    const token = await ask("oob");
    const shown = await visitor.get(`/oauth/authorize?oauth_token=${token}`);
    expect(shown.text).toMatch(/<option value="second"/);
    const foreign = await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1", channel: "bruno" });
    expect(foreign.status).toBe(403);
    const yes = await visitor.post("/oauth/authorize", { oauth_token: token, oauth_yes: "1", channel: "second" });
    const row = await world.hub.db
      .selectFrom("oauth_token")
      .innerJoin("channel", "channel_id", "uid")
      .select("channel_address")
      .where("token", "=", token)
      .executeTakeFirstOrThrow();
    expect([yes.status, row.channel_address]).toEqual([200, "second"]);
  });

  test("a form with neither answer asks again", async () => {
    const token = await ask();
    await visitor.get(`/oauth/authorize?oauth_token=${token}`);
    const again = await visitor.post(`/oauth/authorize?oauth_token=${token}`, {});
    expect([again.status, again.text.includes("oauth_yes")]).toEqual([200, true]);
  });
});

describe("the settings", () => {
  const fields = { name: "Mine", key: "my.key", secret: "my secret", redirect: "", icon: "" };

  async function make(by: Visitor, values: Record<string, string> = {}): Promise<VisitedPage> {
    await by.get("/settings/oauth/add");
    return by.post("/settings/oauth/add", { ...fields, ...values });
  }

  test("are for members", async () => {
    for (const path of ["", "add", "edit/crow", "delete/crow"]) {
      const shown = await anonymous.get(`/settings/oauth/${path}`);
      expect([path, shown.status, shown.location.startsWith("/login?next=")]).toEqual([path, 303, true]);
    }
    expect((await visitor.get("/settings/oauth")).location).toBe("/settings/oauth/");
    expect((await visitor.get("/settings")).text).toContain('href="/settings/oauth/"');
  });

  test("a new application has a key and a secret at hand", async () => {
    const { text } = await visitor.get("/settings/oauth/add");
    const values = [...text.matchAll(/id="f-(?:key|secret)"[\s\S]*?value="(\w{16})"/g)].map((found) => found[1]);
    expect(new Set(values).size).toBe(2);
  });

  test.each([
    [{ name: " " }, "Name is required"],
    [{ key: "" }, "Key and Secret are required"],
    [{ secret: " " }, "Key and Secret are required"],
    [{ key: "a b" }, "A key has 1 to 64 letters"],
    [{ key: "x".repeat(65) }, "A key has 1 to 64 letters"],
    [{ key: ".." }, "A key has 1 to 64 letters"],
    [{ key: "crow" }, "There is an application with this key already."],
    [{ redirect: "javascript:alert(1)" }, "The callback is an address"],
    [{ redirect: "nowhere" }, "The callback is an address"],
    [{ icon: "data:image/png,x" }, "The icon is the address of a picture"],
    [{ name: "n".repeat(101) }, "A name has at most 100 characters."],
  ])("refuses %j", async (values, sentence) => {
    const { status, text } = await make(visitor, values);
    expect(status).toBe(422);
    expect(text).toContain(sentence);
    expect(text).not.toContain("crow</span>");
  });

  test("makes, changes and deletes; the secret is for its owner", async () => {
    expect(await make(visitor)).toMatchObject({ status: 303, location: "/settings/oauth/?done=made" });
    const list = await visitor.get("/settings/oauth/");
    expect(list.text).toContain("/settings/oauth/edit/my.key");
    expect(list.text).not.toContain("my secret");
    expect((await visitor.get("/settings/oauth/edit/my.key")).text).toContain("my secret");
    const changed = {
      ...fields,
      name: "Re\u202enamed\u200f",
      key: "other-key",
      redirect: "https://x.example",
      icon: "",
    };
    expect((await visitor.post("/settings/oauth/edit/my.key", changed)).location).toBe("/settings/oauth/?done=saved");
    expect((await visitor.get("/settings/oauth/")).text).toContain("Renamed");
    const taken = await visitor.post("/settings/oauth/edit/other-key", { ...changed, key: "crow" });
    expect([taken.status, taken.text.includes("There is an application with this key already.")]).toEqual([422, true]);
    expect((await visitor.get("/settings/oauth/delete/other-key")).text).toContain("Delete Renamed?");
    expect((await visitor.post("/settings/oauth/delete/other-key", {})).location).toBe("/settings/oauth/?done=deleted");
    expect((await visitor.get("/settings/oauth/")).text).not.toContain("Renamed");
  });

  test("forms need the browser's token", async () => {
    const forged = { form_security_token: "x" };
    for (const path of ["", "add", "edit/crow", "delete/crow"])
      expect([path, (await stranger.post(`/settings/oauth/${path}`, { ...fields, ...forged })).status]).toEqual([
        path,
        403,
      ]);
    expect((await visitor.get("/settings/oauth/delete/crow?t=x")).status).toBe(404);
  });

  test("what belongs to others is like what does not exist", async () => {
    await createClient(world.hub, 0, { name: "Of the hub", key: "of-hub", secret: "hub secret" });
    await visitor.get("/settings/oauth/add");
    for (const path of ["edit", "delete"]) {
      const strip = ({ status, text }: VisitedPage, key: string) => [
        status,
        text.replaceAll(key, "KEY").replace(/value="[^"]*"/g, ""),
      ];
      const unknown = await visitor.get(`/settings/oauth/${path}/nobodys`);
      expect([unknown.status, unknown.text.includes("This application cannot be edited.")]).toEqual([404, true]);
      for (const key of ["crow", "of-hub"]) {
        expect(strip(await visitor.get(`/settings/oauth/${path}/${key}`), key)).toEqual(strip(unknown, "nobodys"));
        const posted = await visitor.post(`/settings/oauth/${path}/${key}`, fields);
        expect(strip(posted, key)).toEqual(
          strip(await visitor.post(`/settings/oauth/${path}/nobodys`, fields), "nobodys"),
        );
      }
    }
    const { text } = await visitor.get("/settings/oauth/");
    expect(text).toContain("Of the hub");
    for (const secret of ["hub secret", "/edit/of-hub", "caw", "Crow"]) expect(text).not.toContain(secret);
  });

  test("show and take back tokens for all channels of the account", async () => {
    const account = (await findAccount(world.hub, "alma@example.org"))!;
    const other = await createChannel(world.hub, account, { nick: "alma-other", name: "Other Alma" });
    const { token } = await application(world.hub, other, "Wren");
    const { text } = await visitor.get("/settings/oauth/");
    expect(text.replace(/\s+/g, " ")).toMatch(/Wren<\/span> <span class="address"> as Other Alma, allowed/);
    expect((await visitor.post("/settings/oauth/", { remove: token })).location).toBe("/settings/oauth/?done=revoked");
    expect((await visitor.get("/settings/oauth/")).text).not.toContain("Wren");
  });

  test("show and take back no tokens of others", async () => {
    const mine = await application(world.hub, alma.channel, "Nightingale");
    const theirs = await application(world.hub, bruno.channel, "Woodpecker");
    const { text } = await visitor.get("/settings/oauth/");
    expect(text).toContain(`name="remove" value="${mine.token}"`);
    for (const hidden of ["Woodpecker", theirs.token, mine.tokenSecret, mine.secret])
      expect(text).not.toContain(hidden);
    const foreign = await visitor.post("/settings/oauth/", { remove: theirs.token });
    const unknown = await visitor.post("/settings/oauth/", { remove: "unknown" });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const use = async (secrets: Secrets): Promise<number> =>
      (await sendSigned(world.app, world.hub, secrets, { path: "/api/account/verify_credentials.json" })).status;
    expect([await use(mine), await use(theirs)]).toEqual([200, 200]);
    expect((await visitor.post("/settings/oauth/", { remove: mine.token })).location).toBe(
      "/settings/oauth/?done=revoked",
    );
    expect([await use(mine), await use(theirs)]).toEqual([401, 200]);
  });

  test("an icon that would not come over HTTPS is not shown", async () => {
    await make(visitor, { key: "plain-icon", icon: "http://x.example/i.png" });
    const { text } = await visitor.get("/settings/oauth/");
    expect(text).not.toContain('src="http://x.example');
  });
});
