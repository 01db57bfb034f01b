import { refusal } from "../../errors.ts";
import { ahead } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { linksForAll } from "../bodies/links-for-all.ts";
import { bodyMimetypes, pageMimetypes } from "../bodies/mimetypes.ts";
import { plainLine } from "../bodies/names.ts";
import { sharedIds, withoutShared } from "../bodies/share.ts";
import { rewriteTags, splitCategories } from "../bodies/tags.ts";
import { layOut, tagsOf } from "../bodies/texts.ts";
import type { LaidOut } from "../bodies/texts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { sign } from "../identity/xchans/signing.ts";
import { isElsewhere } from "../people/look-elsewhere.ts";
import { takeAttachments } from "./attachments.ts";
import { deletedAmong } from "./deleted-ids.ts";
import { resolveMentions } from "./mentions.ts";
import type { Mentioned } from "./mentions.ts";
import { lockRepeated } from "./queries.ts";
import type { Draft, Term } from "./types.ts";
import { termTypes } from "./vocabulary.ts";

/** A body ready to be stored: tags rewritten, rendered once, terms collected. */
export type Content = LaidOut & {
  body: string;
  mimetype: string;
  terms: NewTerm[];
  /** People and own groups that were mentioned privately; undefined where a private mention matched nobody. */
  privately: (Mentioned | undefined)[];
  mentions: Mentioned[];
  /** It mentions somebody by an address of elsewhere whom nobody here knows (posting/meet-mentioned.ts). */
  namesStrangers: boolean;
  /** The files that the body's codes stood for: JSON, or empty. */
  attach: string;
  /** Of the channel that has written it; empty for words under another's name. */
  sig: string;
};

/** A tag, mention or bookmark that a text has. */
export type NewTerm = Pick<Term, "ttype" | "term" | "url">;

type ContentDraft = Pick<
  Draft,
  "body" | "mimetype" | "categories" | "allowEmpty" | "itemType" | "verbatim" | "remoteXchan" | "ownNicks"
>;

/**
 * Prepares a body as native contract 4.4 steps 3 and 5 say. Throws invalid (`no_content`, unknown type),
 * denied (`forbidden_content_type`) and too-large.
 */
export async function prepareContent(hub: Hub, author: Channel, draft: ContentDraft): Promise<Content> {
  const mimetype = checkMimetype(draft.mimetype ?? "text/bbcode", draft.itemType ?? 0);
  const asSent = draft.body.trim();
  const { body: trimmed, attach } = draft.verbatim
    ? { body: asSent, attach: "" }
    : await takeAttachments(hub, author, asSent, mimetype);
  if (trimmed === "" && attach === "" && !draft.allowEmpty) throw refusal("no_content");
  if ([...trimmed].length > hub.config.limits.body) throw refusal("text_too_long");
  refuseManyCategories(draft.categories ?? []);
  const found = await tagsOf(hub, draft.verbatim ? "" : trimmed, mimetype);
  const resolved = await resolveMentions(hub, author, found.mentions, draft);
  const rewritten = rewriteTags(trimmed, mimetype, found, (mention) => resolved.get(mention), hub.config.baseUrl);
  // A form may have been open since before what it shares was deleted.
  const body = withoutShared(rewritten, await deletedOfShared(hub, rewritten));
  const [laidOut, sig] = await Promise.all([
    layOut(hub, body, mimetype),
    draft.remoteXchan === undefined ? sign(hub, author.channel_id, body) : "",
  ]);
  // Whoever looks for a hashtag learns that it stands there, and so do all who list those of a post.
  const isForAll = linksForAll(laidOut.html);
  const mentions = [...resolved.values()].filter((mention) => mention.xchanId > 0);
  return {
    body,
    mimetype,
    ...laidOut,
    terms: [
      ...mentions.map(({ name, url }) => ({ ttype: termTypes.mention, term: name, url })),
      ...found.hashtags.map(({ tag }) => hashtagTerm(hub, tag)).filter(({ url }) => isForAll(url)),
      ...found.bookmarks.map(({ url, title }) => ({ ttype: termTypes.bookmark, term: title, url })),
      ...categoryTerms(hub, author, draft.categories ?? []),
    ],
    privately: found.mentions.filter((mention) => mention.private).map((mention) => resolved.get(mention)),
    mentions,
    namesStrangers: found.mentions.some((mention) => !resolved.has(mention) && isElsewhere(hub, mention.name)),
    attach,
    sig,
  };
}

/** What prepares the content of a draft inside of the transaction that stores it. */
export type Prepare = (hub: Hub, author: Channel, draft: ContentDraft) => Promise<Content>;

/**
 * Prepares a draft before its transaction, which is told then, in its own time, what came of it. What media become in a text
 * is known only once they are stored, so a draft with media is prepared after that.
 */
export async function contentAhead(
  hub: Hub,
  author: Channel,
  draft: ContentDraft & Pick<Draft, "media" | "mediaIds">,
): Promise<Prepare> {
  if ((draft.media ?? []).length > 0 || (draft.mediaIds ?? []).length > 0) return prepareContent;
  const prepared = await ahead(prepareContent(hub, author, draft));
  return async (hub, author, draft) => {
    const content = await prepared();
    const left = withoutShared(content.body, await deletedOfShared(hub, content.body));
    return left === content.body ? content : prepareContent(hub, author, draft);
  };
}

/**
 * Which of the posts that this body shares are deleted. Whoever deletes another one waits for the end of the transaction in which
 * this is asked, and so finds the body among the shares.
 */
async function deletedOfShared(hub: Hub, body: string): Promise<Set<string>> {
  const ids = sharedIds(body);
  if (ids.length > 0 && hub.db.isTransaction) await lockRepeated(hub, ids);
  return deletedAmong(hub, ids);
}

const mostCategories = 100;

function refuseManyCategories(categories: string[]): void {
  if (namesOf(categories).length > mostCategories) throw refusal("categories_too_many", { most: mostCategories });
}

function namesOf(categories: string[]): string[] {
  return splitCategories(categories.join(","));
}

/** Categories as terms; their links lead to the author's posts of that category. */
function categoryTerms(hub: Hub, author: Channel, categories: string[]): NewTerm[] {
  return namesOf(categories).map((term) => ({
    ttype: termTypes.category,
    term,
    url: `${hub.config.baseUrl}/channel/${author.channel_address}?f=&cat=${encodeURIComponent(term)}`,
  }));
}

function hashtagTerm(hub: Hub, tag: string): NewTerm {
  return { ttype: termTypes.hashtag, term: tag, url: tagAddress(hub, tag) };
}

/** Where what has a hashtag is found here. */
export function tagAddress(hub: Hub, tag: string): string {
  return `${hub.config.baseUrl}/search?tag=${encodeURIComponent(tag)}`;
}

function checkMimetype(mimetype: string, itemType: number): string {
  if (mimetype === "application/x-php") {
    throw refusal("forbidden_content_type");
  }
  const known = itemType === 2 ? pageMimetypes : bodyMimetypes;
  if (!known.includes(mimetype)) throw refusal("content_type_unknown");
  return mimetype;
}

/** A one-line text without markup, as titles, places and names are. */
export function line(text: string | undefined, most: number): string {
  return text === undefined ? "" : plainLine(text, most);
}
