import { createHash } from "node:crypto";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { removeAccount } from "../../../../domain/connections/remove-account.ts";
import { findAccount, setAccountFlag, setPassword } from "../../../../domain/identity/accounts/accounts.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import type { FetchOptions } from "../../../../fetch/fetch.ts";
import { makeKeys } from "../../../../keys.ts";
import type { KeyPair } from "../../../../keys.ts";
import { openTestApp } from "../../../../../test/support/app.ts";
import type { TestApp } from "../../../../../test/support/app.ts";
import { clientOf } from "../../../../../test/support/client.ts";
import { password } from "../../../../../test/support/hub.ts";
import { channelExport, itemsPage } from "../../../../../test/support/hubzilla.ts";
import { visitorOf, withoutTokens } from "../../../../../test/support/visitor.ts";
import type { VisitedPage, Visitor } from "../../../../../test/support/visitor.ts";
import { wholeChannel } from "../../../../../test/support/whole-channel.ts";

let app: TestApp;
let anna: Visitor;
let keys: KeyPair;
let elsewhere: Map<string, Hono>;

beforeEach(async () => {
  elsewhere = new Map();
  app = await openTestApp({ clock: "2026-12-01T12:00:00Z", fetch: (url, options = {}) => ask(url, options) });
  await app.person("anna");
  anna = visitorOf(app.app);
  await anna.logIn("anna", password);
  keys ??= (await makeKeys()).rsa;
});

afterEach(() => app.close());

/** Other hubs of this process, by their addresses. */
async function ask(url: string, options: FetchOptions): Promise<Response> {
  const other = elsewhere.get(new URL(url).origin);
  if (!other) throw new Error(`${new URL(url).hostname} does not answer`);
  const { method = "GET", headers = {}, body } = options;
  return other.request(url, { method, headers, ...(body !== undefined && { body: String(body) }) });
}

/** A hub of another program that gives out the recorded export, and more if it is told so. */
function hubOf(url: string): Hono {
  const foreign = new Hono();
  const value = { ...channelExport(keys), relocate: { channel_address: "alice", url } };
  foreign.get("/api/z/1.0/version", (context) => context.json({ version: "1" }));
  foreign.get("/api/z/1.0/channel/export/basic", (context) => context.json(value));
  elsewhere.set(url, foreign);
  return foreign;
}

const upload = (value: unknown): File =>
  new File([typeof value === "string" ? value : JSON.stringify(value)], "alice.json");
const plainText = (page: VisitedPage): string => page.text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function send(fields: Record<string, string | Blob>): Promise<VisitedPage> {
  await anna.get("/import");
  return anna.post("/import", { mode: "clone", posts: "1", url: "", login: "", password: "", nick: "", ...fields });
}

