import { applicationHtml, asciiUrl } from "../../../domain/bodies/application-html.ts";
import { linksForAll } from "../../../domain/bodies/links-for-all.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { isWebUrl } from "../../../domain/identity/xchans/web-url.ts";
import type { ApplicationItem } from "../../../domain/items/columns.ts";
import { presentMatch } from "./filter.ts";
import { namesOf, pageOf, presentAccount } from "./account.ts";
import { emojiIn } from "./emoji.ts";
import { datetime, datetimeOrNull } from "./dates.ts";
import { presentCard } from "./card.ts";
import { presentHubbub } from "./hubbub.ts";
import { languageCode } from "./language.ts";
import { presentMedia } from "./media.ts";
import { presentPoll } from "./poll.ts";
import { isQuote, quoteApproval, quoteState, shallowQuote } from "./quote.ts";
import type { StatusObject } from "./status-object.ts";
import { visibilityOf } from "./visibility.ts";
import type { Sheet } from "./sheet.ts";
import { tagUrl } from "./tag.ts";

/** Mastodon contract 11.3; a share without words shows what it repeats (5.5 there). */
export function presentStatus(sheet: Sheet, item: ApplicationItem): StatusObject {
  const original = item.shared_id > 0 && !isQuote(item) ? sheet.page.originals.get(item.shared_id) : undefined;
  const shown = withQuote(sheet, original ?? item);
  if (!original) return shown;
  const { id, uri, url, created_at, edited_at, account, visibility, hubbub } = oneStatus(sheet, item);
  const outer = { id, uri, url, created_at, edited_at, account, visibility, hubbub, quote: null, quote_id: null };
  return { ...shown, ...outer, reblog: shown };
}

/** What is quoted names what it quotes itself, and no more. */
type QuoteObject = {
  state: NonNullable<StatusObject["quote"]>["state"];
  quoted_status: (Omit<StatusObject, "quote"> & { quote: ReturnType<typeof shallowQuote> }) | null;
};
type OneStatus = Omit<StatusObject, "reblog" | "quote" | "quote_id">;

/** What it quotes stands in it, one level deep (mastodon contract 11.8). A copy of so large an object would cost as much as making it. */
function withQuote(sheet: Sheet, item: ApplicationItem): StatusObject & { reblog: null } {
  const quote = quoteOf(sheet, item);
  const further = { quote, quote_id: quote?.quoted_status?.id ?? null, reblog: null };
  return Object.assign(oneStatus(sheet, item), further);
}

/** What it quotes; null where it quotes nothing. */
export function quoteOf(sheet: Sheet, item: ApplicationItem): QuoteObject | null {
  const quoted = sheet.page.originals.get(item.shared_id);
  const state = quoteState(item, sheet.page.details.get(item.id)!, quoted !== undefined);
  if (!state) return null;
  if (!quoted || state !== "accepted") return { state, quoted_status: null };
  const inner = oneStatus(sheet, quoted);
  const quote = shallowQuote(sheet, quoted, sheet.page.details.get(quoted.id)!);
  return { state, quoted_status: { ...inner, quote, quote_id: quote?.quoted_status_id ?? null, reblog: null } };
}

