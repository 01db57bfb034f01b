import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { hublocAddresses, xchanAddresses } from "../xchans/addresses.ts";

/** The nick of a removed channel that nobody has ever met is free: what is left of it has one that no person can have. Part of a transaction. */
export async function releaseNick(hub: Hub, channelId: number): Promise<void> {
  const nick = `${channelId}.removed`;
  const { channel_hash: hash } = await hub.db
    .updateTable("channel")
    .set({ channel_address: nick })
    .where("channel_id", "=", channelId)
    .returning("channel_hash")
    .executeTakeFirstOrThrow();
  const addresses = xchanAddresses(hub, nick, avatarUrls(hub, 0));
  await hub.db.updateTable("xchan").set(addresses).where("xchan_hash", "=", hash).execute();
  await hub.db.updateTable("hubloc").set(hublocAddresses(hub, nick)).where("hubloc_hash", "=", hash).execute();
}