describe("an import from a file", () => {
  test("runs by itself and reports", async () => {
    const value = { ...channelExport(keys), item: itemsPage(keys)["item"] };
    const { status, location } = await send({ file: upload(value) });
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/import\/\d+$/)]);
    const before = await anna.get(location);
    expect(before.headers.get("refresh")).toBe("3");
    expect(before.text).toContain("under way");
    await app.work();
    const after = await anna.get(location);
    expect(after.headers.get("refresh")).toBeNull();
    expect(plainText(after)).toContain("Alice Example is here as alice@hub.example");
    expect(plainText(after)).toContain("Posts and comments 4 4 0 0");
    expect(plainText(after)).toContain("Connections: 1 left out, because its identity is not in the export");
    expect((await anna.get("/import")).text).toContain("alice.json");
    expect((await anna.get("/manage")).text).toContain("Alice Example");
  });

  test("leaves nothing of the file behind", async () => {
    await send({ file: upload(channelExport(keys)) });
    const [run] = await app.hub.db.selectFrom("import_run").select("blob").execute();
    expect(run!.blob).not.toBe("");
    await app.work();
    await expect(app.hub.blobs.read(run!.blob)).rejects.toMatchObject({ kind: "missing" });
    expect(await app.hub.db.selectFrom("import_run").select(["blob", "state"]).execute()).toEqual([
      { blob: "", state: "done" },
    ]);
  });

  test("that is refused says why", async () => {
    const { location } = await send({ file: upload({ hello: { you: 1 } }) });
    await app.work();
    const page = await anna.get(location);
    expect(page.text).toContain("does not say which program wrote it");
    expect(await app.hub.db.selectFrom("job").select("name").where("name", "=", "run-import").execute()).toEqual([]);
  });

  test("can be given up", async () => {
    const { location } = await send({ file: upload(channelExport(keys)) });
    expect((await send({ file: upload(channelExport(keys)) })).text).toContain("still under way");
    await anna.get(location);
    await anna.post(`${location}/end`, {});
    await app.work();
    expect((await anna.get(location)).text).toContain("You gave it up");
    expect(await findChannelByNick(app.hub, "alice")).toBeUndefined();
  });

  describe("of an account that is not there any more", () => {
    const what = async (): Promise<object[]> => app.hub.db.selectFrom("import_run").select(["state", "blob"]).execute();
    const isOver = [{ state: "failed", blob: "" }];

    test("ends where it is suspended, and says so when it is let in again", async () => {
      const { location } = await send({ file: upload(channelExport(keys)) });
      const account = (await findAccount(app.hub, "anna@example.org"))!.account_id;
      await setAccountFlag(app.hub, account, "blocked", true);
      await app.work();
      expect([await what(), await findChannelByNick(app.hub, "alice")]).toEqual([isOver, undefined]);
      await setAccountFlag(app.hub, account, "blocked", false);
      await anna.logIn("anna", password);
      expect((await anna.get(location)).text).toContain("The account was suspended while this was imported");
      await send({ file: upload(channelExport(keys)) });
      await app.work();
      expect(await findChannelByNick(app.hub, "alice")).toBeDefined();
    });

    test("makes no channel once it is removed", async () => {
      await send({ file: upload(channelExport(keys)) });
      const [run] = await app.hub.db.selectFrom("import_run").select("blob").execute();
      await removeAccount(app.hub, (await findAccount(app.hub, "anna@example.org"))!, undefined);
      await app.work();
      expect([await what(), await findChannelByNick(app.hub, "alice")]).toEqual([isOver, undefined]);
      await expect(app.hub.blobs.read(run!.blob)).rejects.toMatchObject({ kind: "missing" });
    });
  });

  test("is nobody else's business", async () => {
    const { location } = await send({ file: upload(channelExport(keys)) });
    await app.person("eve");
    const eve = visitorOf(app.app);
    await eve.logIn("eve", password);
    const unknown = await eve.get("/import/987654");
    const other = await eve.get(location);
    const plain = (page: VisitedPage): string =>
      withoutTokens(page.text).replaceAll(location, "").replaceAll("/import/987654", "");
    expect([other.status, unknown.status]).toEqual([404, 404]);
    expect(plain(other)).toBe(plain(unknown));
    expect((await eve.get("/import")).text).not.toContain("alice.json");
    await eve.get("/import");
    expect((await eve.post(`${location}/end`, {})).status).toBe(404);
    expect((await visitorOf(app.app).get("/import")).status).toBe(303);
    expect((await visitorOf(app.app).get(location)).location).toContain("/login");
  });

  test.each([
    [{}, "Choose the file"],
    [{ mode: "take over" }, "Choose what becomes"],
    [{ url: "ftp://hub.example", login: "a", password: "b" }, "not the address of a hub"],
    [{ url: "https://hub.example", password: "b" }, "who you are"],
    [{ url: "https://hub.example", login: "a" }, "your password"],
  ])("asks again for what is missing: %j", async (fields, sentence) => {
    const answer = await send(fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(sentence);
  });
});

