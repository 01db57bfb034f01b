import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "./channel.ts";
import { readNick } from "./nicks.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import { isHere, isWebUrl } from "../xchans/web-url.ts";

/** Channels that have left for another hub: here they are only read. */

/**
 * Marks the channel as moved: `url` is the new hub, `nick` its name there. Telling it again changes the place. Throws invalid.
 */
export async function leaveFor(hub: Hub, channel: Channel, place: { url: string; nick: string }): Promise<void> {
  if (!isWebUrl(place.url) || isHere(hub, place.url)) throw refusal("not_another_hub");
  const { origin, host } = new URL(place.url);
  const nick = readNick(place.nick);
  const { channel_id, channel_hash: hash } = channel;
  const moment = now(hub);
  await inTransaction(hub, async (hub) => {
    await hub.db
      .updateTable("channel")
      .set({ channel_moved: origin, channel_primary: 0 })
      .where("channel_id", "=", channel_id)
      .execute();
    await recordAppearance(hub, channel_id);
    await hub.db
      .updateTable("hubloc")
      .set({ hubloc_primary: 0, hubloc_deleted: 1 })
      .where("hubloc_hash", "=", hash)
      .execute();
    await hub.db.deleteFrom("hubloc").where("hubloc_hash", "=", hash).where("hubloc_url", "=", origin).execute();
    await hub.db
      .insertInto("hubloc")
      .values({
        hubloc_hash: hash,
        hubloc_guid: channel.channel_guid,
        hubloc_guid_sig: channel.channel_guid_sig,
        hubloc_addr: `${nick}@${host}`,
        hubloc_url: origin,
        hubloc_host: host,
        hubloc_network: "zot",
        hubloc_primary: 1,
        hubloc_updated: moment,
      })
      .execute();
  });
}

/** Refuses what would change a channel that has moved. Throws denied. */
export function refuseMoved({ channel_moved: place }: Pick<Channel, "channel_moved">): void {
  if (place === "") return;
  throw refusal("channel_moved", { place });
}

/** Where a channel that has moved is found now; undefined for one that lives here. */
export async function newPlace(hub: Hub, channel: Channel): Promise<{ address: string; url: string } | undefined> {
  if (channel.channel_moved === "") return undefined;
  const row = await hub.db
    .selectFrom("hubloc")
    .select("hubloc_addr")
    .where("hubloc_hash", "=", channel.channel_hash)
    .where("hubloc_url", "=", channel.channel_moved)
    .executeTakeFirst();
  const address = row?.hubloc_addr ?? "";
  const [nick = ""] = address.split("@");
  return { address, url: nick === "" ? channel.channel_moved : `${channel.channel_moved}/channel/${nick}` };
}