function oneStatus(sheet: Sheet, item: ApplicationItem): OneStatus {
  const { page, accounts, me, hub } = sheet;
  const details = page.details.get(item.id)!;
  const html = personalise(item.html, undefined);
  const parent = page.parents.get(item.id);
  const card = sheet.cards.get(item.message_id) ?? sheet.cards.get(item.shared_id);
  const likes = page.reactions.get(item.id)?.["like"] ?? [];
  const shares = page.shares.get(item.message_id);
  const tags = page.hashtags.get(item.message_id) ?? [];
  return {
    id: String(sheet.named.get(item.message_id) ?? item.id),
    uri: details.mid,
    url: isWebUrl(item.plink) ? asciiUrl(item.plink) : null,
    created_at: datetime(item.created),
    edited_at: details.revision > 0 && details.edited !== item.created ? datetimeOrNull(details.edited) : null,
    account: presentAccount(accounts, item.author_id),
    content: contentOf(sheet, item, html),
    visibility: visibilityOf(sheet, item, details),
    sensitive: item.item_nsfw === 1,
    spoiler_text: item.summary,
    media_attachments: presentMedia(hub, page.media, item, html, sheet.channelId),
    application: item.app === "" ? null : { name: item.app, website: null },
    mentions: mentionsOf(sheet, item),
    tags: tags.map((tag) => ({ name: tag.toLowerCase(), url: tagUrl(hub.config.baseUrl, tag) })),
    emojis: emojiIn(html),
    reblogs_count: shares?.count ?? 0,
    favourites_count: likes.length,
    replies_count: page.comments.get(item.id) ?? 0,
    quotes_count: page.quotes.get(item.message_id) ?? 0,
    in_reply_to_id: parent ? String(sheet.echoes.get(parent.id) ?? parent.id) : null,
    in_reply_to_account_id: parent ? String(parent.authorId) : null,
    poll: presentPoll(sheet, item, details),
    card: card ? presentCard(hub, card) : null,
    quote_approval: quoteApproval(sheet, item, details),
    language: languageCode(item.lang),
    ...(me !== undefined && {
      favourited: likes.includes(me),
      reblogged: shares?.mine ?? false,
      bookmarked: details.starred === 1,
      muted: details.silenced === 1,
      ...(isOwnTop(item, me) && { pinned: details.pinned }),
      filtered: (sheet.filtered.get(item.message_id) ?? []).map(presentMatch),
    }),
    tagged_collections: [],
    local_only: details.public_policy.startsWith("site: "),
    hubbub: presentHubbub(sheet, item, details),
  };
}

/** What it says, with its title in front unless it begins with that (mastodon contract 4.5). */
export function contentOf(
  sheet: Sheet,
  item: Pick<ApplicationItem, "title" | "shared_id" | "body">,
  html: string,
): string {
  const quoted = isQuote(item) ? sheet.page.originals.get(item.shared_id)?.plink : undefined;
  const content = applicationHtml(html, {
    personAt: (url) => personAt(sheet, url),
    tagUrl: (tag) => tagUrl(sheet.hub.config.baseUrl, tag),
    quoted: quoted !== undefined && isWebUrl(quoted) ? asciiUrl(quoted) : undefined,
  });
  const title = item.title === "" ? "" : applicationHtml(`<h1>${escaped(item.title)}</h1>`, noContext);
  return content.startsWith(title) ? content : title + content;
}

/** A post of the caller on the caller's own wall. */
function isOwnTop(item: ApplicationItem, me: number): boolean {
  return item.item_thread_top === 1 && item.author_id === me && item.owner_id === me;
}

const noContext = { personAt: () => undefined, tagUrl: () => "" };

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function personAt({ page }: Sheet, url: string): { url: string; nick: string } | undefined {
  const user = page.users.get(page.mentioned.get(url) ?? 0);
  return user && { url: pageOf(user, url), nick: namesOf(user).username };
}

/** Whom the text names to everybody, in its order; of an answer whom it answers goes first (mastodon contract 11.4). */
function mentionsOf({ page, hub }: Sheet, item: ApplicationItem): StatusObject["mentions"] {
  const addresses = (page.addresses.get(item.message_id) ?? []).filter(linksForAll(item.html));
  const named = addresses.flatMap((url) => page.mentioned.get(url) ?? []);
  const answered = page.parents.get(item.id)?.authorId;
  const first = answered === undefined || named.includes(answered) || answered === item.author_id ? [] : [answered];
  return [...new Set([...first, ...named])].flatMap((id) => {
    const user = page.users.get(id);
    return user ? [{ id: String(id), ...namesOf(user), url: pageOf(user, hub.config.baseUrl) }] : [];
  });
}