describe("an import from another hub", () => {
  let old: TestApp;

  beforeEach(async () => {
    old = await openTestApp({ clock: "2026-03-01T12:00:00Z", env: { HUBBUB_BASE_URL: "http://a.example" } });
    elsewhere.set("http://a.example", old.app);
  });

  afterEach(() => old.close());

  test("fetches everything over its API", async () => {
    const alma = await wholeChannel(old.hub, "alma");
    app.hub.setClock(old.hub.clock());
    const household = (await findAccount(old.hub, "household@example.org"))!;
    await setPassword(old.hub, household.account_id, password);
    const started = await send({ url: "http://a.example/", login: "alma", password, mode: "moving" });
    await app.work();
    const page = await anna.get(started.location);
    expect(plainText(page)).toContain("Alma Ærlig is here as alma@hub.example");
    const copy = (await findChannelByNick(app.hub, "alma"))!;
    expect(copy.channel_hash).toBe(alma.channel_hash);
    // The old one knows: everybody is led here, and nobody writes there.
    const wall = (await visitorOf(old.app, "a.example").get("/channel/alma")).text;
    expect(wall).toContain('This channel has moved to <a href="http://hub.example/channel/alma">alma@hub.example</a>');
    const there = clientOf(old.app, `alma:${password}`);
    for (const [path, form] of [
      ["/api/z/1.0/item/update", { body: "Still here" }],
      ["/api/statuses/update", { status: "Still here" }],
      ["/api/z/1.0/xchan", { guid: "x" }],
      ["/api/favorites/create", { id: "1" }],
      ["/api/account/update_profile", { name: "A" }],
    ] as const)
      expect([path, (await there.post(path, form)).status]).toEqual([path, 403]);
    const tab = visitorOf(old.app, "a.example");
    await tab.logIn("alma", password);
    await tab.get("/settings/profile");
    const refused = await tab.post("/settings/profile", { name: "Alma again" });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("has moved to http://hub.example")]);
    expect((await there.get("/api/statuses/user_timeline")).status).toBe(200);
    expect((await there.get("/api/z/1.0/verify")).json).toMatchObject({ channel_moved: "http://hub.example" });
    expect(plainText(page)).toContain("The old hub was told that the channel has moved");
    // New posts go to those who still live there.
    const friend = (await findChannelByNick(old.hub, "bob"))!;
    await postItem(old.hub, friend, { body: "For those who are here" });
    await old.work();
    const got = await old.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .innerJoin("channel", "channel.channel_id", "item.uid")
      .select("channel_address")
      .where("body", "=", "For those who are here")
      .execute();
    const readers = got.map((row) => row.channel_address);
    expect([readers.includes("eve"), readers.includes("alma")]).toEqual([true, false]);
    const digests = async ({ hub }: TestApp, uid: number): Promise<string[]> => {
      const rows = await hub.db
        .selectFrom("attach")
        .select(["hash", "revision", "blob", "filesize"])
        .where("uid", "=", uid)
        .where("is_dir", "=", 0)
        .orderBy("hash")
        .orderBy("revision")
        .execute();
      return Promise.all(
        rows.map(async (row) => {
          const digest = createHash("sha256");
          for await (const chunk of await hub.blobs.read(row.blob)) digest.update(chunk as Buffer);
          return `${row.hash} ${row.revision} ${row.filesize} ${digest.digest("hex")}`;
        }),
      );
    };
    expect(await digests(app, copy.channel_id)).toEqual(await digests(old, alma.channel_id));
    // Threads of others were brought along for nobody else, and who saw them there nobody has said.
    const [thread] = await app.hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("message.uuid")
      .where("item.uid", "=", copy.channel_id)
      .where("message.body", "=", "Liked by somebody")
      .execute();
    expect((await anna.get(`/display/${thread!.uuid}`)).status).toBe(404);
    await anna.get("/manage");
    await anna.post("/manage", { channel: String(copy.channel_id) });
    expect(plainText(await anna.get(`/display/${thread!.uuid}`))).toContain("Visible to: As at a.example");
    const [run] = await app.hub.db.selectFrom("import_run").selectAll().orderBy("id", "desc").execute();
    expect(run!.options).not.toContain(password);
    const left = Object.values(
      (JSON.parse(run!.report) as { sections: Record<string, { left: object }> }).sections,
    ).map((one) => one.left);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((one) => Object.keys(one).length > 0)).toEqual([]);
  });

  test("says what to do when the old hub cannot be told", async () => {
    hubOf("http://deaf.example");
    const { location } = await send({ url: "http://deaf.example", login: "alice", password, mode: "moving" });
    await app.work();
    expect(plainText(await anna.get(location))).toContain("The old hub could not be told that the channel has moved");
  });

  test.each([
    ["when it answers again", 3, "The old hub was told that the channel has moved"],
    ["until it has been asked five times", 9, "The old hub could not be told that the channel has moved"],
  ])("tells an old hub that is silent %s", async (_, silent, sentence) => {
    const told: string[] = [];
    hubOf("http://tired.example").post("/api/z/1.0/channel/moved", async (context) => {
      told.push(await context.req.text());
      return context.body(null, told.length <= silent ? 503 : 200);
    });
    const { location } = await send({ url: "http://tired.example", login: "alice", password, mode: "moving" });
    await app.work();
    expect(plainText(await anna.get(location))).toContain("It is asked again a few times");
    for (const seconds of [60, 600, 3600, 6 * 3600, 24 * 3600]) {
      app.hub.advance(seconds);
      await app.work();
    }
    const page = plainText(await anna.get(location));
    expect(page).toContain(sentence);
    expect(page).not.toContain("It is asked again");
    const place = new URLSearchParams({ channel: "alice", url: "http://hub.example", nick: "alice" }).toString();
    expect(told).toEqual(Array.from({ length: Math.min(silent + 1, 5) }, () => place));
    const [run] = await app.hub.db.selectFrom("import_run").select("options").execute();
    expect(run!.options).not.toContain(password);
  });

  test("says when the password is wrong", async () => {
    await old.person("alma");
    const { location } = await send({ url: "http://a.example", login: "alma", password: "wrong" });
    await app.work();
    expect((await anna.get(location)).text).toContain("does not accept this login and password");
  });

  const export_page = "/api/z/1.0/item/export_page";
  const file_page = "/api/z/1.0/file/export_page";
  const many = (page: number): object => ({ items_total: "4000000", item: postsOf(page) });
  const none = (): object => ({ items_total: "0", item: [] });
  const file = (page: number): object => ({
    success: true,
    results: [{ attach: [{ hash: `f${page}`, is_dir: "1" }] }],
  });

  /** A page of posts that no other page has. */
  function postsOf(page: number): unknown[] {
    const [post] = itemsPage(keys)["item"] as Record<string, unknown>[];
    const mid = `https://hz.test/item/page-${page}`;
    return [{ ...post, message_id: mid, message_top: mid, message_parent: mid }];
  }

  test.each([
    ["posts, one page", 1, many, file, "the same posts again and again", 6],
    ["posts, five pages", 5, many, file, "the same posts again and again", 30],
    ["files, one page", 1, none, file, "the same files again and again", 6],
    ["files, seven pages", 7, none, file, "the same files again and again", 40],
    ["too many posts", 1, () => ({ items_total: "5000001" }), file, "more posts than anybody has", 1],
  ])("is given up when it would go on for ever: %s", async (_, round, items, files, sentence, most) => {
    let asked = 0;
    const turn = (url: string): number => (asked++, Number(new URL(url).searchParams.get("page")) % round);
    const trap = hubOf("http://trap.example");
    trap.get(export_page, (context) => context.json(items(turn(context.req.url))));
    trap.get(file_page, (context) => context.json(files(turn(context.req.url))));
    const { location } = await send({ url: "http://trap.example", login: "alice", password });
    await app.work();
    expect((await anna.get(location)).text).toContain(sentence);
    expect(asked).toBeLessThanOrEqual(most);
    expect((await send({ file: upload(channelExport(keys)) })).status).toBe(303);
  });

  test.each([
    ["deep", "[", "nested too deeply"],
    ["wide", "[],", "too many values"],
  ])("is given up, and read no further, when a page is %s", async (_, piece, sentence) => {
    const trap = hubOf("http://trap.example");
    const pieces = Buffer.from(piece.repeat(20_000));
    let given = 0;
    const pull = (body: ReadableStreamDefaultController): void => {
      given += 1;
      body.enqueue(given === 1 ? Buffer.from('{"items_total":"1","item":[') : pieces);
    };
    trap.get(export_page, () => new Response(new ReadableStream({ pull })));
    const { location } = await send({ url: "http://trap.example", login: "alice", password });
    await app.work();
    expect((await anna.get(location)).text).toContain(sentence);
    expect(given).toBeLessThan(40);
  });

  test("waits for a hub that does not answer", async () => {
    const { location } = await send({ url: "http://silent.example", login: "alma", password });
    await app.work();
    expect((await anna.get(location)).text).toContain("under way");
    const jobs = await app.hub.db
      .selectFrom("job")
      .select(["name", "attempts"])
      .where("name", "=", "run-import")
      .execute();
    expect(jobs).toEqual([{ name: "run-import", attempts: 1 }]);
    // The way is free again when nobody tries any more.
    expect((await send({ file: upload(channelExport(keys)) })).text).toContain("still under way");
    await app.hub.db.updateTable("job").set({ dead: 1 }).where("name", "=", "run-import").execute();
    expect((await send({ file: upload(channelExport(keys)) })).status).toBe(303);
    expect((await anna.get(location)).text).toContain("You gave it up");
  });
});
