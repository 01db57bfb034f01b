import { zeroDate } from "../../../storage/sql.ts";
import { dateIn, flagIn, listsIn, numberIn, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord } from "../../identity/records/portable-fields.ts";
import { answerType } from "../../items/poll.ts";
import { harmlessJson } from "../sources/harmless-json.ts";
import { metaIn, tagsIn } from "./item-tags.ts";
import type { MetaEntry, Tag } from "./item-tags.ts";
import { bareSignature, unescaped, withItemFlags } from "../sources/legacy.ts";
import { fit } from "../sources/shape.ts";
import { readShort } from "../people/short-xchan.ts";
import type { Short } from "../people/short-xchan.ts";

/** Texts and dates under the names of our columns. */
type Texts = Record<
  | "mid"
  | "uuid"
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
  | "summary"
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
 * An item in portable form, short or full, whatever program wrote it: native contract 2.9, 7.2 and 7.7. `escaped` says
 * whether that program stores texts HTML-escaped. Undefined for what has no id, author or owner.
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
    uuid: textIn(record, "uuid"),
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
    title: decode(textIn(record, "title")),
    summary: decode(textIn(record, "summary")),
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
    meta: metaIn(record),
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
  /** A direct message (`item_private` 2). */
  isDirect: boolean;
};

/** Who may see it and answer: lists and a scope word make it private, whatever else is said. */
function scopeIn(record: PortableRecord): Scope {
  const lists = listsIn(record);
  const scope = textIn(record, "public_scope") || textIn(record, "public_policy");
  const policy = scope === "public" ? "" : scope;
  const isVote = (textIn(record, "object_type") || textIn(record, "obj_type")) === answerType;
  const comments = textIn(record, "comment_scope") || textIn(record, "comment_policy");
  const restricted = policy !== "" || Object.values(lists).some((list) => list !== "");
  return {
    lists,
    public_policy: policy,
    comment_policy: comments === "none" ? "" : comments,
    item_private: restricted || numberIn(record, "item_private") > 0 ? 1 : 0,
    // A vote goes to the author of the poll alone, and is no message all the same.
    isDirect: numberIn(record, "item_private") === 2 && !isVote,
  };
}

/** A value that is JSON in our column: decoded in portable form, text in record form. */
function jsonIn(record: PortableRecord, name: string): string {
  const value = record[name];
  if (typeof value === "object" && value !== null) return harmlessJson(JSON.stringify(value).replaceAll("\\u0000", ""));
  const text = textIn(record, name).trim();
  return /^[[{]/.test(text) ? harmlessJson(text) : "";
}

function fedMetaIn(record: PortableRecord): string {
  for (const name of ["fed_meta", "diaspora_meta", "diaspora_signature"]) {
    const found = jsonIn(record, name) || textIn(record, name);
    if (found !== "") return found;
  }
  return "";
}

/** Native contract 2.13. */
const knownKinds: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 6, 7]);

/** Can it be stored at all? A sentence about why not. */
export function flawOf(form: ItemForm, moment: string): string | undefined {
  if (form.created === zeroDate) return "it has no date";
  if (!fit(form.resource_id)) return "the name of its record is too long";
  if (form.expires !== zeroDate && form.expires <= moment) return "it has expired";
  if (form.mimetype === "application/x-php") return "its content is a program";
  if (form.flags.item_deleted === 1 || form.flags.item_pending_remove === 1) return "it was deleted";
  if (!knownKinds.has(form.flags.item_type)) return `this hub has no place for items of kind ${form.flags.item_type}`;
  return undefined;
}
