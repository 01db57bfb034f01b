import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeKeys } from "../../keys.ts";
import type { KeyPair } from "../../keys.ts";
import { everything, newcomer } from "../../../test/support/people.ts";
import { makeAccount, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { channelExport, itemsPage, jsonFile, longExport, signed } from "../../../test/support/hubzilla.ts";
import type { Json } from "../../../test/support/hubzilla.ts";
import { makeShare } from "../bodies/share.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { findChannelByNick } from "../identity/channels/channels.ts";
import { rememberDeletedElsewhere } from "../items/deleted-ids.ts";
import { postItem } from "../items/posting/post.ts";
import { insertRun, loadRun } from "./run-state.ts";
import type { ImportOptions } from "./run-state.ts";
import { runImport } from "./run.ts";
import { fileSource } from "./sources/file-source.ts";
import { importNow, tryImport } from "./start.ts";

/** What imports do with many items, with odd ones, and when they are cut off. */

let hub: TestHub;
let account: Account;
let keys: KeyPair;
let top: Json;
let comment: Json;

beforeEach(async () => {
  hub = await openTestHub({ clock: "2026-12-01T12:00:00Z" });
  account = await makeAccount(hub, "alice@example.org");
  keys ??= (await makeKeys()).rsa;
  [top, comment] = itemsPage(keys)["item"];
});

afterEach(() => hub.close());

const clone: ImportOptions = { mode: "clone", nick: "", posts: true };

const bringFile = (file: string) => importNow(hub, account.account_id, { file }, clone, () => undefined);
const bring = (items: Json[], more: Json = {}) => bringFile(jsonFile({ ...channelExport(keys), ...more, item: items }));
const itemRows = () =>
  hub.db.selectFrom("item").innerJoin("message", "message.id", "message_id").selectAll().orderBy("item.id").execute();
const bodies = async () => (await itemRows()).map((row) => row.body);

/** Signed by the channel, as the other program signs. */
const post = (number: number, fields: Json = {}): Json => {
  const mid = `https://hz.test/item/00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const body = (fields["body"] as string | undefined) ?? `Post ${number}`;
  const ids = { message_id: mid, message_top: mid, message_parent: mid, permalink: mid, body };
  return { ...structuredClone(top), ...ids, signature: `sha256.${signed(keys, body)}`, ...fields };
};

const answer = (number: number, to: Json, fields: Json = {}): Json => ({
  ...structuredClone(comment),
  message_id: `https://hz.test/item/c${number}`,
  message_top: to["message_top"],
  message_parent: to["message_id"],
  body: `Answer ${number}`,
  ...fields,
});

describe("an import that is cut off", () => {
  test.each([0, 1, 2, 4, 6])("after step %i goes on where it was", async (steps) => {
    const file = jsonFile({});
    await longExport(file, keys, 350, { sentences: 2 });
    let count = 0;
    const cut = importNow(hub, account.account_id, { file }, clone, () => {
      if (count++ === steps) throw new Error("the power fails");
    });
    await expect(cut).rejects.toThrow("the power fails");
    expect(await hub.db.selectFrom("import_run").select("state").execute()).toEqual([{ state: "running" }]);
    const run = await bringFile(file);
    expect(run.report.sections["item"]).toEqual({ found: 420, imported: 420, there: 0, left: {} });
    expect(run.report.sections["abook"]).toMatchObject({ found: 2, imported: 1 });
    expect(await hub.db.selectFrom("import_run").select("state").execute()).toEqual([{ state: "done" }]);
    expect(await itemRows()).toHaveLength(420);
  });

  test("that pauses after every step comes to its end all the same", async () => {
    const file = jsonFile({});
    await longExport(file, keys, 350, { sentences: 2 });
    const options = { accountId: account.account_id, source: "x", options: clone, blob: "" };
    const run = await insertRun(hub, options);
    let turns = 1;
    while (!(await runImport(hub, run.id, await fileSource(file), { pause: () => true }))) turns += 1;
    expect(turns).toBeGreaterThan(3);
    expect((await loadRun(hub, run.id)).report.sections["item"]).toMatchObject({ found: 420, imported: 420 });
  });

  test("another file is another import", async () => {
    const cut = importNow(hub, account.account_id, { file: jsonFile(channelExport(keys)) }, clone, () => {
      throw new Error("the power fails");
    });
    await expect(cut).rejects.toThrow("the power fails");
    await bring([post(1)]);
    expect(await hub.db.selectFrom("import_run").select("state").orderBy("id").execute()).toEqual([
      { state: "running" },
      { state: "done" },
    ]);
  });
});

