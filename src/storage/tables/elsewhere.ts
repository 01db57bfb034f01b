import type { Generated } from "kysely";

/** Where an identity of another hub is reached (federation contract 1.4); `compared` is its id in the form in which ids compare. */
export type ActorTable = {
  id: Generated<number>;
  actor_id: string;
  compared: string;
  xchan_id: number;
  type: string;
  inbox: string;
  host: string;
  shared_inbox: Generated<string>;
  outbox: Generated<string>;
  followers: Generated<string>;
  following: Generated<string>;
  featured: Generated<string>;
  /** Other ids of the same person, as a JSON list. */
  also_known_as: Generated<string>;
  moved_to: Generated<string>;
  /** Addresses of the picture and the cover that were copied last. */
  picture: Generated<string>;
  cover: Generated<string>;
  /** What they say about themselves: a JSON list of names with filtered HTML. */
  fields: Generated<string>;
  /** How many they claim to have; null where nobody knows. */
  followers_count: Generated<number | null>;
  following_count: Generated<number | null>;
  posts_count: Generated<number | null>;
  /** When these were asked for. */
  counted: Generated<string>;
  manually_approves: Generated<number>;
  /** May those who follow them answer, unless a post says otherwise? */
  followers_answer: Generated<number>;
  /** The day (UTC) of the newest post for all that has come from them; empty for none. */
  last_post: Generated<string>;
  /** When the document was read, and when its owner changed it last. */
  fetched: string;
  updated: Generated<string>;
  /** When it went; unset for one that is there. */
  gone: Generated<string>;
  /** When somebody who had moved here brought their followers of this hub along; unset for never. */
  joined: Generated<string>;
  /** When their list of followers here was compared with what this hub knows; unset for never. */
  followers_compared: Generated<string>;
  /** The id of the person to whom a program says that it belongs; empty where it does not. */
  attributed_to: Generated<string>;
  /** The keys that stand behind them, between spaces: whoever has one of these as well is the same person. */
  subjects: Generated<string>;
  /** The hash that they have as a channel of this kind of hub; empty for all others. */
  identity: Generated<string>;
};

/** How much was asked for of other servers because of one thing that happened here or came from elsewhere. */
export type FetchBudgetTable = {
  cause: string;
  asked: number;
  created: string;
};

/** A key of theirs (federation contract 1.3): `kind` is rsa or ed25519, `key` PEM or multibase, `owner` the actor's id. */
export type ActorKeyTable = {
  id: Generated<number>;
  key_id: string;
  owner: string;
  kind: string;
  key: string;
  fetched: string;
  /** When the owner's document named it no more. */
  gone: Generated<string>;
};

/** Another hub, by its host as addresses have it. */
export type PeerTable = {
  id: Generated<number>;
  host: string;
  first_contact: string;
  last_contact: string;
  /** Whether requests to it are tried: empty, or `open` when only probes are, or `dead` when nothing is (federation contract 12.2). */
  circuit: Generated<string>;
  /** How many requests in a row have failed, and since when. */
  failures: Generated<number>;
  failing_since: Generated<string>;
  /** When somebody asks it again while the circuit is open, and how many have. */
  next_probe: Generated<string>;
  probes: Generated<number>;
  dead_since: Generated<string>;
  /** The way of signing that it took last; empty when nobody knows. */
  scheme: Generated<string>;
  scheme_since: Generated<string>;
  scheme_failures: Generated<number>;
  last_ok: Generated<string>;
  last_failed: Generated<string>;
  last_error: Generated<string>;
  /** What it runs, as it says itself, in small letters; empty when nobody knows. */
  software: Generated<string>;
  software_version: Generated<string>;
  /** When it was asked for that. */
  software_asked: Generated<string>;
  /** The id of the actor that reads for all of it, as it says itself; empty where it names none. */
  application: Generated<string>;
};

/** A picture, film or sound elsewhere that the hub shows: what is known of it and, of some pictures, a copy (federation contract 14). */
export type RemoteMediaTable = {
  id: Generated<number>;
  /** Of the address, which may be long. */
  digest: string;
  url: string;
  host: string;
  /** By its bytes; empty as long as it could not be had. */
  mimetype: Generated<string>;
  /** The copy; empty without one. */
  blob: Generated<string>;
  /** Bytes of the copy; without one, of the original, where it has told. */
  filesize: number;
  viewed: string;
  /** How often in a row it could not be had, and until when nobody asks again. */
  failures: Generated<number>;
  retry: Generated<string>;
  /** Of an image of which there is, or was, a copy: its size, and what it looks like from afar (blurha.sh). */
  width: Generated<number>;
  height: Generated<number>;
  blurhash: Generated<string>;
};

/** What a page elsewhere says of itself, for messages that link to it (decision 65). */
export type LinkCardTable = {
  id: Generated<number>;
  /** Of the address, which may be long. */
  digest: string;
  url: string;
  host: string;
  /** `link` or `video`; empty as long as nothing is known. */
  kind: Generated<string>;
  title: Generated<string>;
  description: Generated<string>;
  site: Generated<string>;
  author: Generated<string>;
  language: Generated<string>;
  /** Its picture: the address there, words for it, its size, and what it looks like from afar. */
  picture: Generated<string>;
  picture_text: Generated<string>;
  width: Generated<number>;
  height: Generated<number>;
  blurhash: Generated<string>;
  /** Until then nobody asks again. */
  again: Generated<string>;
};

/** Which page a message links to. */
export type MessageLinkTable = { message_id: number; card_id: number };

/** A picture that a hub has for a code between colons (federation contract 4.2). */
export type EmojiTable = {
  id: Generated<number>;
  host: string;
  code: string;
  url: string;
  mimetype: Generated<string>;
  /** The copy; empty while there is none. */
  blob: Generated<string>;
  filesize: number;
  /** Its date, as the document that brought it says. */
  updated: Generated<string>;
};

/** What the site does with hosts of a domain (federation contract 13): `level` is none, limit or suspend. */
export type SiteBlockTable = {
  id: Generated<number>;
  domain: string;
  level: string;
  /** Are their pictures and other media left out? */
  no_media: Generated<number>;
  reason: Generated<string>;
  public_comment: Generated<string>;
  created: string;
};

/** A list of blocked domains that others keep and the site follows; `fault` says why it could not be had the last time. */
export type BlockListTable = {
  id: Generated<number>;
  url: string;
  /** Does what is new on it wait for an administrator? */
  reviewed: Generated<number>;
  fault: Generated<string>;
  created: string;
  asked: string;
  fetched: string;
};

/** What such a list says of a domain; it counts where it is taken. Unique by (list_id, domain, taken). */
export type ListedBlockTable = {
  list_id: number;
  domain: string;
  level: string;
  no_media: Generated<number>;
  taken: Generated<number>;
  public_comment: Generated<string>;
};
