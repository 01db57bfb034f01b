import { listsIn, numberIn, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { permissionBits, permissionNames } from "../../identity/channels/roles.ts";
import { limitColumns } from "../../portable/channel.ts";
import { families } from "../../identity/channels/channel-settings.ts";
import {
  abookBits,
  bareSignature,
  groupNames,
  hublocBits,
  networkName,
  renamed,
  withFlags,
  xchanBits,
} from "./legacy.ts";
import { fit, readShape, recordsIn } from "./shape.ts";
import type { Shaped } from "./shape.ts";

/** Records of exports in the form of our columns, whatever program wrote them. */

const programBit = 8;

const channelShape = {
  text: `channel_name channel_address channel_guid channel_hash channel_timezone channel_location channel_theme channel_startpage channel_pubkey channel_prvkey channel_ed25519_pubkey channel_ed25519_prvkey channel_default_group`,
  number: `channel_id channel_notifyflags channel_pageflags channel_max_anon_mail channel_max_friend_req channel_expire_days`,
  date: `channel_dirdate channel_lastpost channel_active`,
} as const;

export type ChannelRecord = Shaped<typeof channelShape> &
  Record<
    "channel_guid_sig" | "channel_allow_cid" | "channel_allow_gid" | "channel_deny_cid" | "channel_deny_gid",
    string
  >;

/** The channel record; lists and numbers checked, the bit for running code dropped (native contract 7.5, step 1). */
export function readChannel(record: PortableRecord): ChannelRecord {
  const columns = readShape(record, channelShape);
  const lists = listsIn({
    allow_cid: record["channel_allow_cid"],
    allow_gid: record["channel_allow_gid"],
    deny_cid: record["channel_deny_cid"],
    deny_gid: record["channel_deny_gid"],
  });
  return {
    ...columns,
    channel_guid_sig: bareSignature(textIn(record, "channel_guid_sig")),
    channel_pageflags: columns.channel_pageflags & ~programBit,
    channel_allow_cid: lists.allow_cid,
    channel_allow_gid: lists.allow_gid,
    channel_deny_cid: lists.deny_cid,
    channel_deny_gid: lists.deny_gid,
  };
}

/** What the channel record says about limits, as config records: `perm_limits`, or without it the older columns. */
export function readPermissionLimits(record: PortableRecord): PortableRecord[] {
  const rows = recordsIn(record["perm_limits"]);
  if (rows.length > 0) return rows.map((row) => ({ ...row, cat: families.limits }));
  const old = Object.entries(limitColumns)
    .filter(([column]) => column in record)
    .map(([column, k]) => ({ cat: families.limits, k, v: textIn(record, column) }));
  // Wikis are younger than these columns: they follow the pages (native contract 3.3).
  const pages = old.filter(({ k }) => k === "view_pages" || k === "write_pages");
  return [...old, ...pages.map((row) => ({ ...row, k: row.k.replace("pages", "wiki") }))];
}

const xchanShape = {
  text: `xchan_hash xchan_guid xchan_pubkey xchan_photo_mimetype xchan_photo_l xchan_photo_m xchan_photo_s xchan_addr xchan_url xchan_connurl xchan_follow xchan_connpage xchan_name xchan_instance_url`,
  flag: `xchan_hidden xchan_orphan xchan_censored xchan_selfcensored xchan_system xchan_pubforum xchan_deleted`,
  date: `xchan_photo_date xchan_name_date`,
} as const;

export type XchanRecord = Shaped<typeof xchanShape> & { xchan_guid_sig: string; xchan_network: string };

/** An identity. */
export function readXchan(given: PortableRecord): XchanRecord {
  const record = withFlags(given, "xchan_flags", xchanBits);
  const columns = readShape(record, xchanShape);
  return {
    ...columns,
    xchan_guid_sig: bareSignature(textIn(record, "xchan_guid_sig")),
    xchan_network: networkName(textIn(record, "xchan_network")) || "unknown",
  };
}

const erroneous = 3;

const hublocShape = {
  text: `hubloc_guid hubloc_hash hubloc_addr hubloc_url hubloc_host hubloc_callback hubloc_connect hubloc_sitekey`,
  flag: `hubloc_primary hubloc_orphancheck hubloc_error hubloc_deleted`,
  date: `hubloc_updated hubloc_connected`,
} as const;

export type HublocRecord = Omit<Shaped<typeof hublocShape>, "hubloc_error"> &
  Record<"hubloc_guid_sig" | "hubloc_url_sig" | "hubloc_network", string> & { hubloc_error: number };

/** A location of an identity. */
export function readHubloc(given: PortableRecord): HublocRecord {
  const record = withFlags(given, "hubloc_flags", hublocBits);
  const columns = readShape(record, hublocShape);
  const error = "hubloc_error" in record ? columns.hubloc_error : numberIn(record, "hubloc_status") === erroneous;
  return {
    ...columns,
    hubloc_error: Number(error),
    hubloc_guid_sig: bareSignature(textIn(record, "hubloc_guid_sig")),
    hubloc_url_sig: bareSignature(textIn(record, "hubloc_url_sig")),
    hubloc_network: networkName(textIn(record, "hubloc_network")) || "unknown",
  };
}

export type AbconfigRecord = { cat: string; k: string; v: string };

const abookShape = {
  text: `abook_xchan abook_profile abook_incl abook_excl abook_instance`,
  number: `abook_closeness`,
  flag: `abook_blocked abook_ignored abook_hidden abook_archived abook_pending abook_unconnected abook_self abook_feed`,
  date: `abook_created abook_updated abook_connected abook_dob`,
} as const;

export type ConnectionRecord = { row: Shaped<typeof abookShape>; abconfig: AbconfigRecord[] };

/** A connection with its metadata; bit sets become rows where there are none. */
export function readConnection(given: PortableRecord): ConnectionRecord {
  const record = withFlags(given, "abook_flags", abookBits);
  const row = readShape(record, abookShape);
  const closeness = Math.max(0, Math.min(99, row.abook_closeness));
  const rows = recordsIn(record["abconfig"]).flatMap(readAbconfig);
  // Nothing is granted to the channel itself, to a request before it is answered, and to strangers who are blocked.
  const isNone = row.abook_self === 1 || row.abook_pending === 1 || row.abook_unconnected === 1;
  const granted = isNone ? [] : grantsIn(record, rows);
  const abconfig = [...rows, ...granted];
  return { row: { ...row, abook_closeness: closeness }, abconfig };
}

function readAbconfig(record: PortableRecord): AbconfigRecord[] {
  const row = readShape(record, { text: "cat k v" });
  if (row.cat === "" || row.k === "" || !fit(row.cat, row.k)) return [];
  const isPermission = row.cat === "my_perms" || row.cat === "their_perms";
  return [isPermission ? { ...row, v: numberIn(record, "v") === 1 ? "1" : "0" } : row];
}

function grantsIn(record: PortableRecord, rows: readonly AbconfigRecord[]): AbconfigRecord[] {
  if (rows.some(({ cat }) => cat === "my_perms" || cat === "their_perms")) return [];
  const mine = permissionRows("my_perms", numberIn(record, "abook_my_perms"));
  const theirs = numberIn(record, "abook_their_perms");
  return theirs === 0 ? mine : [...mine, ...permissionRows("their_perms", theirs)];
}

/** The rows that a bit set stands for; wikis have no bits and follow the pages (native contract 3.3). */
export function permissionRows(cat: "my_perms" | "their_perms", bits: number): AbconfigRecord[] {
  const bitOf = { ...permissionBits, view_wiki: permissionBits.view_pages, write_wiki: permissionBits.write_pages };
  return permissionNames.map((k) => ({ cat, k, v: (bits & bitOf[k]) === 0 ? "0" : "1" }));
}

const groupShape = { text: "hash gname", number: "id", flag: "visible deleted" } as const;

export type GroupRecord = Shaped<typeof groupShape>;

/** A privacy group. */
export function readGroup(given: PortableRecord): GroupRecord {
  return readShape(renamed(given, groupNames), groupShape);
}

/** The role in a name of ours: later versions have other names (native contract 3.6). */
export function roleName(name: string): string {
  return laterRoles[name] ?? name;
}

const laterRoles: Readonly<Record<string, string>> = {
  public: "social",
  personal: "social_restricted",
  group: "forum",
};
