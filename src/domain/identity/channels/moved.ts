import { refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "./channel.ts";
import { readNick } from "./nicks.ts";
import { recordAppearance } from "../xchans/appearance.ts";
import { isHere, isWebUrl } from "../xchans/web-url.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { sqlDate } from "../../../storage/sql.ts";
import { channelUrl, channelUrlAt } from "../xchans/addresses.ts";
import { isAlsoKnownAs } from "../xchans/actors.ts";
import { isSameId, isSameOrigin } from "../xchans/foreign-ids.ts";
import { findXchan } from "../xchans/xchans.ts";
import type { Xchan } from "../xchans/xchans.ts";
import { changeChannelSettings, channelSetting, readChannelSettings } from "./channel-settings.ts";

/** Channels that have left for another hub: here they are only read. */

/**
 * Marks the channel as moved: `url` is the new hub, `nick` its name there; its followers elsewhere are told (federation contract 11).
 * Telling it again changes the place. Throws invalid.
 */
export async function leaveFor(hub: Hub, channel: Channel, place: { url: string; nick: string }): Promise<void> {
  if (!isWebUrl(place.url) || isHere(hub, place.url)) throw refusal("not_another_hub");
  const { origin, host } = new URL(place.url);
  const nick = readNick(place.nick);
  const { channel_id, channel_hash: hash } = channel;
  const [moment, address] = [now(hub), `${nick}@${host}`];
  await inTransaction(hub, async (hub) => {
    const isNews = (await newPlace(hub, channel))?.address !== address;
    if (isNews) await addDeed(hub, channel_id, { deed: "depart", stamp: moment });
    await hub.db
      .updateTable("channel")
      .set({ channel_moved: origin, channel_primary: 0 })
      .where("channel_id", "=", channel_id)
      .execute();
    // From there nobody comes back who had gone on as somebody else before.
    if ((await channelSetting(hub, channel_id, "movedTo")) !== "")
      await changeChannelSettings(hub, channel_id, { movedTo: "" });
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
        hubloc_addr: address,
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

/** Where a channel that has moved is found now; `actor` is what programs know it by. */
export type Place = { address: string; url: string; actor: string };

/** Undefined for one that lives here. */
export async function newPlace(hub: Hub, channel: Channel): Promise<Place | undefined> {
  if (channel.channel_moved === "") return undefined;
  const person = await successorOf(hub, channel);
  if (person) return { address: person.xchan_addr, url: person.xchan_url, actor: person.xchan_hash };
  const row = await hub.db
    .selectFrom("hubloc")
    .select("hubloc_addr")
    .where("hubloc_hash", "=", channel.channel_hash)
    .where("hubloc_url", "=", channel.channel_moved)
    .executeTakeFirst();
  const address = row?.hubloc_addr ?? "";
  const [nick = ""] = address.split("@");
  const url = nick === "" ? channel.channel_moved : channelUrlAt(channel.channel_moved, nick);
  return { address, url, actor: url };
}

async function successorOf(hub: Hub, { channel_id, channel_moved }: Channel): Promise<Xchan | undefined> {
  const hash = await channelSetting(hub, channel_id, "movedTo");
  return isSameOrigin(hash, channel_moved) ? findXchan(hub, { hash }) : undefined;
}

const cooling = 30 * 24 * 3600 * 1000;

/**
 * The channel goes on as somebody of elsewhere, who has been met and names the channel among their own ids; here it is only
 * read from now on, and its followers elsewhere are told (federation contract 11). Throws invalid for others, and conflict
 * within 30 days of the last time.
 */
export async function moveTo(hub: Hub, channel: Channel, person: Xchan): Promise<void> {
  const own = channelUrl(hub, channel.channel_address);
  if (!(await isAlsoKnownAs(hub, person.xchan_id, own))) throw refusal("does_not_know_you");
  await inTransaction(hub, async (hub) => {
    const { movedAt } = await readChannelSettings(hub, channel.channel_id, ["movedAt"]);
    const free = movedAt === "" ? "" : sqlDate(new Date(Date.parse(`${movedAt.replace(" ", "T")}Z`) + cooling));
    if (free > now(hub)) throw refusal("moved_lately", { until: free.slice(0, 10) });
    const { channel_id: uid } = channel;
    const stamp = now(hub);
    await changeChannelSettings(hub, uid, { movedTo: person.xchan_hash, movedAt: stamp });
    await setMoved(hub, uid, new URL(person.xchan_hash).origin);
    await addDeed(hub, uid, { deed: "move", person: person.xchan_hash, stamp });
  });
}

/** An id that the channel had at another place is one of its own, as its document says from now on. Part of a transaction. */
export async function nameFormer(hub: Hub, uid: number, former: string): Promise<void> {
  const aliases = await channelSetting(hub, uid, "aliases");
  if (aliases.some((alias) => isSameId(alias, former))) return;
  await changeChannelSettings(hub, uid, { aliases: [...aliases, former] });
}

/** A channel that went on as somebody of elsewhere is written here again. Nothing happens to one that has moved in another way. */
export async function comeBack(hub: Hub, channel: Channel): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if ((await channelSetting(hub, channel.channel_id, "movedTo")) === "") return;
    await changeChannelSettings(hub, channel.channel_id, { movedTo: "" });
    await setMoved(hub, channel.channel_id, "");
  });
}

/** When the channel had gone on as somebody of elsewhere, where it has come back from that; else empty. */
export async function moveTakenBack(hub: Hub, uid: number): Promise<string> {
  const { movedTo, movedAt } = await readChannelSettings(hub, uid, ["movedTo", "movedAt"]);
  return movedTo === "" ? movedAt : "";
}

async function setMoved(hub: Hub, uid: number, channel_moved: string): Promise<void> {
  await hub.db.updateTable("channel").set({ channel_moved }).where("channel_id", "=", uid).execute();
  await recordAppearance(hub, uid);
}
