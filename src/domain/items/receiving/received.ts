import type { SaidCard } from "../../link-cards/said-card.ts";
import type { NewEmoji } from "../../proxy/emoji.ts";
import type { Came } from "../foreign-documents.ts";
import type { Permits } from "../permits.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";

/** What somebody elsewhere says, in terms of the domain; dates and texts as they came. */

/** Whom something is for (federation contract 5). */
export type ReceivedAudience = {
  /** For all, in public lists or outside of them, or only for those who are named. */
  for: "everybody" | "everybody, unlisted" | "named";
  /** Ids of people, and addresses that stand for several, to whom it is addressed. */
  addresses: readonly string[];
  /** Channels of this hub to whose own inboxes it came. */
  inboxes: readonly number[];
};

/** A picture, film, sound or file that comes with a post. */
export type ReceivedMedia = {
  kind: "image" | "video" | "audio" | "file";
  url: string;
  mediaType: string;
  description: string;
  width: number;
  height: number;
  /** What it looks like from afar (blurha.sh), and the point that stays in sight, `x,y`; empty where nothing is said. */
  blurhash: string;
  focus: string;
  /** The SHA-256 of its bytes, in hex; empty where nothing is said. */
  digest: string;
};

/** When and where something takes place. */
export type ReceivedEvent = {
  start: Date;
  end: Date | undefined;
  /** It is what the clocks show wherever one is; the dates are those clocks as if they stood in UTC. */
  byClock: boolean;
  location: string;
};

export type ReceivedPost = Came & {
  mid: string;
  author: Xchan;
  audience: ReceivedAudience;
  /** It is for persons alone, and says that it is a message, or does not say and mentions them all. */
  direct: boolean;
  /** Whether it is a message by its own word; undefined where it does not say. */
  directMessage: boolean | undefined;
  /** What it says to belong to. */
  context: string | undefined;
  inReplyTo: string | undefined;
  title: string;
  /** Some write HTML where others have plain text. */
  summary: string;
  /** Its text, in a type of which `contentHtml` makes HTML. */
  content: { text: string; mimetype: string };
  /** What the HTML was made from, in a type that is known here. */
  source: { body: string; mimetype: string } | undefined;
  media: readonly ReceivedMedia[];
  /** What its author says of a page to which it leads. */
  link?: SaidCard | undefined;
  mentions: readonly { href: string; name: string }[];
  hashtags: readonly string[];
  /** Codes between colons that stand for pictures. */
  emoji: readonly NewEmoji[];
  /** A short name or URI of native contract 4.1, or what elsewhere has for it. */
  objType: string;
  /** What is asked, as JSON; empty for what asks nothing. */
  question: string;
  event: ReceivedEvent | undefined;
  /** How many answers its hub says that it has. */
  answers: number | undefined;
  /** The group of elsewhere to which it was posted: that owns its thread (federation contract 6.1). */
  group?: Xchan | undefined;
  /** The group that hands it on. */
  via?: Xchan | undefined;
  /** Is it for a group, here or elsewhere, by its own words? */
  isForGroup: boolean;
  /** Id of the post that is quoted. */
  quote: string | undefined;
  /** Id of the stamp that it bears for that. */
  quoteStamp: string | undefined;
  /** And of the one by which it may stand below what it answers. */
  replyStamp: string | undefined;
  /** It, where it may be shown there: the message that it is here, and the block that repeats it. */
  quoted?: { id: number; share: string } | undefined;
  plink: string;
  lang: string;
  location: string;
  coord: string;
  nsfw: boolean;
  /** Who may answer: a word of native contract 3.2. */
  comments: "public" | "contacts" | "self";
  /** Who may do what else with it. */
  permits: Permits;
  published: Date | undefined;
  updated: Date | undefined;
  /** When it goes by itself, if it says so. */
  expires: Date | undefined;
  /** The id of the activity by which its author asks whether it may answer; absent where it came by itself. */
  request?: string | undefined;
};

/** What somebody does with an item. */
export type ReceivedDeed = Came & {
  mid: string;
  author: Xchan;
  /** The group that hands it on. */
  via?: Xchan | undefined;
  target: string;
  published: Date | undefined;
};
