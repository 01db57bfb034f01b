import { numberIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";

/** Old forms of records: native contract 7.2 and 7.7. */

type Bits = Readonly<Record<string, number>>;

/** The record with single flags in place of those that it has only as bits of `field`; flags that are there stay. */
export function withFlags(record: PortableRecord, field: string, bits: Bits): PortableRecord {
  const set = numberIn(record, field);
  const absent = Object.entries(bits).filter(([name]) => !(name in record));
  return { ...Object.fromEntries(absent.map(([name, bit]) => [name, (set & bit) === 0 ? "0" : "1"])), ...record };
}

/** The record with its old names replaced; a field that is there under its new name stays. */
export function renamed(record: PortableRecord, names: Readonly<Record<string, string>>): PortableRecord {
  const old = Object.entries(names).filter(([from, to]) => from in record && !(to in record));
  return old.length === 0 ? record : { ...record, ...Object.fromEntries(old.map(([from, to]) => [to, record[from]])) };
}

/** Native contract 2.3. */
export const xchanBits: Bits = {
  xchan_hidden: 1,
  xchan_orphan: 2,
  xchan_censored: 4,
  xchan_selfcensored: 8,
  xchan_system: 16,
  xchan_pubforum: 32,
  xchan_deleted: 4096,
};

/** Native contract 2.4. */
export const hublocBits: Bits = { hubloc_primary: 1, hubloc_orphancheck: 4, hubloc_deleted: 4096 };

/** Native contract 2.5. */
export const abookBits: Bits = {
  abook_blocked: 1,
  abook_ignored: 2,
  abook_hidden: 4,
  abook_archived: 8,
  abook_pending: 16,
  abook_unconnected: 32,
  abook_self: 128,
  abook_feed: 256,
};

/** Of `item_flags` (native contract 7.7). */
const itemFlagBits: Bits = {
  item_starred: 0x0004,
  item_uplink: 0x0008,
  item_consensus: 0x0010,
  item_wall: 0x0020,
  item_thread_top: 0x0040,
  item_notshown: 0x0080,
  item_nsfw: 0x0100,
  item_mentionsme: 0x0400,
  item_nocomment: 0x0800,
  item_retained: 0x4000,
  item_rss: 0x8000,
};

/** Of `item_restrict` (native contract 7.7). */
const itemRestrictBits: Bits = {
  item_hidden: 0x0001,
  item_deleted: 0x0010,
  item_unpublished: 0x0020,
  item_delayed: 0x0080,
  item_pending_remove: 0x0800,
};

const itemBlocked = 0x0002;
const itemTypeBits: readonly (readonly [bit: number, type: number])[] = [
  [0x0040, 3],
  [0x0100, 1],
  [0x0200, 2],
  [0x0400, 4],
  [0x1000, 5],
];

/** An item with single flags in place of the bit sets of old exports. */
export function withItemFlags(record: PortableRecord): PortableRecord {
  const restrict = numberIn(record, "item_restrict");
  const type = itemTypeBits.find(([bit]) => (restrict & bit) !== 0)?.[1] ?? 0;
  const blocked = (restrict & itemBlocked) === 0 ? 0 : 2;
  const read = withFlags(record, "item_flags", itemFlagBits);
  return { item_type: type, item_blocked: blocked, ...withFlags(read, "item_restrict", itemRestrictBits) };
}

export const groupNames = { name: "gname" };
export const eventNames = { start: "dtstart", finish: "dtend", type: "etype", ignore: "dismissed" };
export const photoNames = { data: "content", scale: "imgscale", size: "filesize", type: "mimetype" };
export const termNames = { type: "ttype" };

/** A bare signature; other hubs write the name of the digest before it (native contract 7.3). */
export function bareSignature(signature: string): string {
  return signature.replace(/^sha256\./, "");
}

/** The network of an identity: later versions of the native one go by its name (native contract 2.3). */
export function networkName(network: string): string {
  return network === "zot6" ? "zot" : network;
}

/** Text that other hubs store HTML-escaped, as it was typed (native contract 5.2). */
export function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => characters[name]!);
}

const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** Every text of a record as it was typed. */
export function decoded(record: PortableRecord): PortableRecord {
  const pairs = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "string" ? unescaped(value) : value,
  ]);
  return Object.fromEntries(pairs) as PortableRecord;
}
