import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import { findChannelById } from "../identity/channels.ts";
import { readName, readTimezone } from "../identity/channel-fields.ts";
import { becomePrimary, findRestored, freeNick, insertRestored } from "../identity/restore-channel.ts";
import type { RestoredChannel } from "../identity/restore-channel.ts";
import { addHublocs, addOwnHubloc, addXchans, leaveOtherHublocs } from "../identity/restore-xchans.ts";
import type { RestoredXchan } from "../identity/restore-xchans.ts";
import type { Core } from "./core-types.ts";
import { unescaped } from "./legacy.ts";
import { readXchan } from "./records.ts";
import type { ChannelRecord } from "./records.ts";

/** Step 1, and of steps 4 and 5 what the channel cannot be without: its own identity and location. */
export async function importChannelRow(
  hub: Hub,
  accountId: number,
  core: Core,
): Promise<{ channel: Channel; isNew: boolean }> {
  const { record, mode } = core;
  const here = await findRestored(hub, accountId, record);
  const primary = mode !== "clone";
  const nick = here?.channel_address ?? (await freeNick(hub, core.nick));
  if (!here) await addXchans(hub, [ownXchan(core, nick)]);
  const uid = here?.channel_id ?? (await insertRestored(hub, accountId, columnsOf(core, nick, primary)));
  await addHublocs(
    hub,
    core.hublocs.filter((hubloc) => hubloc.hubloc_hash === record.channel_hash),
    record.channel_hash,
  );
  if (primary) await leaveOtherHublocs(hub, record.channel_hash, mode === "moving");
  if (here && primary) await becomePrimary(hub, uid);
  await addOwnHubloc(hub, {
    nick,
    hash: record.channel_hash,
    guid: record.channel_guid,
    guidSignature: record.channel_guid_sig,
    urlSignature: core.urlSignature,
    siteKey: core.siteKey,
    primary: primary || here?.channel_primary === 1,
  });
  return { channel: (await findChannelById(hub, uid))!, isNew: !here };
}

function columnsOf({ record, ed25519, escaped }: Core, nick: string, primary: boolean): RestoredChannel {
  const { channel_id: _id, ...columns } = record;
  return {
    ...columns,
    channel_name: nameOf(record, escaped, nick),
    channel_timezone: zoneOf(record.channel_timezone),
    channel_address: nick,
    channel_primary: primary ? 1 : 0,
    channel_ed25519_pubkey: ed25519.publicKey,
    channel_ed25519_prvkey: ed25519.privateKey,
  };
}

function nameOf({ channel_name }: ChannelRecord, escaped: boolean, nick: string): string {
  try {
    return readName(escaped ? unescaped(channel_name) : channel_name);
  } catch {
    return nick;
  }
}

function zoneOf(zone: string): string {
  try {
    return readTimezone(zone);
  } catch {
    return "UTC";
  }
}

/** The channel's identity as its old hub shows it. It may be absent among the others of the export. */
function ownXchan({ head, record, escaped }: Core, nick: string): RestoredXchan {
  const found = (head.sections.get("xchan") ?? []).map(readXchan).find((one) => one.xchan_hash === record.channel_hash);
  const { url, nick: oldNick } = head.relocate;
  const photo = (size: string): string => `${url}/photo/profile/${size}/${record.channel_id}`;
  return {
    xchan_photo_l: photo("l"),
    xchan_photo_m: photo("m"),
    xchan_photo_s: photo("s"),
    xchan_photo_mimetype: "image/png",
    xchan_addr: `${oldNick}@${hostOf(url)}`,
    xchan_url: `${url}/channel/${oldNick}`,
    xchan_connurl: `${url}/poco/${oldNick}`,
    xchan_follow: `${url}/follow?f=&url=%s`,
    ...found,
    xchan_hash: record.channel_hash,
    xchan_guid: record.channel_guid,
    xchan_guid_sig: record.channel_guid_sig,
    xchan_pubkey: record.channel_pubkey,
    xchan_name: nameOf(record, escaped, nick),
    xchan_network: "zot",
    xchan_deleted: 0,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
