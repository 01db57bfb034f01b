import { randomBytes } from "node:crypto";
import { afterCommit, inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import type { Channel } from "./channel.ts";
import { lockChannels } from "./lock-channels.ts";
import { forgetSender, identityKeyName } from "./senders.ts";

/**
 * The keys with which channels sign requests. That is the key of the identity until it is rotated for the first time; the
 * identity itself (`xchan_hash`, `guid_sig`, signatures of posts) stays with its own key for good.
 */

/** A public key by the name under which the channel's document has it. */
export type TransportKey = { name: string; pem: string };

/** What others may check signatures of the channel by: the key in use first, then those that were in use lately. */
export async function transportKeysOf(
  hub: Hub,
  { channel_id, channel_pubkey }: Pick<Channel, "channel_id" | "channel_pubkey">,
): Promise<TransportKey[]> {
  const rows = await hub.db
    .selectFrom("transport_key")
    .select(["name", "pubkey as pem"])
    .where("channel_id", "=", channel_id)
    .orderBy((eb) => eb.case().when("retired", "=", zeroDate).then(0).else(1).end())
    .orderBy("retired", "desc")
    .execute();
  return rows.length > 0 ? rows : [{ name: identityKeyName, pem: channel_pubkey }];
}

/** So long the key before is published beside the new one (federation contract 1.3). */
const keptFor = 48 * 3600 * 1000;

/**
 * Has the channel sign with a new key, and tells those elsewhere who are connected with it. The old one still holds for 48 hours,
 * so that what is under way arrives, but nothing new is signed with it. Answers the name of the new one.
 */
export async function rotateKeys(
  hub: Hub,
  { channel_id: uid, channel_pubkey }: Pick<Channel, "channel_id" | "channel_pubkey">,
): Promise<string> {
  const { rsa } = await hub.makeKeys();
  const name = `key-${randomBytes(6).toString("hex")}`;
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const [created, retired] = [now(hub), now(hub)];
    const { numUpdatedRows } = await hub.db
      .updateTable("transport_key")
      .set({ retired, prvkey: "" })
      .where("channel_id", "=", uid)
      .where("retired", "=", zeroDate)
      .executeTakeFirst();
    const before = { channel_id: uid, name: identityKeyName, pubkey: channel_pubkey, prvkey: "", created, retired };
    const next = { channel_id: uid, name, pubkey: rsa.publicKey, prvkey: rsa.privateKey, created, retired: zeroDate };
    await hub.db
      .insertInto("transport_key")
      .values(numUpdatedRows === 0n ? [before, next] : [next])
      .execute();
    await recordAppearance(hub, uid);
    afterCommit(hub, () => forgetSender(hub, uid));
  });
  return name;
}

/** Takes keys that were replaced 48 hours ago out of the documents of their channels; a scheduled job. */
export async function dropOldKeys(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  await inTransaction(hub, async (hub) => {
    const dropped = await hub.db
      .deleteFrom("transport_key")
      .where("retired", ">", zeroDate)
      .where("retired", "<=", oldest)
      .returning("channel_id")
      .execute();
    for (const uid of new Set(dropped.map(({ channel_id }) => channel_id))) await recordAppearance(hub, uid);
  });
}
