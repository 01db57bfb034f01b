import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { attribute, escapeHtml } from "../../bodies/escape.ts";
import { bbcodeOf, layOutAnyhow } from "../../bodies/texts.ts";
import { isConnection } from "../../connections/connections.ts";
import type { Source } from "../../proxy/addresses.ts";
import { withEmoji } from "../../proxy/emoji.ts";
import { withProxiedMedia } from "../../proxy/media-in-html.ts";
import { asEvent } from "./received-event.ts";
import type { EventLayout, TextLayout } from "./received-event.ts";
import type { ReceivedMedia, ReceivedPost } from "./received.ts";

/** A text as it is stored, with what a message is about, and what calendars say of it where that is an event. */
export type Layout = TextLayout & { obj: string; event: EventLayout | undefined; shared_id: number };

/** So many bytes of HTML are kept of a text, and so many characters of its words where it has more (federation contract 13). */
const mostHtml = 256 * 1024;
const mostWords = 20_000;

/** So many characters are looked at. */
const mostRead = 1024 * 1024;

/** A post whose content is HTML, filtered or not. */
type PostInHtml = ReceivedPost & { html: string };

/** The content of a post as HTML, which may have to be filtered; what is written in another type is rendered as it is here. */
export async function contentHtml(hub: Hub, { content: { text, mimetype } }: ReceivedPost): Promise<string> {
  const read = text.slice(0, mostRead);
  return mimetype === "text/html" ? read : (await layOutAnyhow(hub, read, mimetype)).html;
}

/**
 * Filters the HTML of a post and shows its media below; whatever a browser would fetch by itself goes through this hub, which may
 * keep copies of what connections show, and shows what is for some to the readers of what it is shown in (federation contract 14). No
 * transaction waits for it.
 */
export async function layOutReceived(hub: Hub, received: ReceivedPost, shownIn = received.mid): Promise<Layout> {
  const post = { ...received, html: await contentHtml(hub, received) };
  const { event } = post;
  if (event) {
    const text = await layOutText(hub, { ...post, source: undefined }, shownIn);
    return { ...asEvent(hub, post, event, text), shared_id: 0 };
  }
  const text = post.quoted ? await layOutQuoting(hub, post, post.quoted, shownIn) : undefined;
  if (text) return { ...text, obj: post.question, event: undefined, shared_id: post.quoted!.id };
  return { ...(await layOutText(hub, post, shownIn)), obj: post.question, event: undefined, shared_id: 0 };
}

/** The words of a post with the block below that repeats what they quote; nothing where there are no words. */
async function layOutQuoting(
  hub: Hub,
  post: PostInHtml,
  { share }: NonNullable<ReceivedPost["quoted"]>,
  shownIn: string,
): Promise<TextLayout | undefined> {
  const html = post.html.replaceAll(/<(p|span) class="quote-inline">.*?<\/\1>/gs, "");
  const words = await layOutText(hub, { ...post, html, source: undefined, quote: undefined }, shownIn);
  if (words.plain.trim() === "" || words.mimetype !== "text/bbcode") return undefined;
  const block = await layOutAnyhow(hub, share, "text/bbcode");
  if (block.refused) return undefined;
  return {
    ...words,
    body: `${words.body}\n\n${share}`,
    html: words.html + withProxiedMedia(hub, block.html),
    plain: `${words.plain}\n\n${block.plain}`,
  };
}

