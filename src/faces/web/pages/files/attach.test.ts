import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { only, put, staged } from "../../../../../test/support/files.ts";
import { makeChannel, openTestHub, password } from "../../../../../test/support/hub.ts";
import type { TestHub } from "../../../../../test/support/hub.ts";
import { befriend, mark, nobody } from "../../../../../test/support/people.ts";
import { visitorOf, withoutTokens } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { changeAudience, makeDirectory, remove } from "../../../../domain/cloud/change.ts";
import { newRevision } from "../../../../domain/cloud/upload.ts";
import type { File } from "../../../../domain/files/types.ts";
import { addMembers, createGroup } from "../../../../domain/groups/groups.ts";
import { setConfig } from "../../../../domain/identity/channels/channel-config.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { changeSite } from "../../../../domain/identity/site/site-settings.ts";
import type { Audience } from "../../../../domain/items/types.ts";
import { createApp } from "../../../../main.ts";

let hub: TestHub;
let app: Hono;
const channels = new Map<string, Channel>();
const visitors = new Map<string, Visitor>();

/** ann owns the files; bob is in her group, carol is connected, dora is blocked, eve is nobody to her. */
const nicks = ["ann", "bob", "carol", "dora", "eve"];

beforeAll(async () => {
  hub = await openTestHub();
  app = createApp(hub);
  for (const nick of nicks) {
    channels.set(nick, await makeChannel(hub, nick));
    const visitor = visitorOf(app);
    await visitor.logIn(nick, password);
    visitors.set(nick, visitor);
  }
  visitors.set("anonymous", visitorOf(app));
  for (const nick of ["bob", "carol", "dora"]) await befriend(hub, channel("ann"), channel(nick));
  await mark(hub, channel("ann"), channel("dora"), { blocked: true });
});
afterAll(() => hub.close());

const channel = (nick: string): Channel => channels.get(nick)!;
const everybody = [...nicks, "anonymous"];

async function groupOf(...members: string[]): Promise<string> {
  const { channel_id } = channel("ann");
  const group = await createGroup(hub, channel_id, `group ${Math.random()}`);
  await addMembers(
    hub,
    channel_id,
    group.id,
    members.map((nick) => channel(nick).channel_hash),
  );
  return group.hash;
}

let files = 0;

function store(
  more: Parameters<typeof put>[4] = {},
  name = `${++files}.txt`,
  bytes: Uint8Array | string = "secret words",
) {
  return put(hub, channel("ann"), name, bytes, { audience: nobody, ...more });
}

function see(nick: string, path: string, headers: Record<string, string> = {}): Promise<VisitedPage> {
  return visitors.get(nick)!.get(path, headers);
}

/** What a request tells that depends on the file. */
function tells({ status, text, headers }: VisitedPage, hash: string): unknown {
  const kept = [...headers].filter(([name]) => !["x-request-id", "set-cookie", "date"].includes(name));
  const page = withoutTokens(text)
    .replaceAll(hash, never)
    .replace(/Request [\w-]+/g, "");
  return { status, text: page, headers: Object.fromEntries(kept) };
}

const never = "0".repeat(64);
const ways: Record<string, string>[] = [
  {},
  { range: "bytes=0-3" },
  { range: "bytes=99999-" },
  { "if-none-match": "*" },
  { "if-none-match": "etag" },
  { range: "bytes=0-3", "if-range": "etag" },
];
let rounds = 0;

/**
 * Asks for the file at each of its addresses in some way, each time in another one; who may not see it must get what is answered
 * for a file that never was.
 */
