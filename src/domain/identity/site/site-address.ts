import { sql } from "kysely";
import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { hublocAddresses, xchanAddresses } from "../xchans/addresses.ts";
import { getSetting, setSetting } from "./site-settings.ts";
import { signWith } from "../xchans/signing.ts";

/** The address that this hub's identities carry, if it has any yet. */
export async function siteAddress(hub: Hub): Promise<string | undefined> {
  const row = await hub.db
    .selectFrom("hubloc")
    .innerJoin("channel", "channel_hash", "hubloc_hash")
    .innerJoin("xchan", "xchan_hash", "hubloc_hash")
    .select("hubloc_url")
    // Channels that moved here have other locations, too.
    .whereRef("xchan_url", "=", sql`hubloc_url || '/channel/' || channel_address`)
    .where("hubloc_deleted", "=", 0)
    .orderBy("hubloc_id")
    .executeTakeFirst();
  return (await getSetting(hub, "baseUrl")) ?? row?.hubloc_url;
}

/**
 * Ties the hub to its base URL when it serves for the first time. Later another one is refused, because every identity
 * and message carries it; only a hub that nobody else could reach so far (localhost) takes its channels along.
 */
export async function settleAddress(hub: Hub): Promise<void> {
  const former = await siteAddress(hub);
  if (former === hub.config.baseUrl) return;
  if (former !== undefined && !isLocal(former)) {
    throw refusal("address_is_settled", { former, asked: hub.config.baseUrl });
  }
  await inTransaction(hub, async (hub) => {
    await setSetting(hub, "baseUrl", hub.config.baseUrl);
    if (former !== undefined) await moveChannels(hub, former);
  });
}

function isLocal(address: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);
}

async function moveChannels(hub: Hub, former: string): Promise<void> {
  const channels = await hub.db
    .selectFrom("channel")
    .select(["channel_id", "channel_address", "channel_hash", "channel_prvkey"])
    .execute();
  for (const { channel_id: uid, channel_address: nick, channel_hash: hash, channel_prvkey: key } of channels) {
    const avatar = avatarUrls(hub, uid);
    const signature = await signWith(key, hub.config.baseUrl);
    await hub.db
      .updateTable("xchan")
      .set(xchanAddresses(hub, nick, avatar))
      .where("xchan_hash", "=", hash)
      .execute();
    await hub.db
      .updateTable("hubloc")
      .set({ ...hublocAddresses(hub, nick), hubloc_url_sig: signature })
      .where("hubloc_hash", "=", hash)
      .where("hubloc_url", "=", former)
      .execute();
    await hub.db.updateTable("profile").set({ photo: avatar.l, thumb: avatar.m }).where("uid", "=", uid).execute();
  }
}
