import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { folded } from "../../storage/sql.ts";
import { unwantedBy } from "../connections/unwanted.ts";
import { mayAuthenticate } from "../identity/accounts/accounts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

/** Somebody whom a text may mention by their address, a person or a group. */
export type Suggested = Pick<Xchan, "xchan_hash" | "xchan_name" | "xchan_addr" | "xchan_pubforum">;

const columns = ["xchan_hash", "xchan_name", "xchan_addr", "xchan_pubforum"] as const;

/**
 * Whom somebody means who begins to type a name: connections of the channel whose nick, or a word of whose name, begins so, the
 * closest first; after them people of this hub who do not hide. Nobody whom the channel has blocked or ignores.
 */
export async function suggestPeople(hub: Hub, channel: Channel, typed: string, count: number): Promise<Suggested[]> {
  const start = typed.toLowerCase();
  if (start === "" || start.length > 100) return [];
  const connected = await connectionsBeginning(hub, channel, start, count);
  if (connected.length === count) return connected;
  const known = new Set(connected.map(({ xchan_hash }) => xchan_hash));
  const others = await neighboursBeginning(hub, channel, start, count + known.size);
  return [...connected, ...others.filter(({ xchan_hash }) => !known.has(xchan_hash))].slice(0, count);
}

function connectionsBeginning(hub: Hub, channel: Channel, start: string, count: number): Promise<Suggested[]> {
  const name = folded(hub.engine, sql.ref("xchan_name"));
  const begins = (text: RawBuilder<unknown>) => sql<SqlBool>`substr(${text}, 1, ${[...start].length}) = ${start}`;
  const word = `% ${start.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(columns)
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_self", "=", sql.lit(0))
    .where("xchan_addr", "<>", "")
    .where("xchan_deleted", "=", 0)
    .where((x) => x.or([begins(sql`lower(xchan_addr)`), begins(name), sql<SqlBool>`${name} like ${word} escape '\\'`]))
    .where(sql<SqlBool>`xchan_id not in (${unwantedBy(channel.channel_id)})`)
    .orderBy("abook_closeness")
    .orderBy("xchan_name")
    .orderBy("xchan_id")
    .limit(count)
    .execute();
}

function neighboursBeginning(hub: Hub, channel: Channel, start: string, count: number): Promise<Suggested[]> {
  return hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .innerJoin("account", "account_id", "channel_account_id")
    .select(columns)
    .where("channel_address", ">=", start)
    .where("channel_address", "<", `${start}\u{10ffff}`)
    .where("channel_removed", "=", sql.lit(0))
    .where("channel_id", "<>", channel.channel_id)
    .where("xchan_hidden", "=", 0)
    .where("xchan_censored", "=", 0)
    .where(mayAuthenticate(hub))
    .where(sql<SqlBool>`xchan_id not in (${unwantedBy(channel.channel_id)})`)
    .orderBy("channel_address")
    .limit(count)
    .execute();
}
