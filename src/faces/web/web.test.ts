import type { Hono } from "hono";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { befriend } from "../../../test/support/people.ts";
import { makeAccount, makeChannel, openTestHub, password } from "../../../test/support/hub.ts";
import type { TestHub, TestOptions } from "../../../test/support/hub.ts";
import { size } from "../../../test/support/size.ts";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { visitorOf, withoutTokens } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import type { Channel } from "../../domain/identity/channels/channel.ts";
import { createChannel, findChannelByNick } from "../../domain/identity/channels/channels.ts";
import { countAttempt } from "../../domain/identity/accounts/log-in-attempts.ts";
import { setupToken } from "../../domain/identity/accounts/setup.ts";
import { changeSite, siteSettings } from "../../domain/identity/site/site-settings.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import type { Audience, Item } from "../../domain/items/types.ts";
import { runDue } from "../../jobs/runner.ts";
import type { Log } from "../../log.ts";
import { webPages } from "./web.ts";
import { pages } from "./pages/table.ts";

let hub: TestHub;
let app: Hono;

async function open(options: TestOptions = {}): Promise<void> {
  hub = await openTestHub(options);
  app = webPages(hub);
}

beforeEach(() => open());
afterEach(() => hub.close());

async function member(nick: string): Promise<Visitor> {
  const visitor = visitorOf(app, hub.config.host);
  expect((await visitor.logIn(nick, password)).status).toBe(303);
  return visitor;
}

const nobody: Audience = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };

function publicPost(author: Channel, body: string): Promise<Item> {
  return postItem(hub, author, { body, audience: nobody });
}

function privatePost(author: Channel, body: string): Promise<Item> {
  return postItem(hub, author, { body, audience: { ...nobody, allow_cid: [author.channel_hash] } });
}

/** The words of the bodies on a page, in their order. */
function wordsIn({ text }: { text: string }, words: RegExp): string[] {
  const bodies = [...text.matchAll(/<div class="body"[^>]*>([^]*?)<\/div>/g)].map((match) => match[1]).join(" ");
  return [...bodies.matchAll(words)].map((match) => match[0]);
}

describe("headers", () => {
  test("every page forbids what it does not need", async () => {
    const { headers } = await visitorOf(app).get("/");
    const policy = headers.get("content-security-policy")!.split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src http://hub.example/assets/");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("pages need no script, style or event handler of their own", async () => {
    const ann = await makeChannel(hub, "ann");
    await publicPost(ann, "hello");
    const visitor = await member("ann");
    for (const path of ["/network", "/channel/ann", "/settings/channel", "/connections", "/group", "/notifications"]) {
      const { text } = await visitor.get(path);
      expect(text).not.toMatch(/<style|\sstyle=|<script(?! src="\/assets\/)|\son[a-z]+=|javascript:/i);
      expect([...text.matchAll(/(?:src|href)="(https?:[^"]*)"/g)]).toEqual([]);
    }
  });

  test("assets carry a digest and may be kept", async () => {
    const { text } = await visitorOf(app).get("/");
    const sheet = /href="(\/assets\/[0-9a-f]{12}\/hubbub\.css)"/.exec(text)![1]!;
    const { status, headers } = await visitorOf(app).get(sheet);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/css; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
  });

  test("every file that a page or a module names is there, packed for those who can read that", async () => {
    const { text } = await visitorOf(app).get("/");
    const names = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map((match) => match[1]!);
    const seen = new Set<string>();
    let sent = 0;
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      const response = await app.request(`http://hub.example${name}`, { headers: { "accept-encoding": "gzip, br" } });
      expect([name, response.status, response.headers.get("x-content-type-options")]).toEqual([name, 200, "nosniff"]);
      expect([name, response.headers.get("content-encoding")]).not.toEqual([name, "gzip"]);
      const bytes = Buffer.from(await response.arrayBuffer());
      const isPacked = response.headers.get("content-encoding") === "br";
      const code = String(isPacked ? brotliDecompressSync(bytes) : bytes);
      if (!name.endsWith(".js")) continue;
      sent += bytes.length;
      names.push(
        ...[...code.matchAll(/(?:from|import) "(\.[^"]*)"/g)].map(
          (match) => new URL(match[1]!, `http://h${name}`).pathname,
        ),
      );
    }
    // Others grow with what is on a page.
    expect(sent).toBeGreaterThan(5000);
    expect(sent).toBeLessThan(30_000);
  });

  test("pages are packed as the browser likes, but not when another site led there", async () => {
    const sizes = await Promise.all(
      [
        {},
        { "accept-encoding": "gzip;q=0, br" },
        { "accept-encoding": "gzip, deflate" },
        { "accept-encoding": "br;q=0" },
        { "accept-encoding": "br", "sec-fetch-site": "cross-site" },
      ].map(async (headers) => {
        const response = await app.request("http://hub.example/help", { headers });
        const bytes = Buffer.from(await response.arrayBuffer());
        const packing = response.headers.get("content-encoding");
        const open = { br: brotliDecompressSync, gzip: gunzipSync }[packing ?? ""] ?? ((plain: Buffer) => plain);
        expect(String(open(bytes))).toContain("What things mean");
        expect(response.headers.get("vary")).toContain("Accept-Encoding");
        return packing;
      }),
    );
    expect(sizes).toEqual([null, "br", "gzip", null, null]);
  });

  test("no two pages show the same token, and each is taken", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/settings/channel");
    const first = visitor.token();
    await visitor.get("/settings/channel");
    expect(visitor.token()).not.toBe(first);
    for (const token of [first, visitor.token()])
      expect(
        (await visitor.post("/network", { body: "hello", form_security_token: token, audience: "public" })).status,
      ).toBe(303);
    const wrong = `${first.slice(0, -3)}AAA`;
    expect((await visitor.post("/network", { form_security_token: wrong, audience: "public" })).status).toBe(403);
  });

  test.each([
    ["http://hub.example", /^hubbub=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/],
    ["https://hub.example", /^__Host-hubbub=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/],
  ])("the cookie of a log-in on %s", async (base, form) => {
    await hub.close();
    await open({ env: { HUBBUB_BASE_URL: base } });
    await makeChannel(hub, "ann");
    const { headers } = await visitorOf(app).logIn("ann", password);
    expect(headers.getSetCookie().at(-1)).toMatch(form);
  });
});