async function layOutText(hub: Hub, post: PostInHtml, shownIn: string): Promise<TextLayout> {
  const shown = post.media.filter(({ kind }) => kind !== "file").map(mediaHtml);
  const whole = [post.html, ...shown, quoteHtml(post)].join("");
  const laidOut = await layOutAnyhow(hub, whole, "text/html");
  const { html, plain, lang } =
    Buffer.byteLength(laidOut.html) > mostHtml ? await cut(hub, post, laidOut.plain) : laidOut;
  return {
    ...(await bodyOf(hub, post, html, plain, shown)),
    html: withProxiedMedia(
      hub,
      await withEmoji(hub, new URL(post.mid).host, post.emoji, html),
      await sourcesFor(hub, post, shownIn),
    ),
    plain,
    lang: lang || post.lang,
    attach: attachOf(post.media.filter(({ url }) => !linksTo(post.link, url, html))),
    summary: post.summary.includes("<") ? (await layOutAnyhow(hub, post.summary, "text/html")).plain : post.summary,
  };
}

/** What a text for some shows is for its readers. */
async function sourcesFor(
  hub: Hub,
  { audience, author, media }: ReceivedPost,
  shownIn: string,
): Promise<(url: string) => Omit<Source, "url">> {
  const digests = new Map(media.map(({ url, digest }) => [url, digest]));
  if (audience.for === "named") return (url) => ({ keeping: "private", shownIn, digest: digests.get(url) });
  const keeping = (await isConnection(hub, author.xchan_hash)) ? "cache" : "proxy";
  return (url) => ({ keeping, digest: digests.get(url) });
}

async function cut(hub: Hub, { plink, mid }: ReceivedPost, plain: string) {
  const words = escapeHtml(plain.slice(0, mostWords).toWellFormed());
  const link = escapeHtml(plink || mid);
  return layOutAnyhow(
    hub,
    `<p>${words.replaceAll("\n", "<br>")} …</p><p><a href="${link}">${link}</a></p>`,
    "text/html",
  );
}

/** What it was written in, where that is known here, else the HTML as bbcode. */
async function bodyOf(
  hub: Hub,
  { source }: ReceivedPost,
  html: string,
  plain: string,
  shown: readonly string[],
): Promise<Pick<Layout, "body" | "mimetype">> {
  const most = hub.config.limits.body;
  try {
    if (source && [...source.body].length <= most && (shown.length === 0 || source.mimetype === "text/bbcode")) {
      const media = shown.length === 0 ? "" : `\n\n${await bbcodeOf(hub, shown.join(""))}`;
      return { body: source.body.toWellFormed().replaceAll("\0", "\ufffd") + media, mimetype: source.mimetype };
    }
    return { body: await bbcodeOf(hub, html), mimetype: "text/bbcode" };
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== "invalid") throw error;
    return { body: plain, mimetype: "text/plain" };
  }
}

function mediaHtml({ kind, url, description, width, height, blurhash, focus }: ReceivedMedia): string {
  const [src, alt] = [escapeHtml(url), escapeHtml(description)];
  if (kind !== "image") return `<p><${kind} src="${src}" controls title="${alt}"></${kind}></p>`;
  const looks = attribute("data-blurhash", blurhash) + attribute("data-focus", focus);
  const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : "";
  return `<p><img src="${src}" alt="${alt}"${size}${looks}></p>`;
}

/** Whoever quotes often leads there in the text as well. */
function quoteHtml({ quote, html }: PostInHtml): string {
  if (quote === undefined || html.includes(escapeHtml(quote))) return "";
  const address = escapeHtml(quote);
  return `<p>RE: <a href="${address}">${address}</a></p>`;
}

/** Is it the page of which its author sends a card, to which the text leads anyway? */
function linksTo(link: ReceivedPost["link"], url: string, html: string): boolean {
  return link?.url === url && html.includes(`href="${escapeHtml(url)}"`);
}

/** Files are links; titles are percent-encoded there. */
function attachOf(media: readonly ReceivedMedia[]): string {
  const files = media.filter(({ kind }) => kind === "file");
  if (files.length === 0) return "";
  const entries = files.map(({ url, mediaType, description }) => ({
    href: url,
    length: "0",
    type: mediaType || "text/html",
    title: encodeURIComponent((description || url).toWellFormed()),
    revision: "0",
  }));
  return JSON.stringify(entries);
}
