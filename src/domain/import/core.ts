import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addConnections } from "../connections/restore.ts";
import { addGroups } from "../groups/restore.ts";
import type { Channel } from "../identity/channel.ts";
import { findChannelById } from "../identity/channels.ts";
import { readName, readTimezone } from "../identity/channel-fields.ts";
import { ensureDefaultProfile } from "../identity/default-profile.ts";
import { importConfig } from "../identity/import-config.ts";
import { importProfile } from "../identity/import-profile.ts";
import { textIn } from "../identity/portable-fields.ts";
import type { PortableRecord } from "../identity/portable-fields.ts";
import { defaultProfile } from "../identity/profiles.ts";
import { becomePrimary, findRestored, freeNick, insertRestored } from "../identity/restore-channel.ts";
import {
  addHublocs,
  addOwnHubloc,
  addXchans,
  bringXchanHome,
  fetchAvatars,
  leaveOtherHublocs,
} from "../identity/restore-xchans.ts";
import type { RestoredHubloc, RestoredXchan } from "../identity/restore-xchans.ts";
import { isRoleName, limits, roles } from "../identity/roles.ts";
import { signWith } from "../identity/signing.ts";
import { siteKeys } from "../identity/site-settings.ts";
import { findXchansByHash } from "../identity/xchans.ts";
import { connectionsOf, groupsOf, selfOf, trustedHublocs, trustedXchans } from "./core-records.ts";
import { checkIdentity } from "./keys.ts";
import { unescaped } from "./legacy.ts";
import { readChannel, readLimits, readXchan, roleName } from "./records.ts";
import type { ChannelRecord } from "./records.ts";
import { emptyReport, note, warn } from "./report.ts";
import type { Report } from "./report.ts";
import { fit } from "./shape.ts";
import { checkCompatibility, formatWarning, isEscaped } from "./source.ts";
import type { Head } from "./source.ts";

/** Native contract 7.4. */
export type Mode = "clone" | "primary" | "moving";

export type CoreOptions = { accountId: number; mode: Mode; nick: string };

/** The part of an import that is all or nothing: read and checked, with the slow work done. */
export type Core = {
  head: Head;
  record: ChannelRecord;
  mode: Mode;
  nick: string;
  ed25519: { publicKey: string; privateKey: string };
  urlSignature: string;
  siteKey: string;
  xchans: RestoredXchan[];
  hublocs: RestoredHubloc[];
  escaped: boolean;
  /** What has been left out so far. */
  report: Report;
};

/** Reads and checks the identity of an export and all that belongs to it. Throws invalid, conflict. */
export async function prepareCore(hub: Hub, head: Head, { mode, nick }: CoreOptions): Promise<Core> {
  checkCompatibility(head);
  const record = readChannel(head.channel!);
  const report = emptyReport();
  const warning = formatWarning(head);
  if (warning) warn(report, warning);
  checkIdentity(record);
  const xchans = trustedXchans(head, hub.config.host, record.channel_hash, report);
  const keys = new Map(xchans.map((xchan) => [xchan.xchan_hash, xchan.xchan_pubkey ?? ""]));
  keys.set(record.channel_hash, record.channel_pubkey);
  const wanted = nick || head.relocate.nick || record.channel_address;
  const [pairs, site] = await Promise.all([hub.makeKeys(), siteKeys(hub)]);
  return {
    head,
    record,
    mode: textIn(head.compatibility!, "server_role") === "basic" ? "moving" : mode,
    nick: wanted,
    ed25519: pairs.ed25519,
    urlSignature: await signWith(record.channel_prvkey, hub.config.baseUrl),
    siteKey: site.publicKey,
    xchans,
    hublocs: trustedHublocs(head, (hash) => keys.get(hash), report),
    escaped: isEscaped(head) ?? false,
    report,
  };
}

