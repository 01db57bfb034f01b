import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { readName, readTimezone } from "../../identity/channels/channel-fields.ts";
import { becomePrimary, findRestored, freeNick, insertRestored } from "../../identity/restoring/restore-channel.ts";
import type { RestoredChannel } from "../../identity/restoring/restore-channel.ts";
import { addHublocs, addOwnHubloc, addOwnXchan, leaveOtherHublocs } from "../../identity/restoring/restore-xchans.ts";
import type { RestoredHubloc, RestoredXchan } from "../../identity/restoring/restore-xchans.ts";
import { hostOf } from "../../identity/xchans/web-url.ts";
import type { Core } from "./core-types.ts";
import { unescaped } from "../sources/legacy.ts";
import { readXchan } from "../sources/records.ts";
import type { ChannelRecord } from "../sources/records.ts";
import { certain } from "../../../errors.ts";

/** Step 1, and of steps 4 and 5 what the channel cannot be without: its own identity and location. */
export async function importChannelRow(
  hub: Hub,
  accountId: number,
  core: Core,
): Promise<{ channel: Channel; isNew: boolean }> {
  const { record, mode } = core;
  const here = await findRestored(hub, accountId, record);
  const primary = mode !== "clone";
  const nick = here?.channel_address ?? (await freeNick(hub, core.nick, record.channel_hash));
  if (!here) await addOwnXchan(hub, ownXchan(core, nick));
  const uid = here?.channel_id ?? (await insertRestored(hub, accountId, columnsOf(core, nick, primary)));
  await addHublocs(
    hub,
    withFormer(
      core,
      core.hublocs.filter((hubloc) => hubloc.hubloc_hash === record.channel_hash),
    ),
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
  return { channel: certain(await findChannelById(hub, uid), "channel"), isNew: !here };
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

/** Where the export comes from is a location of the channel, even when it does not list it as one. */
function withFormer({ head, record, mode }: Core, listed: readonly RestoredHubloc[]): readonly RestoredHubloc[] {
  const { url, nick } = head.relocate;
  const host = hostOf(url);
  if (host === undefined || listed.some((hubloc) => hostOf(hubloc.hubloc_url) === host)) return listed;
  const former = {
    hubloc_hash: record.channel_hash,
    hubloc_guid: record.channel_guid,
    hubloc_guid_sig: record.channel_guid_sig,
    hubloc_addr: `${nick}@${host}`,
    hubloc_url: url,
    hubloc_host: host,
    hubloc_network: "zot",
    hubloc_primary: mode === "clone" ? 1 : 0,
  };
  return [...listed, former];
}

/** The channel's identity without its addresses: those are given to it here. It may be absent among the others of the export. */
function ownXchan({ head, record, escaped }: Core, nick: string): RestoredXchan {
  const found = (head.sections.get("xchan") ?? []).map(readXchan).find((one) => one.xchan_hash === record.channel_hash);
  return {
    xchan_photo_mimetype: "image/png",
    ...found,
    xchan_hash: record.channel_hash,
    xchan_guid: record.channel_guid,
    xchan_guid_sig: record.channel_guid_sig,
    xchan_pubkey: record.channel_pubkey,
    xchan_name: nameOf(record, escaped, nick),
    xchan_network: "zot",
    xchan_connpage: "",
    xchan_instance_url: "",
    xchan_deleted: 0,
  };
}
