import { createWriteStream, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { unpackTar } from "modern-tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { findChannelById } from "../src/domain/identity/channels/channels.ts";
import { listEntry } from "../src/domain/export/archive-layout.ts";
import { exportArchive } from "../src/domain/export/archive.ts";
import type { ImportRun } from "../src/domain/import/run-state.ts";
import type { Report } from "../src/domain/import/report.ts";
import { importNow, tryImport } from "../src/domain/import/start.ts";
import { createApp } from "../src/main.ts";
import { clientOf } from "./support/client.ts";
import { makeAccount, openTestHub, password } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { wholeChannel } from "./support/whole-channel.ts";

/**
 * A channel with some of everything moves from a hub on SQLite to one on the engine of this run, and is the same there but
 * for what native contract 7.6 says must differ.
 */

const clock = "2026-03-01T12:00:00Z";
const moving = { mode: "moving", nick: "", posts: true } as const;

let here: TestHub;
let there: TestHub;
let before: Record<string, unknown>;
let after: Record<string, unknown>;
let run: ImportRun;
let predicted: Report;
let archive: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-trip-"));
  here = await openTestHub({
    clock,
    env: {
      HUBBUB_BASE_URL: "http://a.example",
      HUBBUB_DATABASE_URL: `sqlite:${join(folder, "a.db")}`,
      HUBBUB_DATA: folder,
    },
  });
  const alma = await wholeChannel(here, "alma");
  const file = join(folder, "alma.tar");
  before = await archiveOf(here, alma, file);
  there = await openTestHub({ clock: here.clock(), env: { HUBBUB_BASE_URL: "http://b.example" } });
  const account = await makeAccount(there, "alma@example.org");
  archive = file;
  predicted = await tryImport(there, account.account_id, { file }, moving);
  run = await importNow(there, account.account_id, { file }, moving, () => undefined);
  const copy = (await findChannelById(there, run.channelId))!;
  after = await archiveOf(there, copy, join(folder, "copy.tar"));
});

afterAll(async () => {
  await here?.close();
  await there?.close();
});

/** The entries of the channel's archive but for their list: JSON read, bytes as they are. */
async function archiveOf(hub: TestHub, channel: Channel, file: string): Promise<Record<string, unknown>> {
  await pipeline(Readable.fromWeb(exportArchive(hub, channel) as never), createWriteStream(file));
  const all = await unpackTar(readFileSync(file));
  const entries = all.filter(({ header }) => !header.name.startsWith(listEntry));
  return Object.fromEntries(
    entries.map(({ header, data }) => {
      const bytes = Buffer.from(data ?? []);
      return [header.name, header.name.endsWith(".json") ? JSON.parse(bytes.toString()) : bytes.toString("base64")];
    }),
  );
}

/** Ids, and what follows from the hub: these may differ. */
const different = new Set(
  `id uid aid parent oid tid iid gid chan account_id channel_id channel_account_id abook_id abook_account abook_channel
  abook_updated hubloc_id cr_id cr_aid cr_uid app_channel obj_id obj_channel atoken_id atoken_aid atoken_uid convid
  llink relocate fetch_url signature xchan_photo_date xchan_name_date hubloc_updated hubloc_connected hubloc_sitekey
  hubloc_url_sig obj_baseurl baseurl updated channel_lastpost sig`.split(/\s+/),
);

/** What is left when the hub is taken out. */
function plain(value: unknown, name = ""): unknown {
  // Of who is known from hearsay, one size of their picture is.
  if (name === "photo" && typeof value === "string") return unmoved(value).replace("/profile/s/", "/profile/m/");
  if (typeof value === "string") return unmoved(value);
  if (Array.isArray(value)) return inOrder(value.map((entry) => plain(entry)));
  if (typeof value !== "object" || value === null) return value;
  if (name === "photo" && "data" in value) return value;
  const entries = Object.entries(value).filter(
    ([key]) =>
      !different.has(key) &&
      !(key === "item_verified" && isStranger("author", value)) &&
      !(key === "flags" && isStranger("owner", value)),
  );
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry, key)]));
}

/** Keys of others are hearsay there, so nobody can check what they wrote, and their threads are for Alma alone. */
function isStranger(role: "author" | "owner", item: object): boolean {
  return role in item && (item as Record<string, { name: string }>)[role]!.name !== "Alma Ærlig";
}

/** Items of the same second stand in the order in which they were stored. */
function inOrder(values: unknown[]): unknown[] {
  const key = (value: unknown): string => {
    const { message_id = "", created = "", revision = "", tag = "" } = value as Record<string, string>;
    return message_id + tag === "" ? "" : `${created} ${message_id} ${revision} ${tag}`;
  };
  const isItem = (value: unknown): boolean => typeof value === "object" && value !== null && key(value) !== "";
  return values.every(isItem) ? values.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)) : values;
}

function unmoved(text: string): string {
  return text
    .replaceAll(/\/display\/b64\.([\w-]+)/g, (_, id: string) =>
      Buffer.from(id, "base64url")
        .toString()
        .replace("/item/", "/display/")
        .replace(/^.*(?=\/display)/, ""),
    )
    .replaceAll("a.example", "b.example")
    .replaceAll(/\/photo\/profile\/([lms])\/\d+/g, "/photo/profile/$1/N")
    .replaceAll(/\/mail\/\d+/g, "/mail/N")
    .replaceAll(/\/connedit\/\d+/g, "/connections");
}

function section(archive: Record<string, unknown>, name: string): any {
  return plain((archive["channel.json"] as Record<string, unknown>)[name], name);
}