/** Steps 1 to 7 of native contract 7.5 in one transaction; repeating it adds nothing twice. */
export async function importCore(
  hub: Hub,
  accountId: number,
  core: Core,
): Promise<{ channel: Channel; report: Report }> {
  const report = structuredClone(core.report);
  const channel = await inTransaction(hub, async (hub) => {
    const { channel, isNew } = await importChannelRow(hub, accountId, core);
    note(report, "channel", isNew ? "imported" : "there");
    await importConfigs(hub, channel, core, report);
    await importProfiles(hub, channel, core, report);
    await importIdentities(hub, channel, core, report);
    await importConnections(hub, channel, core, report);
    await importGroups(hub, channel, core, report);
    return (await findChannelById(hub, channel.channel_id))!;
  });
  return { channel, report };
}

/** Step 1, and of steps 4 and 5 what the channel cannot be without: its own identity and location. */
async function importChannelRow(
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

function columnsOf({ record, ed25519, escaped }: Core, nick: string, primary: boolean) {
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

/** Step 2. Limits come from the channel record, else from the role; a role of a later version gets a name of ours. */
async function importConfigs(hub: Hub, channel: Channel, { head }: Core, report: Report): Promise<void> {
  const records = (head.sections.get("config") ?? []).map(withRoleName);
  const role = (head.sections.get("config") ?? []).find(isRole);
  const named = new Set(records.filter(isLimit).map((record) => textIn(record, "k")));
  for (const record of records) {
    const [cat, k] = [textIn(record, "cat"), textIn(record, "k")];
    const taken = fit(cat, k) && (await importConfig(hub, channel, record));
    const example = `${cat}.${k}`;
    note(report, "config", taken ? "imported" : { left: "it means nothing here", example });
  }
  const given = readLimits(head.channel!);
  const rest = given.length > 0 || named.size > 0 ? given : limitsOfRole(role ? textIn(role, "v") : "");
  for (const record of rest) {
    const k = textIn(record, "k");
    if (!named.has(k) && fit(k)) await importConfig(hub, channel, record);
  }
}

function isRole(record: PortableRecord): boolean {
  return textIn(record, "cat") === "system" && textIn(record, "k") === "permissions_role";
}

function isLimit(record: PortableRecord): boolean {
  return textIn(record, "cat") === "perm_limits";
}

function withRoleName(record: PortableRecord): PortableRecord {
  return isRole(record) ? { ...record, v: roleName(textIn(record, "v")) } : record;
}

/** Native contract 3.6: what the names of later versions mean beyond those of ours. */
function limitsOfRole(given: string): PortableRecord[] {
  const name = roleName(given);
  const role = roles[isRoleName(name) ? name : "social"];
  const more =
    given === "public"
      ? Object.fromEntries(["post_comments", "post_mail", "post_like", "chat"].map((k) => [k, limits.authenticated]))
      : given === "personal"
        ? { view_contacts: limits.specific }
        : {};
  return Object.entries({ ...role.limits, ...more }).map(([k, v]) => ({ cat: "perm_limits", k, v: String(v) }));
}

/** Step 3, without the photo. */
async function importProfiles(hub: Hub, channel: Channel, { head, escaped }: Core, report: Report): Promise<void> {
  for (const given of head.sections.get("profile") ?? []) {
    const record = escaped ? decoded(given) : given;
    const taken = fit(textIn(record, "profile_guid")) && (await importProfile(hub, channel, record));
    note(report, "profile", taken ? "imported" : { left: "it has no guid", example: textIn(record, "profile_name") });
  }
  await ensureDefaultProfile(hub, channel);
}

/** Every text of a record as it was typed. */
export function decoded(record: PortableRecord): PortableRecord {
  const pairs = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "string" ? unescaped(value) : value,
  ]);
  return Object.fromEntries(pairs) as PortableRecord;
}

