import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { cache } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import type { Tables } from "../../../storage/tables/index.ts";

/** In whose name something goes to other hubs: what they know the channel by, and its key. */
export type Sender = { nick: string; key: KeyObject };

/** Parsing a key costs more than using it. */
const senders = cache<number, Sender>(1000);

/**
 * Who signs for a channel, the site's own included. Also for one that is removed, as long as it has its keys: others have to be
 * told (federation contract 18.2). Undefined when there is none.
 */
export async function senderOf(hub: Hub, channelId: number): Promise<Sender | undefined> {
  const known = senders(hub).get(channelId);
  if (known) return known;
  const row = await hub.db
    .selectFrom("channel")
    .select(["channel_address", "channel_prvkey"])
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  if (!row || row.channel_prvkey === "") return undefined;
  const sender = { nick: row.channel_address, key: createPrivateKey(row.channel_prvkey) };
  senders(hub).set(channelId, sender);
  return sender;
}

/**
 * Removed channels of which this is true have nothing more to say: their keys are cleared (federation contract 18.2).
 */
export async function clearKeysOf(
  hub: Hub,
  isSilent: (eb: ExpressionBuilder<Tables, "channel">) => Expression<SqlBool>,
): Promise<void> {
  const rows = await hub.db
    .updateTable("channel")
    .set({ channel_prvkey: "", channel_ed25519_prvkey: "" })
    .where("channel_removed", "=", 1)
    .where("channel_prvkey", "<>", "")
    .where(isSilent)
    .returning("channel_id")
    .execute();
  for (const { channel_id } of rows) senders(hub).delete(channel_id);
}
