import { flagIn, textIn, urlIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { fit, recordsIn } from "../sources/shape.ts";

/** Tags and metadata of an item, as exports write them. */

export type Tag = { ttype: number; term: string; url: string };
export type MetaEntry = { cat: string; k: string; v: string; sharing: 0 | 1 };

/** Names of term types; those of later versions are kept as what they are here. */
const termTypeOf: Readonly<Record<string, number>> = {
  unknown: 0,
  hashtag: 1,
  mention: 2,
  category: 3,
  private_category: 4,
  file: 5,
  bookmark: 8,
  communitytag: 10,
  forum: 11,
  emoji: 12,
};
const ownTypes: ReadonlySet<number> = new Set([4, 5]);

/** The tags of a record, without those that do not fit; `own` for those that only their owner sees. */
export function tagsIn(record: PortableRecord, own: boolean): Tag[] {
  return recordsIn(record["tags"]).flatMap((tag) => {
    const ttype = termTypeOf[textIn(tag, "type")];
    const term = textIn(tag, "tag");
    if (ttype === undefined || term === "" || !fit(term) || ownTypes.has(ttype) !== own) return [];
    return [{ ttype, term, url: urlIn(tag, "url") }];
  });
}

/** The metadata of a record, without what does not fit. */
export function metaIn(record: PortableRecord): MetaEntry[] {
  return recordsIn(record["meta"]).flatMap(readMeta);
}

function readMeta(entry: PortableRecord): MetaEntry[] {
  const [cat, k] = [textIn(entry, "family"), textIn(entry, "key")];
  if (cat === "" || k === "" || !fit(cat, k)) return [];
  const value = entry["value"];
  const v = typeof value === "object" && value !== null ? `json:${JSON.stringify(value)}` : textIn(entry, "value");
  return [{ cat, k, v, sharing: flagIn(entry, "sharing") }];
}
