import type { Generated } from "kysely";

/**
 * The content of a message, stored once per hub and author; the channels that have it own rows of ItemTable.
 * Together they are the item record of native contract 2.8.
 */
export type MessageTable = {
  id: Generated<number>;
  mid: string;
  /** Names the message in links of this hub (llink, federation ids). */
  uuid: string;
  author_id: number;
  parent_mid: string;
  thr_parent: string;
  created: string;
  edited: string;
  expires: Generated<string>;
  comments_closed: Generated<string>;
  mimetype: Generated<string>;
  title: Generated<string>;
  /** What people are told before they open it: a content warning, in plain text. */
  summary: Generated<string>;
  body: Generated<string>;
  html: Generated<string>;
  /** The body as plain text, made when the message is stored. */
  plain: Generated<string>;
  app: Generated<string>;
  lang: Generated<string>;
  revision: Generated<number>;
  /** Tells saved versions of one mid apart (wiki pages); 0 for everything else. */
  version: Generated<number>;
  verb: string;
  obj_type: string;
  obj: Generated<string>;
  tgt_type: Generated<string>;
  target: Generated<string>;
  layout_mid: Generated<string>;
  plink: Generated<string>;
  resource_id: Generated<string>;
  resource_type: Generated<string>;
  attach: Generated<string>;
  sig: Generated<string>;
  fed_meta: Generated<string>;
  location: Generated<string>;
  coord: Generated<string>;
  item_consensus: Generated<number>;
  item_nocomment: Generated<number>;
  item_nsfw: Generated<number>;
  item_verified: Generated<number>;
  item_rss: Generated<number>;
  /** The message that this one shares, 0 if none. */
  shared_id: Generated<number>;
  /** 1 where it repeats that one and adds nothing (domain/items/sharing.ts); -1 where nobody has said that yet. */
  shares_purely: Generated<number>;
  /** What it is found by (domain/search/words.ts); empty for what nobody searches. */
  words: Generated<string>;
};

/** A channel's view of a message. Unique by (uid, message_id). */
export type ItemTable = {
  id: Generated<number>;
  uid: number;
  aid: number;
  message_id: number;
  parent: number;
  /** Item id of the direct parent in the same channel; own id for a top, 0 when it is not stored. */
  thr_parent_id: number;
  author_id: number;
  owner_id: number;
  source_id: Generated<number>;
  created: string;
  commented: string;
  received: string;
  changed: string;
  public_policy: Generated<string>;
  comment_policy: Generated<string>;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
  postopts: Generated<string>;
  route: Generated<string>;
  item_private: Generated<number>;
  item_origin: Generated<number>;
  item_unseen: Generated<number>;
  item_starred: Generated<number>;
  item_uplink: Generated<number>;
  item_wall: Generated<number>;
  item_thread_top: Generated<number>;
  item_notshown: Generated<number>;
  item_relay: Generated<number>;
  item_mentionsme: Generated<number>;
  item_retained: Generated<number>;
  item_deleted: Generated<number>;
  item_type: Generated<number>;
  /** 6 for a card, 7 for an article: posts with a page of their own. */
  item_kind: Generated<number>;
  item_hidden: Generated<number>;
  item_unpublished: Generated<number>;
  item_delayed: Generated<number>;
  item_pending_remove: Generated<number>;
  item_blocked: Generated<number>;
  /** 1: it answers an item that the channel wrote. */
  answers_me: Generated<number>;
  /** 1: somebody has shared it; on the copies of its author and of its wall. It stays when the share goes. */
  reshared: Generated<number>;
  /** 1: the top of a direct thread, for those alone whom it names. */
  item_direct: Generated<number>;
  /** 1: of a top, that the channel has the thread only because it did something with it, and wrote nothing in it. */
  item_kept: Generated<number>;
  /** Computed by the database: 1 for a normal item (native contract 2.8). */
  item_normal: Generated<number>;
};

/** The search index, kept by triggers: PostgreSQL names its rows `id`, SQLite `rowid`. */
export type SearchTable = {
  id: number;
  rowid: number;
  words: string;
};

/** Only PostgreSQL has it: when the messages of each range of item ids were written. */
export type SearchRangeTable = {
  id: number;
  oldest: string;
  newest: string;
};

/** Native contract 2.10; `uid` is 0 for what belongs to the message, else the channel whose own term it is. */
export type TermTable = {
  tid: Generated<number>;
  /** 0 for terms of records that are no messages: those have their id in `oid`. For community tags that is the message that brought it. */
  message_id: number;
  oid: Generated<number>;
  uid: number;
  otype: Generated<number>;
  ttype: number;
  term: string;
  /** The term folded for comparing. */
  term_key: string;
  url: Generated<string>;
  imgurl: Generated<string>;
  term_hash: Generated<string>;
  parent_hash: Generated<string>;
  /** Only for saved searches. */
  created: Generated<string>;
};

