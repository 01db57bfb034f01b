import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { linksForAll } from "../../../domain/bodies/links-for-all.ts";
import type { CalendarEvent } from "../../../domain/events/events.ts";
import { attachmentsOf } from "../../../domain/items/timelines/status-attachments.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { termTypes } from "../../../domain/items/vocabulary.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate, unsetDate } from "../../../http/dates.ts";
import { idsOf, itemId, objectId } from "../ids.ts";
import { addressing, concerned } from "./addressing.ts";
import { conversationOf } from "./conversation.ts";
import { fileFields } from "./file.ts";
import { hashtagOf } from "./hashtag.ts";
import { commentPolicy, interactionPolicy } from "./interaction-policy.ts";
import { eventFields, placeOf } from "./event.ts";
import { stampFields } from "./consent.ts";
import { linkOf } from "./link.ts";
import { pollFields } from "./poll.ts";
import { previewOf } from "./preview.ts";
import { isSourceForOthers, textForOthers } from "./text-for-others.ts";

/** A post or comment as other hubs read it (federation contract 4.1, 4.2); `readers` as for `addressing`. */
export function objectOf(
  hub: Hub,
  readers: readonly string[],
  written: WrittenHere,
  event: CalendarEvent | undefined,
): object {
  const { item, nick, parent } = written;
  const id = itemId(hub, item.uuid);
  const poll = pollFields(hub, written);
  const type = event ? "Event" : poll ? "Question" : item.title === "" ? "Note" : "Article";
  const words = textForOthers(hub, written, event);
  const content = contentOf(hub, written, words);
  const about = { attributedTo: idsOf(hub, nick).actor, published: isoDate(item.created) };
  return {
    id,
    type,
    ...about,
    ...addressing(hub, readers, written),
    // What is for people alone, all of whom it mentions, would be taken for a message (federation contract 5).
    ...(written.audience !== "everybody" && item.item_direct === 0 && { directMessage: false }),
    ...(item.title !== "" && { name: item.title }),
    ...(item.summary !== "" && { summary: item.summary }),
    sensitive: item.item_nsfw === 1,
    content,
    ...(item.lang !== "" && { contentMap: { [item.lang]: content } }),
    ...(isSourceForOthers(hub, item) && { source: { content: item.body, mediaType: item.mimetype } }),
    url: item.plink,
    ...(item.edited > item.created && { updated: isoDate(item.edited) }),
    ...(item.expires !== unsetDate && { expires: isoDate(item.expires) }),
    ...(type === "Article" && { preview: previewOf({ ...item, content, about, url: item.plink }) }),
    ...(parent && { inReplyTo: objectId(hub, parent) }),
    ...conversationOf(hub, written),
    tag: tagsOf(hub, readers, written),
    attachment: [...mediaOf(written, words), ...(written.card ? [linkOf(hub, written.card)] : [])],
    ...placeOf(item),
    ...(item.app !== "" && { generator: { type: "Application", name: item.app } }),
    ...(event && eventFields(event, written)),
    ...poll,
    ...quoteOf(hub, written),
    ...stampFields(written, "reply"),
    interactionPolicy: interactionPolicy(hub, readers, written),
    ...commentPolicy(written),
    replies: `${id}/replies`,
    likes: `${id}/likes`,
    shares: `${id}/shares`,
  };
}

/** A quotation leads to what it quotes: whoever shows the quoted post itself leaves that line out. */
function contentOf(hub: Hub, { shared }: WrittenHere, words: string): string {
  if (!shared) return words;
  const address = escapeHtml(objectId(hub, shared));
  return `${words}<p class="quote-inline">RE: <a href="${address}">${address}</a></p>`;
}

/** The spellings that others know (FEP-044f, FEP-e232). */
function quoteOf(hub: Hub, { shared, quoteStamp }: WrittenHere): object {
  if (!shared) return {};
  const quote = objectId(hub, shared);
  const stamp = quoteStamp !== undefined && { quoteAuthorization: quoteStamp };
  return { quote, quoteUrl: quote, _misskey_quote: quote, ...stamp };
}

function tagsOf(hub: Hub, readers: readonly string[], written: WrittenHere): object[] {
  const { item, page, shared } = written;
  const isShown = linksForAll(item.html);
  const hashtags = (page.terms.get(item.message_id) ?? [])
    .filter(({ ttype, url }) => ttype === termTypes.hashtag && isShown(url))
    .map(({ term, url }) => hashtagOf(term, url));
  const people = concerned(hub, readers, written).map((person) => ({ type: "Mention", ...person }));
  const quote = shared && {
    type: "Link",
    mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    href: objectId(hub, shared),
    rel: "https://misskey-hub.net/ns#_misskey_quote",
  };
  return [...people, ...hashtags, ...(quote ? [quote] : [])];
}

const mostMedia = 32;
const mediaTypes: Record<string, string> = { image: "Image", video: "Video", audio: "Audio" };

/** Others take pictures out of the text, and show those that stand here. */
function mediaOf({ item, page }: WrittenHere, words: string): object[] {
  const media = attachmentsOf(item, words, page.media).filter(({ url }) => /^https?:/.test(url));
  return media.slice(0, mostMedia).map(({ description: alt, ...file }) => {
    const type = mediaTypes[file.mimetype.split("/")[0]!] ?? "Document";
    return { type, ...fileFields({ ...file, alt }, page.media) };
  });
}