test("a quotation of a post that this hub knows to be deleted comes without its words", async () => {
  const mid = "https://far.example/item/1";
  await rememberDeletedElsewhere(hub, mid, "2026-11-01 00:00:00");
  const quoted = makeShare({
    author: "X",
    profile: "",
    avatar: "",
    link: "",
    posted: "",
    messageId: mid,
    body: "Damsons",
  });
  const foreign = { body: `Look: ${quoted}` };
  await bring([post(1, foreign), answer(1, post(1, foreign), foreign)]);
  const rows = await itemRows();
  expect(rows.map(({ body, item_verified }) => [body.includes("Damsons"), item_verified])).toEqual([
    [false, 1],
    [false, 0],
  ]);
  expect(rows.every(({ body, html }) => body.includes("Look:") && html.includes("This post was removed"))).toBe(true);
});

describe("threads", () => {
  test("find together whatever order they come in", async () => {
    const one = post(1);
    const first = answer(1, one);
    const second = answer(2, first);
    const run = await bring([second, first, one]);
    expect(run.report.sections["item"]).toEqual({ found: 3, imported: 3, there: 0, left: {} });
    const rows = Object.fromEntries((await itemRows()).map((row) => [row.body, row]));
    expect(rows["Answer 2"]).toMatchObject({ parent: rows["Post 1"]!.parent });
    expect(rows["Answer 2"]!.thr_parent).toBe(rows["Answer 1"]!.mid);
    const ids = await hub.db
      .selectFrom("item")
      .select(["id", "parent", "thr_parent_id", "answers_me"])
      .orderBy("id")
      .execute();
    // The top came in the first round, the answers in the second, the later one first.
    expect(ids).toEqual([
      { id: ids[0]!.id, parent: ids[0]!.id, thr_parent_id: ids[0]!.id, answers_me: 0 },
      { id: ids[1]!.id, parent: ids[0]!.id, thr_parent_id: ids[2]!.id, answers_me: 0 },
      { id: ids[2]!.id, parent: ids[0]!.id, thr_parent_id: ids[0]!.id, answers_me: 1 },
    ]);
  });

  test("without their top stay behind and are named", async () => {
    const run = await bring([answer(1, post(1)), post(2)]);
    expect(run.report.sections["item"]).toEqual({
      found: 2,
      imported: 1,
      there: 0,
      left: { "its thread is not in the export": { count: 1, examples: ["https://hz.test/item/c1"] } },
    });
    expect(await bodies()).toEqual(["Post 2"]);
  });
});

describe("items", () => {
  test("that are newer replace what is here, older ones do not", async () => {
    await bring([post(1, { edited: "2026-07-26 00:00:00" })]);
    await bring([post(1, { body: "Newer", edited: "2026-07-27 00:00:00" })]);
    expect(await bodies()).toEqual(["Newer"]);
    const run = await bring([post(1, { body: "Older", edited: "2026-07-25 00:00:00" })]);
    expect(run.report.sections["item"]).toMatchObject({ imported: 0, there: 1 });
    expect(await bodies()).toEqual(["Newer"]);
  });

  test("of programs that store texts escaped are decoded, and signed again when the channel wrote them", async () => {
    const body = "1 &lt; 2 &amp;&amp; &quot;yes&quot; &amp;lt;";
    await bring([post(1, { body, title: "a &amp; b" })]);
    const [row] = await itemRows();
    expect(row).toMatchObject({ body: '1 < 2 && "yes" &lt;', title: "a & b", item_verified: 1 });
    expect(row!.sig).toBe(signed(keys, row!.body));
    expect(row!.html).toContain("1 &lt; 2");
  });

  test("of ours are taken as they are", async () => {
    await bring([post(1, { body: "&lt;" })], { compatibility: { project: "hubbub", database: 1188 } });
    expect(await bodies()).toEqual(["&lt;"]);
  });

  test("with flags as bits, old ids and old names of fields are read", async () => {
    const old = post(1, {
      message_id: `${"ab".repeat(32)}@hz.test`,
      message_top: undefined,
      message_parent: undefined,
      permalink: undefined,
      item_flags: 0x4 | 0x20 | 0x4000,
      item_restrict: 0x40,
      flags: ["nsfw"],
      diaspora_meta: { a: 1 },
    });
    for (const name of Object.keys(old))
      if (/^item_(starred|wall|retained|hidden|type|nsfw|blocked)$/.test(name)) delete old[name];
    await bring([JSON.parse(JSON.stringify(old))]);
    expect((await itemRows())[0]).toMatchObject({
      mid: `${"ab".repeat(32)}@hz.test`,
      item_starred: 1,
      item_wall: 1,
      item_retained: 1,
      item_type: 3,
      item_nsfw: 1,
      item_blocked: 0,
      fed_meta: '{"a":1}',
      plink: `http://hub.example/display/${"ab".repeat(32)}@hz.test`,
    });
  });

  test.each([
    ["no id", { message_id: "" }, "it has no id or no author"],
    ["no date", { created: "yesterday" }, "it has no date"],
    ["a program for a body", { mimetype: "application/x-php" }, "its content is a program"],
    ["an end that has passed", { expires: "2026-08-01 00:00:00" }, "it has expired"],
    ["been deleted", { item_deleted: 1 }, "it was deleted"],
  ])("that have %s stay behind", async (_, fields, reason) => {
    const { report } = await bring([post(1, fields), post(2)]);
    expect(Object.keys(report.sections["item"]!.left)).toEqual([reason]);
    expect(await bodies()).toEqual(["Post 2"]);
  });

  test("of strange shapes do no harm", async () => {
    const strange: unknown[] = [
      null,
      7,
      "text",
      [],
      {},
      { message_id: {} },
      { ...post(1), owner: 5 },
      { ...post(2), tags: [null, { tag: {} }] },
      { ...post(3), meta: [{ family: "x", key: "y", value: { deep: ["\u0000"] } }], title: 5, body: "nul\u0000 here" },
    ];
    const file = jsonFile({});
    writeFileSync(file, JSON.stringify({ ...channelExport(keys), item: strange }));
    const { report } = await bringFile(file);
    expect(report.sections["item"]).toMatchObject({ found: 9, imported: 3 });
    expect((await bringFile(file)).report.sections["item"]).toMatchObject({ found: 9, imported: 0, there: 3 });
  });

  test("with pages keep lists, kinds and names", async () => {
    const page = post(1, {
      item_type: "3",
      allow_cid: "<x>",
      meta: [{ family: "system", key: "WEBPAGE", value: "about", sharing: 0 }],
    });
    const { report } = await bring([], { webpages: [page] });
    expect(report.sections["webpages"]).toMatchObject({ imported: 1 });
    expect((await itemRows())[0]).toMatchObject({ item_type: 3, allow_cid: "<x>", item_private: 1 });
    const channel = (await findChannelByNick(hub, "alice"))!;
    expect(await hub.db.selectFrom("iconfig").select(["k", "v", "uid"]).execute()).toEqual([
      { k: "WEBPAGE", v: "about", uid: channel.channel_id },
    ]);
  });
});