describe("forms of others", () => {
  test("a form without the browser's token changes nothing", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    for (const form_security_token of ["", "wrong", "x".repeat(43)]) {
      const { status } = await visitor.post("/network", { body: "forged", audience: "public", form_security_token });
      expect(status).toBe(403);
    }
    expect((await visitor.get("/network")).text).not.toContain("forged");
  });

  test("the token of another session is refused", async () => {
    await makeChannel(hub, "ann");
    await makeChannel(hub, "bob");
    const [ann, bob] = [await member("ann"), await member("bob")];
    await bob.get("/network");
    expect(
      (await ann.post("/network", { body: "x", audience: "public", form_security_token: bob.token() })).status,
    ).toBe(403);
  });

  test("a form from another site is refused by what the browser says", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/network");
    const send = (headers: Record<string, string>) =>
      visitor.post("/network", { body: "x", audience: "public" }, headers);
    expect((await send({ origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await send({ origin: "http://hub.example", "sec-fetch-site": "same-origin" })).status).toBe(303);
  });

  test("logging in needs a token too, and one that belongs to the browser's cookie", async () => {
    await makeChannel(hub, "ann");
    const [one, other] = [visitorOf(app), visitorOf(app)];
    expect((await one.post("/login", { login: "ann", password })).status).toBe(403);
    await one.get("/login");
    await other.get("/login");
    expect((await one.post("/login", { login: "ann", password, form_security_token: other.token() })).status).toBe(403);
    one.cookies.clear();
    expect((await one.post("/login", { login: "ann", password })).status).toBe(403);
  });

  test("every page that takes a form refuses one without a token", async () => {
    const account = await makeAccount(hub, "root@example.org", { roles: 4096 });
    await createChannel(hub, account, { nick: "root", name: "Root" });
    const visitor = await member("root");
    for (const page of pages.filter((row) => row.post && !row.sentByLink)) {
      const path = page.path.replace(/:\w+/g, "1");
      expect([path, (await visitor.post(path, { form_security_token: "no" })).status]).toEqual([path, 403]);
    }
  });
});