/** Steps 4 and 5: everybody else's identities and locations, and where the own one is at home now. */
async function importIdentities(hub: Hub, channel: Channel, core: Core, report: Report): Promise<void> {
  const believed = await withoutStrangers(hub, core.xchans, report);
  const added = await addXchans(hub, believed);
  await fetchAvatars(hub, believed, added);
  for (const xchan of believed) note(report, "xchan", added.has(xchan.xchan_hash) ? "imported" : "there");
  const locations = await addHublocs(
    hub,
    core.hublocs.filter((hubloc) => hubloc.hubloc_hash !== channel.channel_hash),
    channel.channel_hash,
  );
  for (const { hubloc_hash, hubloc_url } of core.hublocs)
    note(report, "hubloc", locations.has(`${hubloc_hash} ${hubloc_url}`) ? "imported" : "there");
  if (channel.channel_primary !== 1) return;
  const profile = await defaultProfile(hub, channel.channel_id);
  await bringXchanHome(hub, channel, {
    xchan_name: channel.channel_name,
    xchan_name_date: now(hub),
    xchan_about: profile.about,
    xchan_location: [profile.locality, profile.region, profile.country_name].filter((part) => part !== "").join(", "),
  });
}

/** An address of this hub is somebody's of this hub, or nobody's. */
async function withoutStrangers(hub: Hub, xchans: readonly RestoredXchan[], report: Report): Promise<RestoredXchan[]> {
  const here = `@${hub.config.host.toLowerCase()}`;
  const claims = (xchan: RestoredXchan): boolean => (xchan.xchan_addr ?? "").toLowerCase().endsWith(here);
  const known = await findXchansByHash(
    hub,
    xchans.filter(claims).map((xchan) => xchan.xchan_hash),
  );
  const hashes = new Set(known.map((xchan) => xchan.xchan_hash));
  return xchans.filter((xchan) => {
    if (!claims(xchan) || hashes.has(xchan.xchan_hash)) return true;
    note(report, "xchan", {
      left: "it has an address of this hub, where nobody knows it",
      example: xchan.xchan_addr ?? "",
    });
    return false;
  });
}

/** Step 6. */
async function importConnections(hub: Hub, channel: Channel, { head }: Core, report: Report): Promise<void> {
  const own = channel.channel_hash;
  const all = connectionsOf(head, own);
  const known = new Set(
    (
      await xchansHere(
        hub,
        all.map(({ row }) => row.abook_xchan),
      )
    ).map((one) => one.xchan_hash),
  );
  const self = selfOf(head, own) ?? {
    row: { abook_profile: "", abook_created: channel.channel_created },
    abconfig: [],
  };
  const row = { ...self.row, abook_xchan: own, abook_self: 1, abook_pending: 0, abook_closeness: 0 };
  const selfRow = { abook_updated: row.abook_created, ...row };
  const some = all.filter(({ row }) => known.has(row.abook_xchan));
  const added = await addConnections(hub, channel, [{ ...self, row: selfRow }, ...some]);
  for (const { row } of all) {
    const isKnown = known.has(row.abook_xchan);
    const outcome = added.has(row.abook_xchan) ? "imported" : "there";
    const left = { left: "its identity is not in the export", example: row.abook_xchan };
    note(report, "abook", isKnown ? outcome : left);
  }
}

async function xchansHere(hub: Hub, hashes: readonly string[]) {
  return findXchansByHash(hub, hashes);
}

/** Step 7. */
async function importGroups(hub: Hub, channel: Channel, { head }: Core, report: Report): Promise<void> {
  const named = (head.sections.get("group_member") ?? []).map((record) => textIn(record, "xchan"));
  const known = new Set((await xchansHere(hub, [...new Set(named)])).map((one) => one.xchan_hash));
  const groups = groupsOf(head, (hash) => known.has(hash), report);
  const result = await addGroups(hub, channel.channel_id, groups);
  for (const { hash, gname } of groups) {
    const foreign = { left: "its hash belongs to a group of somebody else here", example: gname };
    note(report, "group", result.foreign.has(hash) ? foreign : result.added.has(hash) ? "imported" : "there");
  }
  const there = groups.reduce((sum, group) => sum + group.members.length, 0) - result.members;
  for (let count = 0; count < result.members; count++) note(report, "group_member", "imported");
  for (let count = 0; count < there; count++) note(report, "group_member", "there");
}

/** The identity of the export as one that can be dry-run: throws what importing it would throw. */
export async function checkCore(hub: Hub, accountId: number, core: Core): Promise<Channel | undefined> {
  const here = await findRestored(hub, accountId, core.record);
  if (!here) await freeNick(hub, core.nick);
  return here;
}
