import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { isPureShare } from "../../bodies/share.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { nobody } from "../../identity/channels/observer.ts";
import { allowed, allowedTo } from "../../permissions/allowed.ts";
import { no } from "../queries.ts";
import type { Item } from "../types.ts";
import { passesFilter } from "./connection-filter.ts";
import type { Recipient } from "./recipients.ts";

/** Something public, as far as it says who takes it. */
export type Offered = Pick<Item, "author_id" | "owner_id" | "title" | "plain" | "lang">;

/**
 * The channels of this hub among `some`, by their ids, that take something for what it says, whether or not they are connected with
 * its author: nothing of people whom they do not want, nor of those whom the site limits. `wall`: the channel of this hub on whose wall
 * its thread is; that has to show it to everybody.
 */
export async function takersAmong(
  hub: Hub,
  some: Expression<SqlBool>,
  offered: Offered,
  wall: number | undefined,
): Promise<Recipient[]> {
  const uid = sql.ref<number>("channel.channel_id");
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .innerJoin("xchan as author", (join) => join.on("author.xchan_id", "=", offered.author_id))
    .leftJoin("abook", (join) =>
      join.onRef("abook.abook_channel", "=", "channel.channel_id").onRef("abook.abook_xchan", "=", "author.xchan_hash"),
    )
    .select(["channel.channel_id", "channel.channel_account_id", "xchan.xchan_id", "xchan.xchan_url"])
    .select(["abook.abook_incl", "abook.abook_excl"])
    .where(some)
    .where("channel.channel_removed", "=", no)
    .where("channel.channel_moved", "=", sql.lit(""))
    .where("author.xchan_censored", "=", no)
    .where(sql<SqlBool>`not exists (select 1 from (${unwantedBy(uid)}) as unwanted
      where unwanted.id in (${offered.author_id}, ${offered.owner_id}))`)
    .where(wall === undefined ? sql<SqlBool>`1 = 1` : shownToAll(wall))
    .orderBy("channel.channel_id")
    .execute();
  return rows.filter(({ abook_incl, abook_excl }) =>
    passesFilter({ abook_incl: abook_incl ?? "", abook_excl: abook_excl ?? "" }, offered),
  );
}

/** Those of them who want to see whose words a pure share repeats, as of one that comes from elsewhere (receiving/receive-share.ts). */
export async function takersOfShared(
  hub: Hub,
  { shared_id, body }: Pick<Item, "shared_id" | "body">,
  readers: readonly Recipient[],
): Promise<readonly Recipient[]> {
  if (shared_id === 0 || !isPureShare(body)) return readers;
  const ids = readers.map(({ channel_id }) => channel_id);
  const refusing = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where(isOneOf(hub.engine, sql.ref("channel_id"), ids))
    .where(sql<SqlBool>`(select author_id from message where id = ${shared_id})
      in (${unwantedBy(sql.ref("channel.channel_id"))})`)
    .execute();
  const refused = new Set(refusing.map(({ channel_id }) => channel_id));
  return readers.filter(({ channel_id }) => !refused.has(channel_id));
}

/** What the wall shows everybody, this reader among them. */
function shownToAll(wall: number): RawBuilder<SqlBool> {
  const reader = {
    hash: sql.ref<string>("channel.channel_hash"),
    channelId: sql.ref<number>("channel.channel_id"),
    native: true,
  };
  const everybody = allowed(nobody({ blockPublic: false }), "view_stream", wall);
  return sql<SqlBool>`(${everybody} and ${allowedTo(reader, "view_stream", wall)})`;
}
