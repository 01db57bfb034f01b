import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { ChannelTable } from "../../../storage/tables/identity.ts";
import type { Channel } from "../channels/channel.ts";
import { findChannelById } from "../channels/find-channel.ts";
import { applyLimit } from "../channels/limited.ts";
import { readNick } from "../channels/nicks.ts";
import { recordAppearance } from "../xchans/appearance.ts";

/** Channels that come with an identity of their own: imports (native contract 7.5, steps 1 and 4). */

type KeyFields = Pick<Channel, "channel_guid" | "channel_hash" | "channel_pubkey">;

/**
 * The channel of this hub that has this identity, if it is here. Throws conflict where the guid or the hash belongs to
 * somebody with another key, or the channel to another account. Hearsay about it counts for nothing.
 */
export async function findRestored(hub: Hub, accountId: number, identity: KeyFields): Promise<Channel | undefined> {
  await refuseOtherKeys(hub, identity);
  const row = await hub.db
    .selectFrom("channel")
    .select(["channel_id", "channel_account_id", "channel_removed"])
    .where("channel_hash", "=", identity.channel_hash)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.channel_account_id !== accountId) throw refusal("channel_of_another");
  if (row.channel_removed === 1) throw refusal("channel_was_removed");
  return findChannelById(hub, row.channel_id);
}

async function refuseOtherKeys(hub: Hub, { channel_guid, channel_hash, channel_pubkey }: KeyFields): Promise<void> {
  const known = await hub.db
    .selectFrom("xchan")
    .select(["xchan_guid", "xchan_hash", "xchan_pubkey"])
    .where((x) => x.or([x("xchan_hash", "=", channel_hash), x("xchan_guid", "=", channel_guid)]))
    .where("xchan_pubkey", "<>", "")
    .where("xchan_hearsay", "=", 0)
    .execute();
  const same = (one: (typeof known)[number]): boolean =>
    one.xchan_hash === channel_hash && one.xchan_guid === channel_guid && samePem(one.xchan_pubkey, channel_pubkey);
  if (!known.every(same)) {
    throw refusal("identity_has_other_key");
  }
}

function samePem(one: string, other: string): boolean {
  return one.replaceAll(/\s/g, "") === other.replaceAll(/\s/g, "");
}

/**
 * The nick itself, or with four digits where it is taken: always the same ones for the same `seed`, so that a dry run
 * can tell. Throws conflict, invalid.
 */
export async function freeNick(hub: Hub, wanted: string, seed: string): Promise<string> {
  const nick = readNick(wanted);
  let tried = nick;
  for (let round = 0; round <= 10; round++) {
    if (!(await isTaken(hub, tried))) return tried;
    tried = `${nick.slice(0, 60)}${digits(`${round} ${seed}`)}`;
  }
  throw refusal("nick_taken");
}

function digits(seed: string): string {
  const number = createHash("sha256").update(seed).digest().readUInt32BE() % 10_000;
  return String(number).padStart(4, "0");
}

async function isTaken(hub: Hub, nick: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_address", "=", nick)
    .executeTakeFirst();
  return row !== undefined;
}

export type RestoredChannel = Omit<
  Insertable<ChannelTable>,
  "channel_id" | "channel_account_id" | "channel_created" | "channel_updated"
>;

/** Writes the row of a channel; the first one of an account becomes its default. Part of a transaction. */
export async function insertRestored(hub: Hub, accountId: number, columns: RestoredChannel): Promise<number> {
  const { channel_id } = await hub.db
    .insertInto("channel")
    .values({ ...columns, channel_account_id: accountId, channel_created: now(hub), channel_updated: now(hub) })
    .returning("channel_id")
    .executeTakeFirstOrThrow();
  await hub.db
    .updateTable("account")
    .set({ account_default_channel: channel_id })
    .where("account_id", "=", accountId)
    .where("account_default_channel", "=", sql.lit(0))
    .execute();
  await applyLimit(hub, accountId);
  return channel_id;
}

/** Makes this hub the primary location of a channel, whatever it was before. */
export async function becomePrimary(hub: Hub, channelId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numUpdatedRows } = await hub.db
      .updateTable("channel")
      .set({ channel_primary: 1, channel_moved: "" })
      .where("channel_id", "=", channelId)
      .where((x) => x.or([x("channel_primary", "=", 0), x("channel_moved", "<>", "")]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await recordAppearance(hub, channelId);
  });
}