describe("what belongs to others of this hub", () => {
  const personOf = async (nick: string): Promise<Json> => {
    const channel = (await findChannelByNick(hub, nick))!;
    return {
      name: nick,
      address: `${nick}@hub.example`,
      url: "http://hub.example/channel/x",
      network: "zot",
      guid: channel.channel_guid,
      guid_sig: channel.channel_guid_sig,
      hash: channel.channel_hash,
    };
  };

  test("cannot be put into their mouths", async () => {
    await newcomer(hub, "bob");
    const forged = post(1, { author: await personOf("bob"), body: "I am a fool", signature: "" });
    const { report } = await bring([forged, answer(1, post(1), { author: await personOf("bob") })]);
    expect(report.sections["item"]!.imported).toBe(0);
    expect(Object.keys(report.sections["item"]!.left)).toContain(
      "it says that somebody of this hub wrote it, and nothing proves that",
    );
    expect(await bodies()).toEqual([]);
  });

  test("is not shown by way of an import that only knows its id", async () => {
    const bob = await newcomer(hub, "bob");
    const secret = await postItem(hub, bob, {
      body: "Secret",
      audience: { allow_cid: [bob.channel_hash], allow_gid: [], deny_cid: [], deny_gid: [] },
    });
    const guess = post(1, {
      message_id: secret.mid,
      message_top: secret.mid,
      message_parent: secret.mid,
      author: await personOf("bob"),
      body: "?",
    });
    const before = await everything(hub);
    const { report } = await bring([guess]);
    expect(Object.keys(report.sections["item"]!.left)).toEqual([
      "this hub knows it with another text, from somebody else",
    ]);
    expect((await everything(hub)).item).toEqual(before.item);
  });

  test("keeps its text when an import has another one", async () => {
    const bob = await newcomer(hub, "bob");
    const open = await postItem(hub, bob, { body: "Open" });
    const other = post(1, {
      message_id: open.mid,
      message_top: open.mid,
      message_parent: open.mid,
      author: await personOf("bob"),
      owner: await personOf("bob"),
      body: "Changed",
      edited: "2027-01-01 00:00:00",
      item_wall: 0,
    });
    await bring([other]);
    await bring([other]);
    expect(new Set(await bodies())).toEqual(new Set(["Open"]));
  });

  test("an unknown author with an address of this hub is nobody", async () => {
    const ghost = {
      name: "Ghost",
      address: "ghost@hub.example",
      url: "http://hub.example/channel/ghost",
      network: "zot",
      guid: "g",
      guid_sig: "s",
      hash: "h",
    };
    const { report } = await bring([post(1, { author: ghost })]);
    expect(Object.keys(report.sections["item"]!.left)).toEqual(["nothing tells who its author or its owner is"]);
  });
});

test("a dry run counts what an import does, odd items included", async () => {
  const one = post(1);
  const items = [answer(2, one), one, one, answer(3, post(9)), post(3, { created: "x" }), answer(4, one)];
  const file = jsonFile({ ...channelExport(keys), item: items });
  const report = await tryImport(hub, account.account_id, { file }, clone);
  expect(report).toEqual((await bringFile(file)).report);
});