describe("two channels of one account", () => {
  /** Two tabs of one browser, which has switched from `ann` to `choir` since the page of the first one was opened. */
  async function switched(): Promise<{ ann: Channel; choir: Channel; visitor: Visitor; ofAnn: string }> {
    const ann = await makeChannel(hub, "ann");
    const account = { account_id: ann.channel_account_id };
    const choir = await createChannel(hub, account, { nick: "choir", name: "Choir" });
    const visitor = await member("ann");
    await visitor.get("/network");
    const ofAnn = visitor.token();
    await visitor.post("/manage", { channel: String(choir.channel_id), do: "use" });
    await visitor.get("/network");
    return { ann, choir, visitor, ofAnn };
  }

  async function written(): Promise<number> {
    const { n } = await hub.db
      .selectFrom("item")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  test("what was written as one of them is not posted as the other one, and not lost", async () => {
    const { ann, visitor, ofAnn } = await switched();
    const before = await written();
    const refused = await visitor.post("/network", { form_security_token: ofAnn, body: "only as Ann" });
    expect([refused.status, refused.text.includes("You have switched to @choir meanwhile.")]).toEqual([403, true]);
    expect([refused.text.includes("only as Ann</textarea>"), await written()]).toEqual([true, before]);

    const post = await privatePost(ann, "of Ann alone");
    const edited = { form_security_token: ofAnn, body: "changed" };
    const unseen = await visitor.post(`/item/${post.id}/edit`, edited);
    expect([unseen.status, unseen.text.includes("opened as another channel")]).toEqual([403, true]);
    const scripted = await visitor.post(
      "/network",
      { form_security_token: ofAnn, body: "x" },
      { "hx-request": "true" },
    );
    expect([scripted.status, await written()]).toEqual([401, before + 1]);
    expect((await visitor.post("/network", { body: "as the choir", audience: "public" })).status).toBe(303);
  });

  test("no form that says nothing of a channel is taken for another one, besides of the log-in itself", async () => {
    const { choir, visitor, ofAnn } = await switched();
    for (const page of pages.filter(
      (row) => row.post && !row.sentByLink && !row.asAnyChannel && row.access === "member",
    )) {
      const path = page.path.replace(/:\w+/g, "1");
      expect([path, (await visitor.post(path, { form_security_token: ofAnn })).status]).toEqual([path, 403]);
    }
    const again = { form_security_token: ofAnn, channel: String(choir.channel_id), do: "use" };
    expect((await visitor.post("/manage", again)).location).toBe("/network?done=switched");
    expect((await visitor.post("/logout", { form_security_token: ofAnn })).status).toBe(303);
    expect((await visitor.get("/network")).location).toContain("/login");
  });
});

describe("what is not for you", () => {
  test("unknown and unseen things are the same page", async () => {
    const ann = await makeChannel(hub, "ann");
    await makeChannel(hub, "bob");
    const secret = await privatePost(ann, "the secret");
    const bob = await member("bob");
    for (const visitor of [bob, visitorOf(app)]) {
      const unknown = await visitor.get("/display/00000000-0000-4000-8000-000000000000");
      const paths = [
        `/display/${secret.uuid}`,
        `/item/${secret.uuid}`,
        "/channel/nobody",
        "/profile/nobody",
        "/nothing/here",
        `/channel/ann?mid=${encodeURIComponent(secret.mid)}`,
      ];
      for (const path of paths) {
        let found = await visitor.get(path);
        if (found.status === 303) found = await visitor.get(found.location);
        expect([path, found.status]).toEqual([path, 404]);
        expect(withoutTokens(found.text)).toBe(withoutTokens(unknown.text));
      }
    }
    for (const path of [`/item/${secret.id}/edit`, `/item/${secret.id}/delete`])
      expect((await bob.get(path)).status).toBe(404);
    await bob.get("/network");
    expect((await bob.post(`/item/${secret.id}/act`, { act: "like" })).status).toBe(404);
    expect((await bob.post(`/item/${secret.id}/delete`, {})).status).toBe(404);
    expect((await bob.post(`/display/${secret.uuid}`, { body: "me too" })).status).toBe(404);
  });

  test("connections, groups and notices of others do not exist", async () => {
    const [ann, bob] = [await makeChannel(hub, "ann"), await makeChannel(hub, "bob")];
    await makeChannel(hub, "eve");
    await befriend(hub, ann, bob);
    const eve = await member("eve");
    const { abook_id } = await hub.db
      .selectFrom("abook")
      .select("abook_id")
      .where("abook_channel", "=", ann.channel_id)
      .where("abook_self", "=", 0)
      .executeTakeFirstOrThrow();
    const group = await hub.db
      .selectFrom("pgrp")
      .select("id")
      .where("uid", "=", ann.channel_id)
      .executeTakeFirstOrThrow();
    const notice = await hub.db
      .selectFrom("notify")
      .select("id")
      .where("uid", "=", ann.channel_id)
      .executeTakeFirstOrThrow();
    await eve.get("/network");
    for (const path of [
      `/connedit/${abook_id}`,
      `/connedit/${abook_id}/remove`,
      `/group/${group.id}`,
      `/group/${group.id}/delete`,
      `/notify/view/${notice.id}`,
    ]) {
      expect([path, (await eve.get(path)).status]).toEqual([path, 404]);
    }
    for (const path of [
      `/connedit/${abook_id}`,
      `/connedit/${abook_id}/remove`,
      `/group/${group.id}`,
      `/group/${group.id}/members`,
      `/group/${group.id}/delete`,
    ]) {
      expect([path, (await eve.post(path, { name: "x", closeness: "1", add: ann.channel_hash })).status]).toEqual([
        path,
        404,
      ]);
    }
    expect((await eve.get(`/network?gid=${group.id}`)).status).toBe(404);
  });

  test("administration does not exist for others", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    expect((await visitor.get("/admin")).status).toBe(404);
    expect((await visitor.post("/admin/site", { site_name: "Mine", registration: "open" })).status).toBe(404);
    expect((await siteSettings(hub)).name).toBe("Hubbub");
  });

  test("pages for members ask visitors to log in, and lead back", async () => {
    await makeChannel(hub, "ann");
    const visitor = visitorOf(app);
    const asked = await visitor.get("/connections?find=bob");
    expect([asked.status, asked.location]).toEqual([303, `/login?next=${encodeURIComponent("/connections?find=bob")}`]);
    await visitor.get(asked.location);
    expect((await visitor.post("/login", { login: "ann", password, next: "/connections?find=bob" })).location).toBe(
      "/connections?find=bob",
    );
    const other = visitorOf(app);
    await other.get("/login?next=//evil.example");
    expect((await other.post("/login", { login: "ann", password, next: "//evil.example" })).location).toBe("/network");
  });

  test("whoever presses a button after their log-in has ended comes back to the page with it", async () => {
    const post = await publicPost(await makeChannel(hub, "ann"), "Like me");
    const visitor = visitorOf(app);
    const pressedOn = async (referer: string) =>
      (await visitor.post(`/item/${post.id}/act`, { do: "like" }, { referer })).location;
    const next = (path: string) => `/login?next=${encodeURIComponent(path)}`;
    expect(await pressedOn("http://hub.example/search?search=me&done=posted")).toBe(next("/search?search=me"));
    expect(await pressedOn("http://hub.example/display/x?zat=secret")).toBe(next("/display/x"));
    for (const strange of ["http://evil.example/x", "http://hub.example//evil.example", "nothing", ""])
      expect(await pressedOn(strange)).toMatch(/^\/login(\?next=%2F)?$/);
  });

  test("nobody reads what a visitor sends to a form for members", async () => {
    await makeChannel(hub, "ann");
    const visitor = visitorOf(app);
    for (const path of ["/channel/ann", "/cloud/ann", "/photos/ann", "/display/x", "/wiki/ann", "/wiki/ann/w/Home"]) {
      const asked = await visitor.post(path, { body: "x" }, { "content-type": "text/plain" });
      expect([asked.status, asked.location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`]);
    }
  });

  test("a hub for members shows visitors nothing", async () => {
    const ann = await makeChannel(hub, "ann");
    const post = await publicPost(ann, "for members #tagged");
    await changeSite(hub, { blockPublic: true });
    const visitor = visitorOf(app);
    expect((await visitor.get("/")).text).not.toContain("for members #");
    expect((await visitor.get("/search?tag=tagged")).text).not.toContain("for members");
    for (const path of [`/display/${post.uuid}`, "/channel/ann", "/profile/ann"])
      expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.get("/directory")).location).toBe("/login?next=/directory");
  });

  test("somebody else's star and group names are not shown", async () => {
    const [ann, bob] = [await makeChannel(hub, "ann"), await makeChannel(hub, "bob")];
    await befriend(hub, ann, bob);
    const annView = await member("ann");
    await annView.get("/group");
    await annView.post("/group", { name: "Tedious relatives" });
    const group = await hub.db
      .selectFrom("pgrp")
      .selectAll()
      .where("gname", "=", "Tedious relatives")
      .executeTakeFirstOrThrow();
    await annView.post(`/group/${group.id}/members`, { add: bob.channel_hash });
    await annView.post("/network", { body: "dear all", audience: "chosen", group_allow: group.hash });
    const item = await hub.db
      .selectFrom("item")
      .selectAll()
      .where("uid", "=", ann.channel_id)
      .executeTakeFirstOrThrow();
    await annView.post(`/item/${item.id}/act`, { act: "star" });
    expect((await annView.get("/channel/ann")).text).toContain("Tedious relatives");
    const bobs = await (await member("bob")).get("/channel/ann");
    expect(bobs.text).toContain("dear all");
    expect(bobs.text).not.toContain("Tedious");
    expect(bobs.text).not.toContain('value="unstar"');
  });
});

test("a browser that has logged in before does not wait for those who guess", async () => {
  const guarded = await openTestHub({ env: { HUBBUB_RATE_LIMITS: "on", HUBBUB_TRUST_PROXY: "on" } });
  const { channel_account_id: account } = await makeChannel(guarded, "ann");
  const guardedPages = webPages(guarded);
  const logIn = async (browser: Visitor, address: string) => {
    await browser.get("/login");
    return browser.post("/login", { login: "ann", password }, { "x-forwarded-for": address });
  };
  const [known, unknown] = [visitorOf(guardedPages), visitorOf(guardedPages)];
  await logIn(known, "192.0.2.1");
  await known.post("/logout", {});
  guarded.advance(301);
  for (let round = 0; round < 105; round += 1) {
    await countAttempt(guarded, `${round}`, `198.51.100.${round}`, `account ${account}`);
    if (round > 98) guarded.advance(64);
  }
  await countAttempt(guarded, "x", "192.0.2.3", `account ${account}`);
  const late = await logIn(unknown, "192.0.2.2");
  expect([late.status, late.headers.get("retry-after")]).toEqual([429, "64"]);
  expect((await logIn(known, "192.0.2.2")).status).toBe(303);
  await guarded.close();
});

test("the log names the set-up page without its token", async () => {
  const lines: unknown[] = [];
  const log = Object.assign(Object.create(hub.log) as Log, {
    isEnabledFor: () => true,
    info: (_text: string, more: object) => void lines.push(more),
  });
  const watched = await openTestHub({ log });
  const token = await setupToken(watched);
  const visitor = visitorOf(webPages(watched));
  expect((await visitor.get(`/setup/${token}`)).status).toBe(200);
  expect(lines).toEqual([expect.objectContaining({ path: "/setup/:token", status: 200 })]);
  await watched.close();
});

describe("forms that cannot be taken", () => {
  test("show what was typed, say what is wrong, and keep the password to themselves", async () => {
    await makeChannel(hub, "ann");
    const visitor = visitorOf(app);
    await visitor.get("/register");
    const again = await visitor.post("/register", {
      email: "bo@example.org",
      password: "open sesame",
      name: "Bo <b>",
      nick: "ann",
    });
    expect(again.status).toBe(422);
    expect(again.text).toContain("This nick is taken.");
    expect(again.text).toContain('value="Bo &lt;b&gt;"');
    expect(again.text).not.toContain("open sesame");
    expect(again.text).toMatch(/id="f-nick"[^>]*aria-invalid="true"/);
  });

  test("of a sign-up name all that is wrong at once, each beside its field", async () => {
    await makeChannel(hub, "ann");
    const visitor = visitorOf(app);
    await visitor.get("/register");
    const again = await visitor.post("/register", { email: "no address", password: "short", name: "Bo", nick: "ann" });
    expect(again.status).toBe(422);
    const wrong = [...again.text.matchAll(/id="f-(\w+)"[^>]*aria-invalid="true"/g)].map((match) => match[1]);
    expect(wrong).toEqual(["email", "password", "nick"]);
    const said = [...again.text.matchAll(/<p class="field-fault" id="e-\w+">([^<]+)/g)].map((match) => match[1]!);
    expect(new Set(said).size).toBe(3);
    const alert = /role="alert" id="fault">([^<]+)/.exec(again.text)![1]!;
    for (const sentence of said) expect(alert).toContain(sentence);
    expect(again.text).toContain('value="no address"');
    const rest = await visitor.post("/register", { email: "bo@example.org", password, name: "Bo", nick: "ann" });
    expect(rest.text.match(/aria-invalid/g)).toHaveLength(1);
  });

  test("a post for chosen people without any is no public post", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/network");
    for (const fields of [
      { audience: "chosen" },
      { audience: "" },
      { audience: "everyone" },
      {},
      { audience: "chosen", group_allow: "<>" },
    ]) {
      const { status, text } = await visitor.post("/network", { body: "half-written thought", ...fields });
      expect(status).toBe(422);
      expect(text).toContain("half-written thought");
    }
    expect(await hub.db.selectFrom("item").select("id").execute()).toEqual([]);
  });

  test("a wrong password says nothing more, and too many say wait", async () => {
    await hub.close();
    await open({ env: { HUBBUB_RATE_LIMITS: "on" } });
    const visitor = visitorOf(app);
    await visitor.get("/login");
    const wrong = await visitor.post("/login", { login: "ann", password: "guess" });
    expect([wrong.status, wrong.text.includes("do not match")]).toEqual([422, true]);
    for (let tries = 1; tries < 100; tries++) await countAttempt(hub, "ann", "");
    const { status, headers } = await visitor.post("/login", { login: "ann", password: "guess" });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("odd input is a clear refusal, never a failure of ours", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/network");
    const odd = [
      "",
      "\0",
      "-1",
      "1e9",
      "999999999999999",
      "99999999999999999999",
      "%00",
      "\ud800",
      "a".repeat(3000),
      "'; drop table item; --",
      "<script>alert(1)</script>",
      "../../etc/passwd",
    ];
    for (const [at, page] of pages.entries()) {
      for (const value of someOf(odd, at, size(1, odd.length))) {
        const path = page.path.replace(/:\w+(\{[^}]*\})?/g, encodeURIComponent(value.toWellFormed()) || "x");
        const query = `?before=${encodeURIComponent(value.toWellFormed())}&tag=${encodeURIComponent(value.toWellFormed())}&url=${encodeURIComponent(value.toWellFormed())}&find=${encodeURIComponent(value.toWellFormed())}&gid=1e3&mid=%ff&cat=%00`;
        if (page.get) expect([path, (await visitor.get(path + query)).status < 500]).toEqual([path, true]);
      }
    }
    const fields = [
      "body",
      "title",
      "category",
      "audience",
      "group_allow",
      "contact_allow",
      "name",
      "nick",
      "role",
      "timezone",
      "expire",
      "closeness",
      "fullname",
      "about",
      "xchan",
      "id",
      "answer",
      "channel",
      "act",
      "back",
      "remove",
      "add",
      "default_group",
      "password",
      "old_password",
      "email",
      "next",
      "login",
    ];
    const values = ["", "\0", "-1", "99999999999999999999", "<x>", "a".repeat(70_000)];
    for (const [at, page] of pages.filter((row) => row.post && row.path !== "/logout").entries()) {
      for (const value of someOf(values, at, size(1, values.length))) {
        // What is large takes long to send: a few fields have it.
        const isLarge = (field: number) => (field + at) % 8 === 0;
        const typed = Object.fromEntries(
          fields.map((name, field) => [name, isLarge(field) ? value : value.slice(0, 70)]),
        );
        const path = page.path.replace(/:\w+/g, "1");
        const { status } = await visitor.post(path, typed);
        expect([path, value.slice(0, 10), status < 500]).toEqual([path, value.slice(0, 10), true]);
      }
    }
  });

  test("a body that is no form, too large, or broken is refused", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    const send = async (type: string, body: string) => {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return (
        await app.request("http://hub.example/network", {
          method: "POST",
          body,
          headers: { "content-type": type, cookie },
        })
      ).status;
    };
    expect(await send("application/json", "{}")).toBe(415);
    expect(await send("multipart/form-data", "x")).toBe(422);
    expect(await send("multipart/form-data; boundary=b", "nonsense")).toBe(422);
    expect(await send("application/x-www-form-urlencoded", `body=${"x".repeat(5 * 1024 * 1024)}`)).toBe(413);
    expect((await app.request("http://hub.example/network", { method: "PUT" })).status).toBe(405);
  });
});

describe("set-up and signing up", () => {
  const admin = {
    email: "root@example.org",
    password,
    name: "Root",
    nick: "root",
    site_name: "Our place",
    registration: "approval",
  };

  test("the link works once, and makes an administrator", async () => {
    const token = (await setupToken(hub))!;
    const visitor = visitorOf(app);
    expect((await visitor.get("/setup/wrong")).status).toBe(404);
    expect((await visitor.get("/register")).status).toBe(403);
    for (const path of ["/", "/login", `/setup/${token}`]) {
      const shown = await visitor.get(path);
      expect([path, shown.status, shown.text.includes('href="/register"')]).toEqual([path, 200, false]);
    }
    expect((await visitor.post("/setup/wrong", admin)).status).toBe(404);
    expect((await visitor.post(`/setup/${token}`, { ...admin, site_name: " " })).status).toBe(422);
    const wrong = await visitor.post(`/setup/${token}`, { ...admin, email: "root", nick: "9", site_name: " " });
    expect([wrong.status, wrong.text.match(/class="field-fault" id="e-\w+/g)]).toEqual([
      422,
      ["email", "nick", "site_name"].map((field) => `class="field-fault" id="e-${field}`),
    ]);
    const done = await visitor.post(`/setup/${token}`, admin);
    expect([done.status, done.location]).toEqual([303, "/welcome"]);
    expect((await visitor.get("/admin")).text).toContain("Our place");
    const late = visitorOf(app);
    expect((await late.get(`/setup/${token}`)).status).toBe(404);
    expect((await late.get("/login")).text).toContain('href="/register"');
    expect((await late.post(`/setup/${token}`, { ...admin, nick: "second", email: "b@example.org" })).status).toBe(404);
  });

  test("by approval: the account waits, and works once the administrator says so", async () => {
    const account = await makeAccount(hub, "root@example.org", { roles: 4096 });
    await createChannel(hub, account, { nick: "root", name: "Root" });
    await changeSite(hub, { registration: "approval" });
    const bo = visitorOf(app);
    await bo.get("/register");
    const wants = { email: "bo@example.org", password, name: "Bo", nick: "bo", reason: "To sing <b>with</b> you" };
    for (const reason of ["", "x".repeat(1001)])
      expect([reason.length, (await bo.post("/register", { ...wants, reason })).status]).toEqual([reason.length, 422]);
    const asked = await bo.post("/register", wants);
    expect(asked.text).toContain("waiting for the administrator");
    expect((await bo.get("/network")).status).toBe(303);
    expect((await bo.logIn("bo", password)).status).toBe(422);
    const root = await member("root");
    await runDue(hub);
    expect((await root.get("/notifications")).text).toMatch(/Bo<\/strong> would like to join this hub/);
    const page = await root.get("/admin/accounts?show=waiting");
    expect(page.text).toContain("To sing &lt;b&gt;with&lt;/b&gt; you");
    const path = /action="(\/admin\/accounts\/\d+)"/.exec(page.text)![1]!;
    expect((await root.post(path, { measure: "approve" })).location).toBe("/admin/accounts?show=waiting&done=approved");
    for (const measure of ["refuse", "block", "remove"])
      expect([
        measure,
        (await root.post(`/admin/accounts/${account.account_id}`, { measure, sure: "1" })).status,
      ]).toEqual([measure, 403]);
    expect((await bo.logIn("bo", password)).location).toBe("/network");
  });

  test("closed: nobody", async () => {
    await makeChannel(hub, "ann");
    await changeSite(hub, { registration: "closed" });
    const visitor = visitorOf(app);
    expect((await visitor.get("/register")).status).toBe(403);
    await visitor.get("/login");
    expect(
      (await visitor.post("/register", { email: "bo@example.org", password, name: "Bo", nick: "bo" })).status,
    ).toBe(403);
    expect(await findChannelByNick(hub, "bo")).toBeUndefined();
  });
});

describe("what members do", () => {
  test("logging out ends the session, also for a copy of its cookie", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/network");
    const copy = visitorOf(app);
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
    expect((await visitor.get("/logout")).location).toBe("/");
    expect((await copy.get("/network")).status).toBe(200);
    await visitor.post("/logout", {});
    expect((await copy.get("/network")).status).toBe(303);
  });

  test("a new password needs the old one, and ends other log-ins", async () => {
    await makeChannel(hub, "ann");
    const [here, there] = [await member("ann"), await member("ann")];
    await here.get("/settings/account");
    expect((await here.post("/settings/account", { old_password: "wrong", password: "a newer horse" })).status).toBe(
      422,
    );
    expect((await here.post("/settings/account", { old_password: password, password: "a newer horse" })).location).toBe(
      "/settings/account?done=password",
    );
    expect((await here.get("/network")).status).toBe(200);
    expect((await there.get("/network")).status).toBe(303);
  });

  test("a link to follow only asks", async () => {
    const ann = await makeChannel(hub, "ann");
    const bob = await makeChannel(hub, "bob");
    const visitor = await member("ann");
    const asks = await visitor.get("/follow?f=&url=bob@hub.example");
    expect(asks.text).toContain("Connect with this channel?");
    expect((await visitor.get("/follow", { "accept-language": "de" })).text).toContain("<h1>Verbinden</h1>");
    const connected = () =>
      hub.db
        .selectFrom("abook")
        .select("abook_id")
        .where("abook_channel", "=", ann.channel_id)
        .where("abook_self", "=", 0)
        .execute();
    expect(await connected()).toEqual([]);
    expect((await visitor.post("/follow", { xchan: bob.channel_hash })).location).toBe("/connections?done=asked");
    expect(await connected()).toHaveLength(1);
  });

  test("a page of somebody is found at /@nick, too, by whoever may see it", async () => {
    const visitor = visitorOf(app, hub.config.host);
    expect((await visitor.get("/@alice")).location).toBe("/channel/alice");
    expect((await visitor.get("/@Nobody%2F..%2Fhelp")).location).toBe("/channel/Nobody%2F..%2Fhelp");
    expect((await visitor.get("/@")).status).toBe(404);
    expect((await visitor.get("/@alice@far.example")).status).toBe(404);
  });

  test("pages of the stream go on by key, without gaps and repetitions", async () => {
    const ann = await makeChannel(hub, "ann");
    for (let n = 0; n < 45; n++) {
      if (n % 3 === 0) hub.advance(1);
      await publicPost(ann, `number-${n}.`);
    }
    const visitor = await member("ann");
    const seen: number[] = [];
    let path: string | undefined = "/network";
    let count = 0;
    for (; path !== undefined; count++) {
      const { text } = await visitor.get(path);
      seen.push(...[...text.matchAll(/number-(\d+)\./g)].map((match) => Number(match[1])));
      path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(count).toBe(3);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => 44 - n));
  });

  test("hashtags are found as far as one may see them, each post once", async () => {
    const [ann, bob] = [await makeChannel(hub, "ann"), await makeChannel(hub, "bob")];
    await befriend(hub, ann, bob);
    await publicPost(ann, "tulips #garden");
    await privatePost(ann, "nettles #Garden");
    const found = async (visitor: Visitor) => wordsIn(await visitor.get("/search?tag=garden"), /tulips|nettles/g);
    expect(await found(visitorOf(app))).toEqual(["tulips"]);
    expect(await found(await member("bob"))).toEqual(["tulips"]);
    expect(await found(await member("ann"))).toEqual(["nettles", "tulips"]);
  });

  test("a channel page is narrowed by category and hashtag", async () => {
    const ann = await makeChannel(hub, "ann");
    await postItem(hub, ann, { body: "bread #rye", categories: ["Baking"], audience: nobody });
    await publicPost(ann, "bicycles");
    const shown = async (query: string) => wordsIn(await visitorOf(app).get(`/channel/ann${query}`), /bread|bicycles/g);
    expect(await shown("")).toEqual(["bicycles", "bread"]);
    expect(await shown("?f=&cat=Baking")).toEqual(["bread"]);
    expect(await shown("?tag=RYE")).toEqual(["bread"]);
    expect(await shown("?cat=Other")).toEqual([]);
    expect(await shown("?dbegin=2030-01-01")).toEqual([]);
  });

  test("markup of others stays theirs", async () => {
    const ann = await makeChannel(hub, "ann", { name: '<img src=x onerror="alert(1)">' });
    await postItem(hub, ann, {
      title: "<script>1</script>",
      body: "[b]ok[/b]<script>alert(2)</script>",
      categories: ['"><i>'],
      audience: nobody,
    });
    const { text } = await visitorOf(app).get("/channel/ann");
    expect(text).toContain("<strong>ok</strong>");
    expect(text).not.toMatch(/<img src=x|<script>|"><i>/);
  });

  test("a picture is uploaded, served to anybody and not sent twice", async () => {
    const ann = await makeChannel(hub, "ann");
    const visitor = await member("ann");
    const drawn = await visitorOf(app).get(`/photo/profile/m/${ann.channel_id}`);
    expect([drawn.status, drawn.headers.get("content-type")]).toEqual([200, "image/png"]);
    await visitor.get("/settings/profile");
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#247" } })
      .jpeg()
      .toBuffer();
    expect(
      (await visitor.post("/settings/profile/photo", { image: new File([new Uint8Array(bytes)], "me.jpg") })).location,
    ).toBe("/settings/profile?done=saved");
    const uploaded = await visitorOf(app).get(`/photo/profile/m/${ann.channel_id}`);
    expect(uploaded.headers.get("content-type")).toBe("image/jpeg");
    const known = await visitorOf(app).get(`/photo/profile/m/${ann.channel_id}`, {
      "if-none-match": uploaded.headers.get("etag")!,
    });
    expect(known.status).toBe(304);
    const again = await visitor.post("/settings/profile/photo", { image: new File(["not a picture"], "me.png") });
    expect([again.status, again.text.includes("This is not a picture")]).toEqual([422, true]);
    expect((await visitor.get(`/photo/profile/x/${ann.channel_id}`)).status).toBe(404);
  });

  test("another channel is made and used", async () => {
    await makeChannel(hub, "ann");
    const visitor = await member("ann");
    await visitor.get("/new_channel");
    expect((await visitor.post("/new_channel", { name: "Choir", nick: "choir", role: "king" })).status).toBe(422);
    expect((await visitor.post("/new_channel", { name: "Choir", nick: "choir", role: "forum" })).location).toBe(
      "/network?done=switched",
    );
    expect((await visitor.get("/network")).text).toContain('href="/channel/choir"');
    const bob = await makeChannel(hub, "bob");
    expect((await visitor.post("/manage", { channel: String(bob.channel_id), do: "use" })).status).toBe(404);
  });
});

/** So many of a list in a row, from where the one before this has left off. */
function someOf<T>(list: readonly T[], at: number, count: number): T[] {
  return Array.from({ length: count }, (_, n) => list[(at * count + n) % list.length]!);
}
