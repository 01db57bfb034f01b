import type { z } from "zod";
import { applicationHtml } from "../../../domain/bodies/application-html.ts";
import { imagesOf } from "../../../domain/bodies/media.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { findShare } from "../../../domain/bodies/share.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { attachmentsOf } from "../../../domain/items/timelines/status-attachments.ts";
import type { Attachment } from "../../../domain/items/timelines/status-attachments.ts";
import { knownFile } from "../../../domain/items/timelines/known-media.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import type { StatusDetails } from "../../../domain/items/timelines/status-details.ts";
import { termTypes } from "../../../domain/items/vocabulary.ts";
import type { Hub } from "../../../hub.ts";
import type { MediaAttachment, Status } from "../entities/status.ts";
import { firstOfOthers, mostMedia } from "../offered.ts";
import { namesOf, pageOf, presentAccount } from "./account.ts";
import { datetime, datetimeOrNull } from "./dates.ts";
import { presentPoll } from "./poll.ts";
import type { Sheet } from "./sheet.ts";
import { tagUrl } from "./tag.ts";

export type StatusObject = z.infer<typeof Status>;

/** Mastodon contract 11.3; a share without words shows what it repeats (5.5 there). */
export function presentStatus(sheet: Sheet, item: StatusItem): StatusObject {
  const original =
    item.shared_id > 0 && findShare(item.body)?.added === "" ? sheet.page.originals.get(item.shared_id) : undefined;
  const shown = oneStatus(sheet, original ?? item);
  if (!original) return { ...shown, reblog: null };
  const outer = oneStatus(sheet, item);
  const { id, uri, url, created_at, edited_at, account, visibility } = outer;
  return { ...shown, id, uri, url, created_at, edited_at, account, visibility, reblog: { ...shown, reblog: null } };
}

type OneStatus = Omit<StatusObject, "reblog">;

function oneStatus(sheet: Sheet, item: StatusItem): OneStatus {
  const { page, accounts, me, hub } = sheet;
  const details = sheet.details.get(item.id)!;
  const html = personalise(item.html, undefined);
  const parent = page.parents.get(item.id);
  const likes = page.reactions.get(item.id)?.["like"] ?? [];
  const shares = page.shares.get(item.message_id);
  const terms = page.terms.get(item.message_id) ?? [];
  return {
    id: String(sheet.named.get(item.message_id) ?? item.id),
    uri: details.mid,
    url: isUrl(item.plink) ? item.plink : null,
    created_at: datetime(item.created),
    edited_at: details.revision > 0 && details.edited !== item.created ? datetimeOrNull(details.edited) : null,
    account: presentAccount(accounts, item.author_id),
    content: contentOf(sheet, item, html),
    visibility: visibilityOf(item, details, me),
    sensitive: item.item_nsfw === 1,
    spoiler_text: item.summary,
    media_attachments: mediaOf(sheet, item, html),
    application: item.app === "" ? null : { name: item.app, website: null },
    mentions: mentionsOf(sheet, item, terms),
    tags: terms
      .filter(({ ttype }) => ttype === termTypes.hashtag)
      .map(({ term }) => ({ name: term.toLowerCase(), url: tagUrl(hub.config.baseUrl, term) })),
    emojis: [],
    reblogs_count: shares?.count ?? 0,
    favourites_count: likes.length,
    replies_count: page.comments.get(item.id) ?? 0,
    quotes_count: 0,
    in_reply_to_id: parent ? String(parent.id) : null,
    in_reply_to_account_id: parent ? String(parent.authorId) : null,
    poll: presentPoll(sheet, item, details),
    card: null,
    language: item.lang.slice(0, 2).toLowerCase() || null,
    ...(me !== undefined && {
      favourited: likes.includes(me),
      reblogged: shares?.mine ?? false,
      bookmarked: details.starred === 1,
      muted: details.silenced === 1,
      ...(isOwnTop(item, me) && { pinned: details.pinned === 1 }),
      filtered: [],
    }),
    local_only: details.public_policy.startsWith("site: "),
    hubbub: { title: item.title, thread: String(item.parent) },
  };
}

