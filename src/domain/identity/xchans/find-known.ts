import type { Hub } from "../../../hub.ts";

export type Known = {
  xchan_id: number;
  xchan_hash: string;
  xchan_pubkey: string;
  xchan_hearsay: number;
  local: boolean;
};

type Named = { guid: string; guidSignature: string; hash: string; url: string; network: string };

/**
 * The identity that a short xchan names: the one with that guid and its signature; without a guid the one with that
 * hash, or with that URL in that network.
 */
export async function findKnown(hub: Hub, short: Named): Promise<Known | undefined> {
  const all = hub.db
    .selectFrom("xchan")
    .leftJoin("channel", "channel_hash", "xchan_hash")
    .select(["xchan_id", "xchan_hash", "xchan_pubkey", "xchan_hearsay", "channel_id"])
    .orderBy("xchan_id");
  const { guid, guidSignature, hash, url, network } = short;
  const row = await (
    guid === ""
      ? hash === ""
        ? all.where("xchan_url", "=", url).where("xchan_network", "=", network).where("xchan_url", "<>", "")
        : all.where("xchan_hash", "=", hash).where("xchan_guid", "=", "")
      : all.where("xchan_guid", "=", guid).where("xchan_guid_sig", "=", guidSignature)
  ).executeTakeFirst();
  if (!row) return undefined;
  const { channel_id, ...xchan } = row;
  return { ...xchan, local: channel_id !== null };
}
