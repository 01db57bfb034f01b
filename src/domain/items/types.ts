import type { Selectable } from "kysely";
import type { IconfigTable, ItemTable, TermTable } from "../../storage/tables/items.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import type { Quoters } from "../identity/channels/channel-settings.ts";
import type { PreparedUpload } from "../photos/uploads.ts";
import type { MessageContent } from "./columns.ts";

export type ItemRow = Selectable<ItemTable>;
export type Term = Selectable<TermTable>;
export type Meta = Selectable<IconfigTable>;

/** The item record of native contract 2.8: a channel's row joined with the message's content. */
export type Item = ItemRow & MessageContent;

/** Items with everything that their native presenters need, loaded in a fixed number of queries. */
export type ItemPage<Row = Item> = {
  items: Row[];
  /** By xchan_id: every author, owner and source of the items. */
  xchans: Map<number, Xchan>;
  /** By message_id; only what the holder of the item may see. */
  terms: Map<number, Term[]>;
  meta: Map<number, Meta[]>;
};

/** Who may see a new item, in hashes. A field left out of a draft's audience is an empty list. */
export type Audience = {
  allow_cid: string[];
  allow_gid: string[];
  deny_cid: string[];
  deny_gid: string[];
};

/** A poll that somebody of this hub begins. */
export type NewPoll = {
  options: readonly string[];
  /** More than one option may be chosen. */
  several: boolean;
  /** When it ends, in the stored form; left out for never. */
  ends?: string | undefined;
};

/** A new item as a face hands it over. Dates in the stored form. */
export type Draft = {
  body: string;
  mimetype?: string;
  title?: string;
  /** A content warning, or what an article is about: plain text. */
  summary?: string;
  /** Makes it a comment: an item id or the mid of any item of the thread. */
  parent?: { id: number } | { mid: string };
  /** Mid of the direct parent, where that is not `parent`; it must be of the same thread. */
  thrParent?: string;
  /** The wall of another channel of this hub. */
  wall?: number;
  audience?: Audience;
  publicPolicy?: string;
  coord?: string;
  location?: string;
  expires?: string;
  created?: string;
  /** It waits until it was `created`, however soon that is. */
  waits?: boolean;
  commentsClosed?: string;
  app?: string;
  categories?: string[];
  verb?: string;
  objType?: string;
  /** JSON texts: the activity's object and target, and the list of attachments. */
  obj?: string;
  tgtType?: string;
  target?: string;
  attach?: string;
  /** The record that the item stands for. */
  resourceType?: string;
  resourceId?: string;
  mid?: string;
  plink?: string;
  /** Hash of the author when that is not the channel. */
  remoteXchan?: string;
  consensus?: boolean;
  /** Makes it a poll. */
  poll?: NewPoll;
  /** ISO 639 code of the language; left out: what the text looks like. */
  lang?: string;
  nocomment?: boolean;
  nsfw?: boolean;
  /** Not displayed by itself, only counted. */
  notshown?: boolean;
  /** Kept out of all lists and delivered to nobody. */
  hidden?: boolean;
  /** The body is stored as it is: mentions and hashtags stay text. */
  verbatim?: boolean;
  /** `@nick` means the channel of this hub with that nick, before any connection. */
  ownNicks?: boolean;
  /** False: another network distributes it. */
  origin?: boolean;
  namespace?: string;
  remoteId?: string;
  /** Its `item_type`; 0 for conversation. */
  itemType?: number;
  pageTitle?: string;
  layoutMid?: string;
  /** For everybody, but in no list that everybody reads: neither public timelines nor hashtags nor searches. */
  unlisted?: boolean;
  /** For those whom the text names, for these people (hashes) and for nobody else. */
  directTo?: readonly string[];
  /** What a direct post is about, by its mid: it is a private answer to that. */
  about?: string;
  /** Nobody else may answer, however many usually may. */
  commenters?: "connections";
  /** Who may quote it; left out: whom the channel lets quote its posts. */
  quoters?: Quoters;
  /** Do not deliver to other hubs. */
  nopush?: boolean;
  allowEmpty?: boolean;
  /** Files that came with it, kept by `withUploads`: they are stored with it, or nothing is. */
  media?: readonly PreparedUpload[];
  /** Media of the channel that were uploaded before. */
  mediaIds?: readonly number[];
  /** What the post refers to gets its audience in the threads of others too. */
  sharesFiles?: boolean;
};

/** What an edit may change; fields left out keep their value. */
export type Edit = Pick<Draft, "body"> &
  Partial<
    Pick<
      Draft,
      | "mimetype"
      | "title"
      | "summary"
      | "audience"
      | "coord"
      | "location"
      | "expires"
      | "commentsClosed"
      | "app"
      | "categories"
      | "plink"
      | "verb"
      | "objType"
      | "consensus"
      | "lang"
      | "nocomment"
      | "pageTitle"
      | "layoutMid"
      | "allowEmpty"
      | "media"
      | "mediaIds"
      | "sharesFiles"
      | "nsfw"
      | "poll"
      | "ownNicks"
    >
  >;

/** What a stream may be narrowed to; dates in the stored form, ids as numbers. */
export type StreamQuery = {
  start: number;
  records: number;
  order: "comment" | "post";
  nouveau: boolean;
  top: boolean;
  dbegin?: string;
  dend?: string;
  sinceId?: number;
  star: boolean;
  wall: boolean;
  conv: boolean;
  unseen: boolean;
  mid?: string;
  itemId?: number;
  groupId?: number;
  connectionId?: number;
  xchan?: string;
  closestMin: number;
  closestMax: number;
  category?: string;
  tag?: string;
  file?: string;
  search?: string;
  verb?: string;
  /** Webpages in place of conversations. */
  pages: boolean;
  itemType: number | "*";
  includeFollow: boolean;
  markSeen: boolean;
};
