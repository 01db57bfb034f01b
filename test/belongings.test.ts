import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { allBelongings } from "../src/jobs/end-channel.ts";
import { openTestHub } from "./support/hub.ts";
import type { TestHub } from "./support/hub.ts";
import { deliver } from "./support/people.ts";
import { wholeChannel } from "./support/whole-channel.ts";

/** Nothing of a removed channel is left in the database, but what has a reason. */

/** What ends with the channel at once, or by steps that also see to bytes and to the copies of others. */
const otherwise = [
  "upload",
  "attach",
  "photo",
  "session",
  "oauth_client",
  "oauth_token",
  "oauth2_app",
  "oauth2_code",
  "oauth2_token",
];

/** What stays for a while or for good, and why. */
const stays: Record<string, string> = {
  channel: "its nick is nobody else's",
  item: "tombstones, so that nothing comes again; they go after 46 days",
  transport_key: "the channel signs that it is gone",
  inbox_recipient: "goes with what has arrived",
  abook: "its connection with itself, as its identity",
  config: "how far its permissions reached",
  import_run: "the account's list of what it has imported, which goes with the account",
};

let hub: TestHub;
let channel: Channel;

beforeAll(async () => {
  hub = await openTestHub();
  channel = await wholeChannel(hub, "whole");
});
afterAll(() => hub.close());

type Pointing = { table: string; column: string; columns: { name: string; dataType: string; isFilled: boolean }[] };

/** The tables with a column that names a channel. */
async function pointing(): Promise<Pointing[]> {
  const tables = await hub.db.introspection.getTables();
  return tables.flatMap(({ name, columns }) => {
    const column = columns.find((one) => /^(?:uid|chan|channel_id|\w+_uid|\w+_channel|\w+_channel_id)$/.test(one.name));
    if (!column || column.name === "account_default_channel") return [];
    const filled = columns.map(({ name, dataType, isNullable, hasDefaultValue, isAutoIncrementing }) => ({
      name,
      dataType,
      isFilled: isNullable || hasDefaultValue || isAutoIncrementing,
    }));
    return [{ table: name, column: column.name, columns: filled }];
  });
}

async function count({ table, column }: Pointing): Promise<number> {
  const left = sql<{ n: number }>`select cast(count(*) as integer) as n from ${sql.table(table)}
    where ${sql.ref(column)} = ${channel.channel_id}`;
  return (await left.execute(hub.db)).rows[0]!.n;
}

/** A row of the channel, whatever it says. */
async function fill({ table, column, columns }: Pointing): Promise<void> {
  const named = columns.filter(({ name, isFilled }) => name === column || (!isFilled && name !== "id"));
  const values = named.map(({ name, dataType }) =>
    name === column ? sql`${channel.channel_id}` : /int/i.test(dataType) ? sql`1` : sql`'x'`,
  );
  await sql`insert into ${sql.table(table)} (${sql.join(named.map(({ name }) => sql.ref(name)))})
    values (${sql.join(values)})`.execute(hub.db);
}

test("each table that names a channel is some area's, or has a reason", async () => {
  const named = new Set([...allBelongings.map(({ table }) => table as string), ...otherwise, ...Object.keys(stays)]);
  const tables = await pointing();
  expect(tables.map(({ table }) => table).filter((table) => !named.has(table))).toEqual([]);
  const known = new Set([...tables.map(({ table }) => table), "chat_line", "webhook_delivery"]);
  expect([...named].filter((table) => !known.has(table))).toEqual([]);
});

test("no row of a removed channel is left in them", async () => {
  const tables = (await pointing()).filter(({ table }) => !(table in stays));
  for (const one of tables) if (!otherwise.includes(one.table) && (await count(one)) === 0) await fill(one);
  const own = { uid: channel.channel_id, cat: "large", v: "", updated: hub.clock().toISOString() };
  const settings = Array.from({ length: 1200 }, (_, n) => ({ ...own, k: `key ${n}` }));
  await hub.db.insertInto("config").values(settings).execute();

  await removeChannel(hub, channel.channel_id);
  await deliver(hub);
  hub.advance(24 * 3600);
  await deliver(hub);
  const left = await Promise.all(tables.map(async (one) => [one.table, await count(one)] as const));
  expect(left.filter(([, rows]) => rows > 0)).toEqual([]);
  const { channel_id } = channel;
  const connections = hub.db.selectFrom("abook").select("abook_self").where("abook_channel", "=", channel_id);
  expect(await connections.execute()).toEqual([{ abook_self: 1 }]);
  const settingsLeft = hub.db.selectFrom("config").select("cat").distinct().where("uid", "=", channel_id);
  expect(await settingsLeft.execute()).toEqual([{ cat: "perm_limits" }]);
  const items = hub.db.selectFrom("item").select("id").where("uid", "=", channel.channel_id);
  expect(await items.where("item_deleted", "=", 0).execute()).toEqual([]);
  const lines = hub.db.selectFrom("chat_line").select("id").where("author_id", "=", channel.xchan_id);
  expect(await lines.execute()).toEqual([]);
});