async function isHidden(nick: string, { hash, revision }: File): Promise<void> {
  rounds += 1;
  const etag = `"${hash.slice(0, 32)}-${revision}"`;
  for (const [at, path] of ["", `/${revision}`, "/0", `/${revision}.txt`].entries()) {
    const way = Object.entries(ways[(rounds + at) % ways.length]!);
    const headers = Object.fromEntries(way.map(([name, value]) => [name, value === "etag" ? etag : value]));
    const hidden = tells(await see(nick, `/attach/${hash}${path}`, headers), hash);
    const unknown = tells(await see(nick, `/attach/${never}${path}`, headers), hash);
    expect([nick, path, headers, hidden]).toEqual([nick, path, headers, unknown]);
    expect(hidden).toMatchObject({ status: 404 });
  }
  const path = rounds % 2 === 0 ? "" : `/${revision}`;
  const cookie = [...visitors.get(nick)!.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const head = async (of: string) =>
    app.request(`http://hub.example/attach/${of}${path}`, { method: "HEAD", headers: { cookie, host: "hub.example" } });
  const [hidden, unknown] = [await head(hash), await head(never)];
  expect([hidden.status, hidden.headers.get("etag"), hidden.headers.get("content-length")]).toEqual([
    404,
    null,
    unknown.headers.get("content-length"),
  ]);
}

async function isSeenBy(file: File, ...seers: string[]): Promise<void> {
  for (const nick of everybody) {
    if (!seers.includes(nick)) {
      await isHidden(nick, file);
      continue;
    }
    const { status, text } = await see(nick, `/attach/${file.hash}`);
    expect([nick, status, text]).toEqual([nick, 200, "secret words"]);
  }
}

describe("who sees a file", () => {
  test("everybody but the blocked, when it names nobody", async () =>
    isSeenBy(await store(), "ann", "bob", "carol", "eve", "anonymous"));

  test("those it names", async () =>
    isSeenBy(await store({ audience: only(channel("bob"), channel("dora")) }), "ann", "bob"));

  test("the members of its groups", async () =>
    isSeenBy(await store({ audience: { ...nobody, allow_gid: [await groupOf("carol", "dora")] } }), "ann", "carol"));

  test("the connections, when it denies somebody", async () =>
    isSeenBy(await store({ audience: { ...nobody, deny_cid: [channel("bob").channel_hash] } }), "ann", "carol"));

  test("nobody of a denied group, though it names them", async () =>
    isSeenBy(
      await store({ audience: { ...only(channel("bob"), channel("carol")), deny_gid: [await groupOf("bob")] } }),
      "ann",
      "carol",
    ));

  test("those whom every directory above lets in too", async () => {
    const ann = channel("ann");
    const directory = (folder: string, audience: Audience = nobody) =>
      makeDirectory(hub, ann, ann, { folder, name: `directory ${++files}`, audience });
    const top = await directory("", { ...nobody, allow_gid: [await groupOf("bob", "carol")] });
    const middle = await directory(top.hash, { ...nobody, deny_cid: [channel("eve").channel_hash] });
    const bottom = await directory(middle.hash);
    const file = await store({ folder: { hash: bottom.hash } });
    await isSeenBy(file, "ann", "bob", "carol");
    await changeAudience(hub, ann, ann, bottom.hash, only(channel("carol")));
    await isSeenBy(file, "ann", "carol");
    await changeAudience(hub, ann, ann, top.hash, only(channel("bob")));
    await isSeenBy(file, "ann");
    for (const nick of ["bob", "anonymous"]) await isHidden(nick, top);
  });

  test("nobody sees the old revisions of what has become private", async () => {
    const ann = channel("ann");
    const old = await store();
    const { hash } = await newRevision(hub, ann, ann, old.hash, await staged(hub, "newer words"), "");
    expect((await see("eve", `/attach/${hash}/0`)).text).toBe("secret words");
    expect((await see("eve", `/attach/${hash}`)).text).toBe("newer words");
    await changeAudience(hub, ann, ann, hash, only(channel("bob")));
    for (const nick of ["eve", "carol", "dora", "anonymous"]) await isHidden(nick, old);
    expect((await see("bob", `/attach/${hash}/0.txt`)).text).toBe("secret words");
    await remove(hub, ann, ann, hash);
    for (const nick of everybody) await isHidden(nick, old);
  });

  test("those whom the channel lets see its storage", async () => {
    const file = await store();
    await setConfig(hub, channel("ann").channel_id, "perm_limits", "view_storage", "8");
    await isSeenBy(file, "ann", "bob", "carol");
    await setConfig(hub, channel("ann").channel_id, "perm_limits", "view_storage", "0");
    await isSeenBy(file, "ann");
    await setConfig(hub, channel("ann").channel_id, "perm_limits", "view_storage", "1");
    await changeSite(hub, { blockPublic: true });
    await isHidden("anonymous", file);
    await changeSite(hub, { blockPublic: false });
  });

  test("no directory is a download", async () => {
    const ann = channel("ann");
    const directory = await makeDirectory(hub, ann, ann, { folder: "", name: "Open", audience: nobody });
    for (const nick of everybody) await isHidden(nick, directory);
  });
});

describe("a download", () => {
  test("comes whole, in part, not again, and as headers", async () => {
    const { hash } = await store();
    const path = `/attach/${hash}`;
    const whole = await see("anonymous", path);
    const etag = whole.headers.get("etag")!;
    expect([whole.status, whole.text, whole.headers.get("content-length")]).toEqual([200, "secret words", "12"]);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    const part = await see("anonymous", path, { range: "bytes=7-" });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "words", "bytes 7-11/12"]);
    expect((await see("anonymous", path, { range: "bytes=-5" })).text).toBe("words");
    expect((await see("anonymous", path, { range: "bytes=12-" })).status).toBe(416);
    expect((await see("anonymous", path, { range: "bytes=7-", "if-range": etag })).status).toBe(206);
    expect((await see("anonymous", path, { range: "bytes=7-", "if-range": '"other"' })).status).toBe(200);
    expect((await see("anonymous", path, { "if-none-match": etag })).status).toBe(304);
    const head = await app.request(`http://hub.example${path}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "12", ""]);
  });

  test("is kept by no shared cache for those who are logged in", async () => {
    const { hash } = await store();
    expect((await see("bob", `/attach/${hash}`)).headers.get("cache-control")).toBe("private, no-cache");
    expect((await see("anonymous", `/attach/${hash}`)).headers.get("cache-control")).toBe("public, no-cache");
  });

  test("has another version when it has other bytes", async () => {
    const ann = channel("ann");
    const file = await store();
    const before = (await see("ann", `/attach/${file.hash}`)).headers.get("etag")!;
    await newRevision(hub, ann, ann, file.hash, await staged(hub, "other bytes!"), "");
    expect((await see("ann", `/attach/${file.hash}`, { "if-none-match": before })).text).toBe("other bytes!");
    expect((await see("ann", `/attach/${file.hash}/0`, { "if-none-match": before })).status).toBe(304);
  });

  test.each(["x", "-1", "1x", "0.", "0.a/b", "0.%00", "99999999999999999999", "1"])(
    "has no revision %s",
    async (revision) => {
      const { hash } = await store();
      expect((await see("ann", `/attach/${hash}/${revision}`)).status).toBe(404);
    },
  );

  test("is not found by part of its hash or other signs", async () => {
    const { hash } = await store();
    for (const name of [hash.slice(0, 63), `${hash}0`, "%25", "..%2f..%2fetc%2fpasswd", hash.toUpperCase()])
      expect([name, (await see("ann", `/attach/${name}`)).status]).toEqual([name, 404]);
  });

  test.each([
    ["page.html", "text/html", "text/plain", true],
    ["feed.xml", "application/rss+xml", "text/plain", true],
    ["drawing.svg", "image/svg+xml", "text/plain", true],
    ["style.css", "text/css", "text/plain", true],
    ["script.js", "application/javascript", "text/plain", true],
    ["fake.png", "image/png", "application/octet-stream", true],
    ["letter.pdf", "application/pdf", "application/pdf", true],
    ["letter.txt", "", "text/plain", true],
    ["song.mp3", "audio/mpeg", "audio/mpeg", false],
    ["film.mp4", "video/mp4", "video/mp4", false],
  ])("of %s declared as %s is %s", async (name, type, served, saved) => {
    const { hash } = await store({ type }, name, "<script>alert(1)</script>");
    const { headers, text } = await see("anonymous", `/attach/${hash}/0.html`);
    expect(text).toBe("<script>alert(1)</script>");
    expect(headers.get("content-type")).toBe(served);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition.startsWith("attachment; ")).toBe(saved);
  });

  test.each([
    ["../x", "x"],
    ["a/b", "b"],
    ["c\u0000on\u0007trol.txt", "control.txt"],
    ["two\r\nSet-Cookie: x=1.txt", "twoSet-Cookie: x=1.txt"],
    ["evil\u202egpj.exe", "evilgpj.exe"],
    ["\u200f\u2066right\u2069.txt", "right.txt"],
    ['"quoted"\\.txt', '"quoted"\\.txt'],
    ["Grüße 🌲.txt", "Grüße 🌲.txt"],
    ["%2e%2e%2f.txt", "%2e%2e%2f.txt"],
    [`${"long".repeat(100)}.txt`, `${"long".repeat(100).slice(0, 187)}.txt`],
  ])("of a file sent as %j is saved under a name without tricks", async (sent, name) => {
    const bob = channel("bob");
    const { hash, filename } = await put(hub, bob, sent, "x", { audience: nobody });
    expect(filename).toBe(name);
    const disposition = (await see("anonymous", `/attach/${hash}`)).headers.get("content-disposition")!;
    const [, ascii, extended] = /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w.~!#$&+^`|%-]+)$/.exec(
      disposition,
    )!;
    expect(ascii).toMatch(/^[\x20-\x7e]*$/);
    expect(decodeURIComponent(extended!)).toBe(name);
  });
});
