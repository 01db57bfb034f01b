import { zeroDate } from "../../storage/sql.ts";
import { dateIn, flagIn, listsIn, numberIn, textIn } from "../identity/portable-fields.ts";
import type { PortableRecord } from "../identity/portable-fields.ts";
import { bareSignature, networkName, unescaped, withItemFlags } from "./legacy.ts";
import { fit, isRecord, recordsIn } from "./shape.ts";

/** Who somebody is, as items and mails of exports say it (native contract 2.3, short xchan). */
export type Short = {
  name: string;
  address: string;
  url: string;
  network: string;
  guid: string;
  guidSignature: string;
  /** A hint only. */
  hash: string;
  photo: string;
  photoType: string;
  key: string;
};

/** Reads a short xchan; `id`, `id_sig` and `key` are what later versions call it. */
export function readShort(value: unknown): Short | undefined {
  if (!isRecord(value)) return undefined;
  const photo = isRecord(value["photo"]) ? value["photo"] : {};
  return {
    name: textIn(value, "name"),
    address: textIn(value, "address"),
    url: textIn(value, "url"),
    network: networkName(textIn(value, "network")),
    guid: textIn(value, "guid") || textIn(value, "id"),
    guidSignature: bareSignature(textIn(value, "guid_sig") || textIn(value, "id_sig")),
    hash: textIn(value, "hash"),
    photo: textIn(photo, "src"),
    photoType: textIn(photo, "mimetype"),
    key: textIn(value, "key"),
  };
}

/** Texts and dates under the names of our columns. */
type Texts = Record<
  | "mid"
  | "parentMid"
  | "thrParent"
  | "created"
  | "edited"
  | "commented"
  | "received"
  | "changed"
  | "expires"
  | "comments_closed"
  | "mimetype"
  | "title"
  | "body"
  | "signedBody"
  | "signature"
  | "app"
  | "verb"
  | "obj_type"
  | "tgt_type"
  | "obj"
  | "target"
  | "attach"
  | "plink"
  | "location"
  | "coord"
  | "route"
  | "fed_meta"
  | "layout_mid"
  | "postopts"
  | "resource_id"
  | "resource_type",
  string
>;

type Tag = { ttype: number; term: string; url: string };
type MetaEntry = { cat: string; k: string; v: string; sharing: 0 | 1 };

/** An item as it is read; `signedBody` is its text as its signature has it. */
export type ItemForm = Texts &
  Scope & {
    author: Short;
    owner: Short;
    revision: number;
    flags: Flags;
    terms: Tag[];
    ownTerms: Tag[];
    meta: MetaEntry[];
  };

/**
 * An item in portable form, short or full, whatever program wrote it: native contract 2.9, 7.2 and appendix B. `escaped`
 * says whether that program stores texts HTML-escaped. Undefined for what has no id, author or owner.
 */
export function readItem(given: PortableRecord, escaped: boolean | undefined): ItemForm | undefined {
  const author = readShort(given["author"]);
  const owner = readShort(given["owner"]) ?? author;
  const mid = textIn(given, "message_id") || textIn(given, "mid");
  if (!author || !owner || mid === "" || Buffer.byteLength(mid) > 2048) return undefined;
  const record = withItemFlags(withListedFlags(given));
  const parentMid = textIn(record, "message_top") || textIn(record, "parent_mid") || mid;
  const created = dateIn(record, "created");
  const mimetype = textIn(record, "mimetype") || "text/bbcode";
  // Whoever says nothing about the program is ours if the people have a hash: other programs leave it out.
  const decode = (escaped ?? author.hash === "") && mimetype !== "text/html" ? unescaped : same;
  const signedBody = textIn(record, "body");
  return {
    mid,
    parentMid,
    thrParent: textIn(record, "message_parent") || textIn(record, "thr_parent") || parentMid,
    author,
    owner,
    created,
    edited: dateIn(record, "edited", created),
    commented: dateIn(record, "commented", created),
    received: dateIn(record, "received", created),
    changed: dateIn(record, "changed", dateIn(record, "commented", dateIn(record, "edited", created))),
    expires: dateIn(record, "expires"),
    comments_closed: dateIn(record, "comments_closed"),
    mimetype,
    title: decode(textIn(record, "title") || textIn(record, "summary")),
    body: decode(signedBody).trim(),
    signedBody,
    signature: bareSignature(textIn(record, "signature") || textIn(record, "sig")),
    app: textIn(record, "app"),
    verb: textIn(record, "verb"),
    obj_type: textIn(record, "object_type") || textIn(record, "obj_type"),
    tgt_type: textIn(record, "target_type") || textIn(record, "tgt_type"),
    obj: jsonIn(record, "object") || jsonIn(record, "obj"),
    target: jsonIn(record, "target"),
    attach: jsonIn(record, "attach"),
    plink: textIn(record, "permalink") || textIn(record, "plink"),
    location: decode(textIn(record, "location")),
    coord: textIn(record, "longlat") || textIn(record, "coord"),
    route: textIn(record, "route"),
    fed_meta: fedMetaIn(record),
    layout_mid: textIn(record, "layout_mid"),
    postopts: textIn(record, "postopts"),
    resource_id: textIn(record, "resource_id"),
    resource_type: textIn(record, "resource_type"),
    revision: Math.max(0, numberIn(record, "revision")),
    ...scopeIn(record),
    flags: flagsIn(record),
    terms: tagsIn(record, false),
    ownTerms: tagsIn(record, true),
    meta: recordsIn(record["meta"]).flatMap(readMeta),
  };
}