/** Native contract 2.11; `uid` as in TermTable. */
export type IconfigTable = {
  id: Generated<number>;
  message_id: number;
  uid: number;
  cat: string;
  k: string;
  v: string;
  sharing: Generated<number>;
  /** Set where `k` and `v` are the identity of the channel's item on another service (storage/remote-key.ts); unique by channel. */
  remote_key: Generated<string | null>;
};

/** A person's vote in a poll: the names of what was chosen, as a JSON list. */
export type PollVoteTable = {
  message_id: number;
  xchan_id: number;
  choices: string;
};

/** What somebody did that concerns a channel (decision 40). Of the four ids at most one is set, by the kind. */
export type NotifyTable = {
  id: Generated<number>;
  hash: string;
  uid: number;
  /** One of `noticeKinds`, or `worded`. */
  kind: string;
  /** URI of the activity, where the kind alone does not say it. */
  verb: Generated<string>;
  /** The xchan of who did it; 0 for a worded notice. */
  actor_id: Generated<number>;
  item_id: number;
  mail_id: Generated<number>;
  abook_id: Generated<number>;
  report_id: Generated<number>;
  /** How many deeds it stands for since it was last looked at. */
  count: Generated<number>;
  created: string;
  seen: Generated<number>;
  /** Of a worded notice: the record of native contract 2.16, as JSON. */
  words: Generated<string>;
  /** Those of a channel that tell of one thing have the same (groups.ts). */
  group_key: string;
  /** 0 where the channel wants it by other ways only: no list shows it. */
  listed: Generated<number>;
  /** Whether it still goes out by mail: 0 no, 1 soon, 2 with the next digest. */
  mail: Generated<number>;
  /** 1 where the policy of its reader keeps it apart: no list shows it, and nothing tells of it. */
  filtered: Generated<number>;
};

/** What a stranger of elsewhere has written to a channel that is asked first, as it came; `let_in`: it takes effect in a moment. */
export type FirstContactTable = {
  id: Generated<number>;
  uid: number;
  author_id: number;
  mid: string;
  is_private: number;
  let_in: Generated<number>;
  /** What is shown of it. */
  plain: string;
  document: string;
  forwarded: Generated<number>;
  received: string;
};

/** A message of elsewhere as it came: the activity or object, in JSON. */
export type ForeignDocumentTable = { message_id: number; document: string; forwarded: Generated<number> };

/** Somebody whom a private message of elsewhere names, by an id in the form in which ids compare. */
export type AddressedToTable = { message_id: number; person: string };

/** What a message said before it was edited, from `written` on. */
export type MessageVersionTable = {
  id: Generated<number>;
  message_id: number;
  revision: number;
  written: string;
  title: string;
  summary: string;
  html: string;
  attach: string;
  item_nsfw: number;
  /** The object of the poll that it was, `{}` where it was none; empty where nobody knows. */
  question: Generated<string>;
};

/** What has been fetched of a thread of elsewhere, for the last time: `came` is how many posts were new. */
export type ThreadFetchTable = { message_id: number; started: string; ended: Generated<string>; came: number };

/**
 * That something of somebody elsewhere, by its id, may quote, answer, like or share (`kind`) a message of this hub; of what is
 * `revoked` the date.
 */
export type ApprovalTable = {
  id: Generated<number>;
  uuid: string;
  kind: Generated<string>;
  message_id: number;
  person_id: number;
  quoting: string;
  created: string;
  revoked: Generated<string>;
};

/** Something that somebody elsewhere took back before it came, by its id; kept for a day. */
export type TakenBackTable = { id: string; moment: string };

/** Something that was deleted here or elsewhere, by its id; own ids stay for good. */
export type DeletedIdTable = {
  id: string;
  kind: "article" | "event" | "note" | "question";
  deleted: string;
  was_public: number;
};

/** That a message has gone to an inbox of another hub: for `people`, a JSON list of xchan ids. The first time decides. */
export type SentToTable = {
  message_id: number;
  inbox: string;
  people: string;
  /** 1: the inbox is that of the whole hub. */
  shared: Generated<number>;
};

/** Words that a channel does not want to read, in one of its filters; `needle` is what texts are searched for. */
export type WordFilterTable = {
  id: Generated<number>;
  uid: number;
  filter_id: number;
  phrase: string;
  needle: string;
  whole_words: Generated<number>;
  created: string;
};

/** A hashtag that a channel follows; `term_key` is the term folded for comparing. */
export type FollowedTagTable = {
  id: Generated<number>;
  uid: number;
  term: string;
  term_key: string;
  created: string;
};

/** What words and posts are filtered by together, and where (mastodon contract 11.19). */
export type FilterTable = {
  id: Generated<number>;
  uid: number;
  title: string;
  action: string;
  at_home: Generated<number>;
  at_notifications: Generated<number>;
  at_public: Generated<number>;
  at_thread: Generated<number>;
  at_account: Generated<number>;
  /** 1: its end has come. */
  ended: Generated<number>;
  ends: Generated<string>;
  created: string;
};

/** A post in a filter, by its message; `item_id` is the copy by which it was named. */
export type FilterStatusTable = {
  id: Generated<number>;
  uid: number;
  filter_id: number;
  message_id: number;
  item_id: number;
};
