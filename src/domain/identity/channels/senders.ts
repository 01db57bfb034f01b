import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { cache } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import type { Tables } from "../../../storage/tables/index.ts";

/** In whose name something goes to other hubs: what they know the channel by, and its key with the name that it has there. */
export type Sender = { nick: string; keyName: string; key: KeyObject };

/** Under which the key of the identity is published. */
export const identityKeyName = "main-key";

/** Parsing a key costs more than using it. */
const senders = cache<number, { sender: Sender; until: number }>(1000);

/** Another process may have rotated the keys; the ones before are good for much longer. */
const trustedFor = 60_000;

/**
 * Who signs for a channel, the site's own included. Also for one that is removed, as long as it has its keys: others have to be
 * told (federation contract 18.2). Undefined when there is none.
 */
export async function senderOf(hub: Hub, channelId: number): Promise<Sender | undefined> {
  const moment = hub.clock().getTime();
  const known = senders(hub).get(channelId);
  if (known && known.until > moment) return known.sender;
  const row = await hub.db
    .selectFrom("channel")
    .leftJoin("transport_key", (join) =>
      join.onRef("transport_key.channel_id", "=", "channel.channel_id").on("retired", "=", zeroDate),
    )
    .select(["channel_address", "channel_prvkey", "name", "prvkey"])
    .where("channel.channel_id", "=", channelId)
    .executeTakeFirst();
  if (!row || row.channel_prvkey === "") return undefined;
  const key = createPrivateKey(row.prvkey ?? row.channel_prvkey);
  const sender = { nick: row.channel_address, keyName: row.name ?? identityKeyName, key };
  senders(hub).set(channelId, { sender, until: moment + trustedFor });
  return sender;
}

/** Another key is in use. */
export function forgetSender(hub: Hub, channelId: number): void {
  senders(hub).delete(channelId);
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
  const ids = rows.map(({ channel_id }) => channel_id);
  await hub.db
    .updateTable("transport_key")
    .set({ prvkey: "" })
    .where(isOneOf(hub.engine, sql.ref("channel_id"), ids))
    .execute();
  for (const id of ids) forgetSender(hub, id);
}