/** What it says, with its title in front unless it begins with that (mastodon contract 4.5). */
export function contentOf(sheet: Sheet, { title: name }: Pick<StatusItem, "title">, html: string): string {
  const content = applicationHtml(html, {
    personAt: (url) => personAt(sheet, url),
    tagUrl: (tag) => tagUrl(sheet.hub.config.baseUrl, tag),
  });
  const title = name === "" ? "" : applicationHtml(`<h1>${escaped(name)}</h1>`, noContext);
  return content.startsWith(title) ? content : title + content;
}

/** A post of the caller on the caller's own wall. */
function isOwnTop(item: StatusItem, me: number): boolean {
  return item.item_thread_top === 1 && item.author_id === me && item.owner_id === me;
}

const noContext = { personAt: () => undefined, tagUrl: () => "" };

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** By the first line of mastodon contract 6.1 that fits. */
function visibilityOf(item: StatusItem, details: StatusDetails, me: number | undefined): StatusObject["visibility"] {
  if (item.item_private === 0) return details.unlisted === 1 ? "unlisted" : "public";
  if (details.direct === 1) return "direct";
  const isForAuthor = details.public_policy === "self" && details.allow_cid === "" && details.allow_gid === "";
  return isForAuthor && me === item.author_id ? "direct" : "private";
}

function personAt({ page }: Sheet, url: string): { url: string; nick: string } | undefined {
  const user = page.users.get(page.mentioned.get(url) ?? 0);
  return user && { url: pageOf(user, url), nick: namesOf(user).username };
}

/** Whom the text names, in its order; of an answer whom it answers goes first (mastodon contract 11.4). */
function mentionsOf(
  { page, hub }: Sheet,
  item: StatusItem,
  terms: readonly { url: string }[],
): StatusObject["mentions"] {
  const named = terms.flatMap(({ url }) => page.mentioned.get(url) ?? []);
  const answered = page.parents.get(item.id)?.authorId;
  const first = answered === undefined || named.includes(answered) || answered === item.author_id ? [] : [answered];
  return [...new Set([...first, ...named])].flatMap((id) => {
    const user = page.users.get(id);
    return user ? [{ id: String(id), ...namesOf(user), url: pageOf(user, hub.config.baseUrl) }] : [];
  });
}

/** Its pictures, films, sounds and files (mastodon contract 11.5). */
export function mediaOf(
  { page, hub }: { page: { media: KnownMedia }; hub: Hub },
  item: Pick<StatusItem, "attach" | "message_id">,
  html: string,
): z.infer<typeof MediaAttachment>[] {
  const words = new Map(imagesOf(html).map(({ url, alt }) => [url, alt]));
  return attachmentsOf(item, html, page.media)
    .filter(({ url }) => isUrl(url))
    .slice(0, mostMedia)
    .map((one, at) => {
      const known = knownFile(page.media, one.url);
      return {
        id: String(known?.id ?? firstOfOthers + mostMedia * item.message_id + at),
        type: typeOf(one),
        url: one.url,
        preview_url: isUrl(one.thumb_url) ? one.thumb_url : null,
        remote_url: one.url.startsWith(`${hub.config.baseUrl}/`) ? null : one.url,
        preview_remote_url: null,
        text_url: null,
        meta: metaOf(one),
        description: words.get(one.url) || null,
        blurhash: null,
      };
    });
}

function typeOf({ mimetype }: Attachment): "image" | "video" | "audio" | "unknown" {
  const [kind] = mimetype.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "unknown";
}

/** What is unknown is left out: a picture without a size once stopped an application. */
function metaOf({ width, height }: Attachment): z.infer<typeof MediaAttachment>["meta"] {
  if (width <= 0 || height <= 0) return null;
  return { original: { width, height, size: `${width}x${height}`, aspect: Number((width / height).toFixed(6)) } };
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}
