import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeKeys } from "../../keys.ts";
import type { KeyPair } from "../../keys.ts";
import { makeAccount, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { channelExport, itemsPage, jsonFile, signed } from "../../../test/support/hubzilla.ts";
import type { Json } from "../../../test/support/hubzilla.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { createChannel, findChannelByNick } from "../identity/channels/channels.ts";
import { getConfig } from "../identity/channels/channel-config.ts";
import { importNow, tryImport } from "./start.ts";
import type { ImportOptions } from "./run-state.ts";

let hub: TestHub;
let account: Account;
let keys: KeyPair;

beforeEach(async () => {
  // The recordings are of November 2026.
  hub = await openTestHub({ clock: "2026-12-01T12:00:00Z" });
  account = await makeAccount(hub, "alice@example.org");
  keys ??= (await makeKeys()).rsa;
});

afterEach(() => hub.close());

const clone: ImportOptions = { mode: "clone", nick: "", posts: true };

const bring = (value: Json, options: Partial<ImportOptions> = {}) =>
  importNow(hub, account.account_id, { file: jsonFile(value) }, { ...clone, ...options }, () => undefined);

const alice = async () => (await findChannelByNick(hub, "alice"))!;

const refusal = async (value: Json, options: Partial<ImportOptions> = {}): Promise<string> => {
  const error = await bring(value, options).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  return error?.message ?? "";
};

/** All rows of the tables that an import writes, without what may differ. */
async function everything() {
  const tables = [
    ["channel", "channel_id"],
    ["xchan", "xchan_id"],
    ["hubloc", "hubloc_id"],
    ["profile", "id"],
    ["config", "id"],
    ["abook", "abook_id"],
    ["abconfig", "id"],
    ["pgrp", "id"],
    ["pgrp_member", "id"],
    ["message", "id"],
    ["item", "id"],
    ["term", "tid"],
    ["iconfig", "id"],
    ["photo", "id"],
  ] as const;
  const rows: Record<string, unknown[]> = {};
  for (const [table, key] of tables) {
    rows[table] = await hub.db
      .selectFrom(table as "item")
      .selectAll()
      .orderBy(key as "id")
      .execute();
  }
  return rows;
}

describe("the recorded export of another program", () => {
  test("comes over: identity, profile, limits, role, connections, groups", async () => {
    const run = await bring(channelExport(keys));
    expect(run.state).toBe("done");
    const channel = await alice();
    expect(channel).toMatchObject({
      channel_name: "Alice Example",
      channel_primary: 0,
      channel_account_id: account.account_id,
      channel_guid_sig: signed(keys, channel.channel_guid),
      channel_hash: "aJT8PDnz8uldetbdKaEVRadi6D0UYtsbPhx4mD5QPXSXTwtGm06GDEvM3AdKfGT8M9lkotaQSG1GxO_L45zDZQ",
      channel_default_group: "e1d0584c-764e-4d4d-a3cd-142dbb1870ef",
    });
    expect(await getConfig(hub, channel.channel_id, "system", "permissions_role")).toBe("social");
    expect(await getConfig(hub, channel.channel_id, "perm_limits", "post_comments")).toBe("256");
    const groups = await hub.db.selectFrom("pgrp").select("gname").orderBy("id").execute();
    expect(groups.map((group) => group.gname)).toEqual(["Friends", "Family", "Work"]);
    const own = await hub.db.selectFrom("profile").selectAll().where("uid", "=", channel.channel_id).execute();
    expect(own).toMatchObject([{ is_default: 1, fullname: "Alice Example", publish: 1 }]);
    const connections = await hub.db
      .selectFrom("abook")
      .innerJoin("xchan", "xchan_hash", "abook_xchan")
      .select(["xchan_addr", "abook_self", "abook_closeness", "follow_out", "follow_in", "xchan_network"])
      .where("abook_channel", "=", channel.channel_id)
      .orderBy("abook_id")
      .execute();
    // Bob's identity is not in the shortened recording.
    expect(connections).toEqual([
      {
        xchan_addr: "alice@hub.example",
        abook_self: 1,
        abook_closeness: 0,
        follow_out: "none",
        follow_in: "none",
        xchan_network: "zot",
      },
      {
        xchan_addr: "carol@hz.test",
        abook_self: 0,
        abook_closeness: 80,
        follow_out: "requested",
        follow_in: "none",
        xchan_network: "zot",
      },
    ]);
    expect(run.report.sections["abook"]).toMatchObject({ found: 2, imported: 1, there: 0 });
    expect(run.report.sections["xchan"]).toEqual({ found: 3, imported: 3, there: 0, left: {} });
    expect(run.report.warnings[0]).toContain("1253");
  });

  test("is the account's default channel, with a location here that is not the primary one", async () => {
    await bring(channelExport(keys));
    const row = await hub.db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    expect(row.account_default_channel).toBe((await alice()).channel_id);
    const locations = await hub.db
      .selectFrom("hubloc")
      .select(["hubloc_url", "hubloc_primary", "hubloc_deleted", "hubloc_network"])
      .where("hubloc_hash", "=", (await alice()).channel_hash)
      .orderBy("hubloc_id")
      .execute();
    expect(locations).toEqual([
      { hubloc_url: "https://hz.test", hubloc_primary: 1, hubloc_deleted: 0, hubloc_network: "zot" },
      { hubloc_url: "http://hub.example", hubloc_primary: 0, hubloc_deleted: 0, hubloc_network: "zot" },
    ]);
  });

  test.each([
    ["primary", 0],
    ["moving", 1],
  ] as const)("mode %s makes this hub the primary location", async (mode, deleted) => {
    await bring(channelExport(keys), { mode });
    const channel = await alice();
    expect(channel.channel_primary).toBe(1);
    const locations = await hub.db
      .selectFrom("hubloc")
      .select(["hubloc_url", "hubloc_primary", "hubloc_deleted"])
      .where("hubloc_hash", "=", channel.channel_hash)
      .orderBy("hubloc_id")
      .execute();
    expect(locations).toEqual([
      { hubloc_url: "https://hz.test", hubloc_primary: 0, hubloc_deleted: deleted },
      { hubloc_url: "http://hub.example", hubloc_primary: 1, hubloc_deleted: 0 },
    ]);
    const xchan = await hub.db
      .selectFrom("xchan")
      .selectAll()
      .where("xchan_hash", "=", channel.channel_hash)
      .executeTakeFirstOrThrow();
    expect(xchan).toMatchObject({ xchan_addr: "alice@hub.example", xchan_url: "http://hub.example/channel/alice" });
  });

  test("a hub of the smallest kind is always moved from", async () => {
    const value = channelExport(keys);
    value["compatibility"].server_role = "basic";
    await bring(value);
    expect((await alice()).channel_primary).toBe(1);
  });

  test("keeps the keys that its proofs are made with, also when it comes again without them", async () => {
    const stored = () =>
      hub.db
        .selectFrom("channel")
        .select(["channel_ed25519_pubkey", "channel_ed25519_prvkey"])
        .where("channel_address", "=", "alice")
        .executeTakeFirstOrThrow();
    const { publicKey, privateKey } = (await makeKeys()).ed25519;
    const pair = { channel_ed25519_pubkey: publicKey, channel_ed25519_prvkey: privateKey };
    const value = channelExport(keys);
    Object.assign(value["channel"], pair);
    await bring(value);
    expect(await stored()).toEqual(pair);
    await bring(channelExport(keys));
    expect(await stored()).toEqual(pair);
  });

  test("its page of items follows, with threads, dates, tags and signatures", async () => {
    await bring(channelExport(keys));
    const run = await bring(itemsPage(keys));
    expect(run.report.sections["item"]).toEqual({ found: 4, imported: 4, there: 0, left: {} });
    const channel = await alice();
    const items = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .selectAll("item")
      .select(["mid", "parent_mid", "edited", "item_verified", "sig", "plink", "uuid", "obj", "body"])
      .where("item.uid", "=", channel.channel_id)
      .orderBy("item.id")
      .execute();
    expect(items.map((item) => [item.created, item.item_thread_top, item.item_verified, item.parent])).toEqual([
      ["2026-07-25 12:46:15", 1, 1, items[0]!.id],
      ["2026-07-25 12:48:15", 0, 0, items[0]!.id],
      ["2026-07-25 12:50:15", 0, 0, items[0]!.id],
      ["2026-07-25 12:52:15", 0, 0, items[0]!.id],
    ]);
    expect(items[0]).toMatchObject({
      mid: "https://hz.test/item/1abbed6d-a0ac-460f-a0e8-c992ee9eb776",
      uuid: "1abbed6d-a0ac-460f-a0e8-c992ee9eb776",
      plink: "http://hub.example/item/1abbed6d-a0ac-460f-a0e8-c992ee9eb776",
      commented: "2026-07-25 12:52:15",
      comment_policy: "authenticated",
      author_id: channel.xchan_id,
      owner_id: channel.xchan_id,
      item_origin: 1,
      item_wall: 1,
    });
    const terms = await hub.db
      .selectFrom("term")
      .select(["term", "url", "ttype"])
      .where("message_id", ">", 0)
      .execute();
    expect(terms).toEqual([{ term: "topic109", url: "http://hub.example/search?tag=topic109", ttype: 1 }]);
    expect(await hub.db.selectFrom("notify").selectAll().execute()).toEqual([]);
    const jobs = await hub.db.selectFrom("job").select("name").execute();
    expect(jobs.filter(({ name }) => name.startsWith("deliver"))).toEqual([]);
  });

  test.each(["clone", "moving"] as const)("again and again changes nothing and counts nothing, as %s", async (mode) => {
    await bring(channelExport(keys), { mode });
    await bring(itemsPage(keys));
    const before = await everything();
    hub.advance(3600);
    const [run, page] = [await bring(channelExport(keys), { mode }), await bring(itemsPage(keys))];
    expect(await everything()).toEqual(before);
    for (const section of ["channel", "config", "profile", "xchan", "hubloc", "abook", "group", "group_member"])
      expect([section, run.report.sections[section]]).toEqual([section, expect.objectContaining({ imported: 0 })]);
    expect(page.report.sections["item"]).toMatchObject({ imported: 0, there: 4 });
  });
});

test("an export may be packed", async () => {
  const file = jsonFile({});
  const packed = gzipSync(JSON.stringify(channelExport(keys)));
  writeFileSync(file, packed);
  expect((await importNow(hub, account.account_id, { file }, clone, () => undefined)).state).toBe("done");
  writeFileSync(file, packed.subarray(0, packed.length - 200));
  await expect(importNow(hub, account.account_id, { file }, clone, () => undefined)).rejects.toThrow(
    "archive_unpacks_up_to",
  );
});

test("an export without the channel's own connection row comes over", async () => {
  const value = channelExport(keys);
  value["abook"] = value["abook"].filter((one: Json) => String(one["abook_self"]) !== "1");
  const run = await bring(value);
  const own = hub.db.selectFrom("abook").select("abook_xchan").where("abook_self", "=", 1);
  expect((await own.where("abook_channel", "=", run.channelId).execute()).length).toBe(1);
});

describe("what is refused as a whole, with nothing written", () => {
  const cases: [string, (value: Json) => void, string][] = [
    ["an export of nobody knows what", (value) => delete value["compatibility"], "export_without_program"],
    ["a variant of the program", (value) => (value["compatibility"].codebase = "zap"), "export_of_a_variant"],
    ["no channel", (value) => delete value["channel"], "export_without_channel"],
    ["a forged signature", (value) => (value["channel"].channel_guid += "x"), "identity_forged"],
    ["no private key", (value) => (value["channel"].channel_prvkey = "@PRIVATE-KEY@"), "private_key_unreadable"],
  ];

  test.each(cases)("%s", async (_, spoil, code) => {
    const before = await everything();
    const value = channelExport(keys);
    spoil(value);
    expect(await refusal(value)).toContain(code);
    expect(await everything()).toEqual(before);
    const [run] = await hub.db.selectFrom("import_run").select(["state", "report"]).execute();
    expect(run).toMatchObject({ state: "failed" });
    expect(run!.report).toContain(code);
  });

  test("a private key that belongs to somebody else", async () => {
    const value = channelExport(keys);
    value["channel"].channel_prvkey = (await makeKeys()).rsa.privateKey;
    expect(await refusal(value)).toContain("private_key_not_fitting");
  });

  test("keys for proofs that are none, or do not belong together", async () => {
    const [one, other] = [(await makeKeys()).ed25519, (await makeKeys()).ed25519];
    const withPair = (publicKey: string, privateKey: string): Json => {
      const value = channelExport(keys);
      value["channel"].channel_ed25519_pubkey = publicKey;
      value["channel"].channel_ed25519_prvkey = privateKey;
      return value;
    };
    expect(await refusal(withPair(one.publicKey, other.privateKey))).toContain("private_key_not_fitting");
    expect(await refusal(withPair(keys.publicKey, one.privateKey))).toContain("public_key_unreadable");
    expect(await refusal(withPair(one.publicKey, "x"))).toContain("private_key_unreadable");
  });

  test("an identity that is known here with another key", async () => {
    await bring(channelExport(keys));
    expect(await refusal(channelExport((await makeKeys()).rsa))).toContain("identity_has_other_key");
  });

  test("a channel of another account", async () => {
    await bring(channelExport(keys));
    account = await makeAccount(hub, "eve@example.org");
    expect(await refusal(channelExport(keys))).toContain("channel_of_another");
  });

  test.each([
    ["Account address,Show boosts,Notify on new posts\nbob@far.example,true,false\n", "a CSV list of Mastodon"],
    ['<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"></rss>', "an export of WordPress"],
    [
      '{"version":"2","schema":1516,"baseurl":"https://f.example","user":{"uid":1},"contact":[]}',
      "an export of Friendica",
    ],
    ["window.YTD.tweets.part0 = [ {} ]", "a part of an archive of Twitter"],
    ["PK\u0003\u0004 xx data/tweets.js", "an archive of Twitter"],
    ['{"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json"}', "a part of an archive of Mastodon"],
  ])("the format of others, by its name: %j", async (text, name) => {
    const file = jsonFile({});
    writeFileSync(file, text);
    await expect(importNow(hub, account.account_id, { file }, clone, () => undefined)).rejects.toThrow(name);
    const again = importNow(hub, account.account_id, { file: jsonFile(channelExport(keys)) }, clone, () => undefined);
    expect((await again).state).toBe("done");
  });

  test.each(["", "{", "[1]", '{"compatibility": {"project"', "nothing"])("a file with %j", async (text) => {
    const file = jsonFile({});
    writeFileSync(file, text);
    await expect(importNow(hub, account.account_id, { file }, clone, () => undefined)).rejects.toThrow(/export/);
  });
});

describe("identities", () => {
  test("that are forged are left out and named", async () => {
    const value = channelExport(keys);
    value["xchan"][1].xchan_guid_sig = value["xchan"][0].xchan_guid_sig;
    const { report } = await bring(value);
    expect(report.sections["xchan"]).toMatchObject({
      imported: 2,
      left: { "it is forged: its signature does not fit its key": { count: 1, examples: ["carol@hz.test"] } },
    });
    expect(report.sections["abook"]).toMatchObject({ found: 2, imported: 0 });
    expect(await hub.db.selectFrom("xchan").selectAll().where("xchan_addr", "=", "carol@hz.test").execute()).toEqual(
      [],
    );
  });

  test("that are known stay as they are", async () => {
    const value = channelExport(keys);
    await bring(value);
    value["xchan"][0].xchan_name = "Somebody else";
    await bring(value);
    const names = await hub.db
      .selectFrom("xchan")
      .select("xchan_name")
      .where("xchan_addr", "=", "quinn@hz.test")
      .execute();
    expect(names).toEqual([{ xchan_name: "Quinn Example" }]);
  });

  test("cannot take addresses of this hub", async () => {
    const value = channelExport(keys);
    value["xchan"][0].xchan_addr = "admin@hub.example";
    const { report } = await bring(value);
    expect(Object.keys(report.sections["xchan"]!.left)).toEqual([
      "it has an address of this hub, where nobody knows it",
    ]);
  });

  test("old flags count where single ones are missing", async () => {
    const value = channelExport(keys);
    for (const name of Object.keys(value["xchan"][0]))
      if (name === "xchan_hidden" || name === "xchan_pubforum") delete value["xchan"][0][name];
    value["xchan"][0].xchan_flags = 33;
    const [self, , carol] = value["abook"];
    for (const name of ["abook_blocked", "abook_ignored", "abook_archived"]) delete carol[name];
    carol.abook_flags = 1 + 8;
    delete carol.abconfig;
    carol.abook_their_perms = 0x4000 + 1;
    expect(self.abook_self).toBe(1);
    await bring(value);
    const quinn = await hub.db
      .selectFrom("xchan")
      .selectAll()
      .where("xchan_addr", "=", "quinn@hz.test")
      .executeTakeFirst();
    expect(quinn).toMatchObject({ xchan_hidden: 1, xchan_pubforum: 1, xchan_system: 0 });
    const row = await hub.db
      .selectFrom("abook")
      .selectAll()
      .where("abook_xchan", "=", carol.abook_xchan)
      .executeTakeFirst();
    expect(row).toMatchObject({ abook_blocked: 1, abook_ignored: 0, abook_archived: 1, follow_out: "accepted" });
    const grants = await hub.db
      .selectFrom("abconfig")
      .select(["cat", "k"])
      .where("xchan", "=", carol.abook_xchan)
      .where("v", "=", "1")
      .where("cat", "=", "their_perms")
      .orderBy("id")
      .execute();
    expect(grants.map(({ k }) => k)).toEqual(["view_stream", "view_pages", "view_wiki"]);
    const mine = await hub.db.selectFrom("abconfig").selectAll().where("cat", "=", "my_perms").execute();
    expect(mine).toHaveLength(18);
  });
});

describe("the nick", () => {
  test("gets four digits where it is taken", async () => {
    await createChannel(hub, account, { nick: "alice", name: "Alice here" });
    const predicted = await tryImport(hub, account.account_id, { file: jsonFile(channelExport(keys)) }, clone);
    const run = await bring(channelExport(keys));
    const channel = await hub.db
      .selectFrom("channel")
      .selectAll()
      .where("channel_id", "=", run.channelId)
      .executeTakeFirstOrThrow();
    expect(channel.channel_address).toMatch(/^alice\d{4}$/);
    expect(predicted.warnings).toContain(`The nick would be ${channel.channel_address}.`);
  });

  test("may be chosen, and addresses follow it", async () => {
    await bring(channelExport(keys), { nick: "Lis", mode: "moving" });
    const page = itemsPage(keys);
    const body = "See https://hz.test/photos/alice/image/1 and https://hz.test/channel/bob";
    Object.assign(page["item"][0], { body, signature: `sha256.${signed(keys, body)}` });
    await bring(page, { nick: "lis" });
    const message = await hub.db.selectFrom("message").selectAll().orderBy("id").executeTakeFirstOrThrow();
    expect(message.body).toBe("See http://hub.example/photos/lis/image/1 and https://hz.test/channel/bob");
    expect(message.sig).toBe(signed(keys, message.body));
    expect(message.item_verified).toBe(1);
  });

  test("cannot be a reserved word", async () => {
    expect(await refusal(channelExport(keys), { nick: "api" })).toContain("reserved");
  });
});

describe("a dry run", () => {
  test("tells what would come over and writes nothing", async () => {
    const before = await everything();
    const value = { ...channelExport(keys), item: itemsPage(keys)["item"] };
    const report = await tryImport(hub, account.account_id, { file: jsonFile(value) }, clone);
    expect(await everything()).toEqual(before);
    expect(await hub.db.selectFrom("import_run").selectAll().execute()).toEqual([]);
    const { report: real } = await bring(value);
    expect(report).toEqual(real);
  });

  test("refuses what the import would", async () => {
    const value = channelExport(keys);
    value["channel"].channel_guid += "x";
    const file = jsonFile(value);
    await expect(tryImport(hub, account.account_id, { file }, clone)).rejects.toThrow("forged");
  });
});