function same(text: string): string {
  return text;
}

/** The flags that the short form has as words. */
const listed: Readonly<Record<string, string>> = {
  deleted: "item_deleted",
  hidden: "item_hidden",
  notshown: "item_notshown",
  nsfw: "item_nsfw",
  consensus: "item_consensus",
  private: "item_private",
};

function withListedFlags(record: PortableRecord): PortableRecord {
  const words: unknown[] = Array.isArray(record["flags"]) ? record["flags"] : [];
  const names = words.flatMap((word) => (typeof word === "string" && listed[word] ? [listed[word]] : []));
  const absent = names.filter((name) => !(name in record));
  return absent.length === 0 ? record : { ...record, ...Object.fromEntries(absent.map((name) => [name, "1"])) };
}

const flagNames = [
  "item_origin",
  "item_unseen",
  "item_starred",
  "item_uplink",
  "item_wall",
  "item_notshown",
  "item_mentionsme",
  "item_retained",
  "item_deleted",
  "item_hidden",
  "item_unpublished",
  "item_delayed",
  "item_pending_remove",
  "item_consensus",
  "item_nsfw",
  "item_rss",
] as const;

type Flags = Record<(typeof flagNames)[number] | "item_nocomment", 0 | 1> & { item_type: number; item_blocked: number };

function flagsIn(record: PortableRecord): Flags {
  const flags = Object.fromEntries(flagNames.map((name) => [name, flagIn(record, name)]));
  const closed = textIn(record, "comment_scope") === "none" ? 1 : flagIn(record, "item_nocomment");
  const numbers = { item_type: numberIn(record, "item_type"), item_blocked: numberIn(record, "item_blocked") };
  return { ...flags, ...numbers, item_nocomment: closed } as Flags;
}

type Scope = {
  lists: ReturnType<typeof listsIn>;
  public_policy: string;
  comment_policy: string;
  item_private: 0 | 1;
};

/** Who may see it and answer: lists and a scope word make it private, whatever else is said (native contract 3.5). */
function scopeIn(record: PortableRecord): Scope {
  const lists = listsIn(record);
  const scope = textIn(record, "public_scope") || textIn(record, "public_policy");
  const policy = scope === "public" ? "" : scope;
  const comments = textIn(record, "comment_scope") || textIn(record, "comment_policy");
  const restricted = policy !== "" || Object.values(lists).some((list) => list !== "");
  return {
    lists,
    public_policy: policy,
    comment_policy: comments === "none" ? "" : comments,
    item_private: restricted || numberIn(record, "item_private") > 0 ? 1 : 0,
  };
}

/** A value that is JSON in our column: decoded in portable form, text in record form. */
function jsonIn(record: PortableRecord, name: string): string {
  const value = record[name];
  if (typeof value === "object" && value !== null) return JSON.stringify(value).replaceAll("\\u0000", "");
  const text = textIn(record, name).trim();
  return /^[[{]/.test(text) ? text : "";
}

function fedMetaIn(record: PortableRecord): string {
  for (const name of ["fed_meta", "diaspora_meta", "diaspora_signature"]) {
    const found = jsonIn(record, name) || textIn(record, name);
    if (found !== "") return found;
  }
  return "";
}

/** Names of term types (native contract 2.10); those of later versions are kept as what they are here. */
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

function tagsIn(record: PortableRecord, own: boolean): Tag[] {
  return recordsIn(record["tags"]).flatMap((tag) => {
    const ttype = termTypeOf[textIn(tag, "type")];
    const term = textIn(tag, "tag");
    if (ttype === undefined || term === "" || !fit(term) || ownTypes.has(ttype) !== own) return [];
    return [{ ttype, term, url: textIn(tag, "url") }];
  });
}

function readMeta(entry: PortableRecord): MetaEntry[] {
  const [cat, k] = [textIn(entry, "family"), textIn(entry, "key")];
  if (cat === "" || k === "" || !fit(cat, k)) return [];
  const value = entry["value"];
  const v = typeof value === "object" && value !== null ? `json:${JSON.stringify(value)}` : textIn(entry, "value");
  return [{ cat, k, v, sharing: flagIn(entry, "sharing") }];
}

/** Can it be stored at all? A sentence about why not. */
export function flawOf(form: ItemForm, moment: string): string | undefined {
  if (form.created === zeroDate) return "it has no date";
  if (!fit(form.resource_id)) return "the name of its record is too long";
  if (form.expires !== zeroDate && form.expires <= moment) return "it has expired";
  if (form.mimetype === "application/x-php") return "its content is a program";
  if (form.flags.item_deleted === 1 || form.flags.item_pending_remove === 1) return "it was deleted";
  return undefined;
}