test("nothing stayed behind", () => {
  const left = Object.entries(run.report.sections).flatMap(([name, entry]) =>
    Object.entries(entry.left).map((one) => [name, ...one]),
  );
  expect(left).toEqual([]);
  const remarks = Object.entries(run.report.sections).flatMap(([name, { remarks = {} }]) =>
    Object.keys(remarks).map((remark) => [name, remark]),
  );
  expect(remarks).toEqual([["abook", "who lives at your former hub is looked up there, to be reached from here"]]);
  expect(run.state).toBe("done");
});

describe("what comes out is what went in", () => {
  const same =
    `profile photo abook xchan group group_member atoken config term followed_tag draft obj likes app sysapp chatroom event
    event_item menu webpages conv mail wiki`.split(/\s+/);

  test.each(same)("%s", (name) => {
    const [one, other] = [section(before, name), section(after, name)];
    expect(one === undefined || one.length === 0 ? name : "").toBe(name === "sysapp" ? "sysapp" : "");
    expect(other).toEqual(one);
  });

  test("channel", () => {
    expect(section(after, "channel")).toEqual(section(before, "channel"));
  });

  test("who follows whom, and who is blocked without a connection", async () => {
    const rows = await there.db
      .selectFrom("abook")
      .innerJoin("xchan", "xchan_hash", "abook_xchan")
      .select(["xchan_name", "follow_out", "follow_in", "abook_blocked", "abook_unconnected"])
      .where("abook_channel", "=", run.channelId)
      .where("xchan_name", "in", ["Bob", "Gina", "Hugo"])
      .orderBy("xchan_name")
      .execute();
    const nothing = { abook_blocked: 0, abook_unconnected: 0 };
    expect(rows).toEqual([
      { xchan_name: "Bob", follow_out: "accepted", follow_in: "accepted", ...nothing },
      { xchan_name: "Gina", follow_out: "none", follow_in: "accepted", ...nothing },
      { xchan_name: "Hugo", follow_out: "none", follow_in: "none", abook_blocked: 1, abook_unconnected: 1 },
    ]);
    const marks = there.db.selectFrom("abconfig").select("k").where("cat", "=", "hubbub");
    expect(await marks.execute()).toEqual([]);
  });

  test("hubloc: the old location is left, this one is primary", () => {
    const locations = (archive: Record<string, unknown>): unknown =>
      section(archive, "hubloc").map((one: Record<string, string>) => [
        one["hubloc_addr"],
        one["hubloc_primary"],
        one["hubloc_deleted"],
      ]);
    expect(locations(before)).toContainEqual(["alma@b.example", "1", "0"]);
    expect(locations(after)).toEqual(
      expect.arrayContaining([
        ["alma@b.example", "0", "1"],
        ["alma@b.example", "1", "0"],
      ]),
    );
  });

  test("items, files and bytes", () => {
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const name of Object.keys(before)) {
      if (name !== "channel.json") expect([name, plain(after[name])]).toEqual([name, plain(before[name])]);
    }
  });
});

describe("what Alma did elsewhere", () => {
  type Seen = Record<string, unknown>;
  const bothApis = (hub: TestHub) => clientOf(createApp(hub), `alma:${password}`);

  /** What she is shown, without what names the hub. */
  async function shown(hub: TestHub): Promise<Seen> {
    const api = bothApis(hub);
    const native = async (query: Record<string, unknown>): Promise<unknown> => {
      const { json } = await api.get("/api/z/1.0/network/stream", { records: 100, ...query });
      return json.map((item: any) => [
        item.body,
        item.author.name,
        item.created,
        item.item_unseen,
        item.item_starred,
        item.item_mentionsme,
        item.verb,
      ]);
    };
    const statuses = async (path: string): Promise<unknown> => {
      const { json } = await api.get(`/api/${path}`, { count: 100 });
      // Others name her as they did, by an address that was hers.
      return json.map((one: any) => [one.text.toLowerCase(), one.user.name, one.favorited, one.created_at]);
    };
    const notices = (await api.get("/api/svc/notifications")).json.map((one: any) => ({
      ...one,
      id: 0,
      msg_html: "",
      iid: one.iid > 0,
      parent: one.parent > 0,
      uid: 0,
    }));
    return {
      stream: await native({}),
      starred: await native({ star: 1, nouveau: 1 }),
      unread: await native({ unseen: 1, nouveau: 1 }),
      filed: await native({ file: "Recipes", nouveau: 1 }),
      favourites: await statuses("favorites"),
      mentions: await statuses("statuses/mentions"),
      notices,
    };
  }

  test.each(["starred", "unread", "filed", "favourites", "mentions", "notices"])("%s", async (name) => {
    const [one, other] = [(await shown(here))[name], (await shown(there))[name]];
    expect(one).not.toEqual([]);
    expect(plain(other)).toEqual(plain(one));
  });
});

/** Every row of every table, but for the notes about imports. */
async function allRows({ db }: TestHub): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const { name } of await db.introspection.getTables()) {
    const found = await db
      .selectFrom(name as "item")
      .selectAll()
      .execute();
    if (name !== "import_run") rows[name] = found.map((row) => JSON.stringify(row)).toSorted();
  }
  return rows;
}

test("a dry run said what the report says", () => {
  expect(predicted).toEqual(run.report);
});

test("doing it again changes no row and counts nothing, as a dry run says before", async () => {
  const rows = await allRows(there);
  expect(Object.values(rows).filter((some) => some.length > 0).length).toBeGreaterThan(25);
  there.advance(3600);
  const expected = await tryImport(there, run.accountId, { file: archive }, moving);
  const again = await importNow(there, run.accountId, { file: archive }, moving, () => undefined);
  expect(again.state).toBe("done");
  const changed = Object.entries(again.report.sections).filter(([, entry]) => entry.found !== entry.there);
  expect(changed).toEqual([]);
  expect(await allRows(there)).toEqual(rows);
  expect(expected).toEqual(again.report);
});
