import { createHash } from "node:crypto";
import { publicOrigin } from "../../domain/files/read.ts";
import { isNobody } from "../../domain/identity/channels/observer.ts";
import { players } from "../../domain/link-cards/video-sites.ts";
import { storedMoment } from "../../http/dates.ts";
import { eventHeaders } from "../../http/event-stream.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { isKnownVersion } from "../../http/file-answer.ts";
import { pack } from "../../http/packing.ts";
import { tokenField } from "./csrf.ts";
import { html } from "./html.ts";
import type { Markup } from "./html.ts";
import type { Html, PageContext } from "./page.ts";
import { withParameter } from "./local-path.ts";
import { ownMove } from "./parts/channels/moved-notice.ts";
import { doneNote } from "./parts/done.ts";
import type { Preview } from "./parts/preview.ts";
import { layout } from "./parts/layout.ts";
import { loadNews, noNews } from "./parts/items/news.ts";

/** For pages that others may read, and that say nothing which a search should lead to, such as former versions. */
export const unindexed = { "x-robots-tag": "noindex" };

/** On every page. A page may show private data, so nothing of it is kept anywhere. */
const headers = {
  "cache-control": "no-store",
  vary: "Cookie, Accept-Encoding, Accept-Language",
  "x-content-type-options": "nosniff",
  // The origin of a form must stay visible to ourselves, or the check for other sites' forms could not be made.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/** Scripts come from one folder: elsewhere on this host may lie what members have sent. */
function contentPolicy({ hub }: PageContext, more: readonly string[] = []): string {
  const origin = publicOrigin(hub);
  const elsewhere = origin === undefined ? "" : ` ${origin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    // Bodies keep a few harmless styles.
    "style-src-attr 'unsafe-inline'",
    // What other sites have is shown from an address of ours.
    `img-src 'self' data:${elsewhere}`,
    `media-src 'self'${elsewhere}`,
    // Films of other sites, where somebody wants to see one.
    `frame-src ${players.join(" ")}`,
    `script-src ${hub.config.baseUrl}/assets/`,
    // Uploads with a progress bar.
    "connect-src 'self'",
    "manifest-src 'self'",
    `worker-src ${hub.config.baseUrl}/service-worker.js`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...more,
  ].join("; ");
}

export type PageContent = {
  title: string;
  main: Html;
  status?: number;
  headers?: Record<string, string>;
  /** A sheet of styles of its own, in the folder of files for browsers. */
  sheet?: string;
  /** Path of the feed of what the page shows. */
  feed?: string;
  /** What others show of it; asked for only where nobody in particular reads the page. */
  preview?: () => Preview | Promise<Preview>;
  /**
   * Its forms may end at another site: browsers hold a policy for forms against every redirect that follows, also against
   * those that the other site makes.
   */
  formsLeadElsewhere?: boolean;
};

/** A page with everything around it. */
export async function show(context: PageContext, shown: PageContent): Promise<Response> {
  const { title, main, status = 200, headers: more = {}, feed, sheet, formsLeadElsewhere } = shown;
  const preview = isNobody(context.observer) && status === 200 ? await shown.preview?.() : undefined;
  // What is broken may be the database.
  const [news, moved] = status >= 500 ? [noNews, html``] : await Promise.all([loadNews(context), ownMove(context)]);
  const page = await offered(
    context,
    await layout(context, { news, moved, title, main: await main, sheet, feed, preview }),
  );
  if (context.visitorCookie !== undefined && page.includes(tokenField)) context.cookies.push(context.visitorCookie);
  const policy = formsLeadElsewhere && { "content-security-policy": contentPolicy(context) };
  return packed(context, page, status, { ...policy, ...more });
}

/**
 * The part of a page that a form with `inPlace` (parts/forms.ts) asks for, with all elements that it may name; `done` is the
 * name of a sentence that is said besides.
 */
export async function showPart(context: PageContext, part: Html, done = ""): Promise<Response> {
  return packed(context, await offered(context, await html`${part}${doneNote(context.say, done)}`), 200, {});
}

/** Has the page take off the element that the selector chooses; `also` is what changes elsewhere on it. */
export async function takeOff(context: PageContext, selector: string, done: string, also = html``): Promise<Response> {
  const headers = { "hx-retarget": selector, "hx-reswap": "delete" };
  return packed(context, await offered(context, await html`${also}${doneNote(context.say, done)}`), 200, headers);
}

/** The same as a piece of a part, for an element with this id, where the page has one. */
export function without(id: string): Html {
  return html`<i id="${id}" hx-swap-oob="delete" hidden></i>`;
}

/** Asks the page to send its form in the way without scripts, which keeps what was typed until its sender is known again. */
export function sendPlainly(context: PageContext): Response {
  return answer(context, null, 401, {});
}

async function packed(
  context: PageContext,
  page: string | Uint8Array,
  status: number,
  more: Record<string, string>,
): Promise<Response> {
  const { bytes, headers } = await pack(page, context.packing);
  return answer(context, bytes, status, { "content-type": "text/html; charset=utf-8", ...headers, ...more });
}

/** What reads the text of a page is loaded with the first one of whose channel has moved away. */
async function offered(context: PageContext, page: Markup): Promise<string | Buffer> {
  if (!context.member || context.member.channel.channel_moved === "") return page.bytes();
  const { withoutRefused } = await import("./without-refused.ts");
  return withoutRefused(context, String(page));
}

/** A piece of a page for scripts, which put it where it belongs. */
export async function fragment(context: PageContext, piece: Html | string | Html[], status = 200): Promise<Response> {
  return answer(context, String(await html`${piece}`), status, { "content-type": "text/html; charset=utf-8" });
}

/** Sends the browser to another page of the hub; `done` is the name of a sentence that is shown there. */
export function redirect(context: PageContext, path: string, done = ""): Response {
  const [target = "/", mark] = path.split("#");
  const location = done === "" ? target : withParameter(target, "done", done);
  return answer(context, null, 303, { location: mark ? `${location}#${mark}` : location });
}

/** Sends the browser to an address of somebody else. */
export function redirectAway(context: PageContext, url: string): Response {
  return answer(context, null, 302, { location: url });
}

/** A JSON value for programs. */
export function json(context: PageContext, value: object): Response {
  return answer(context, JSON.stringify(value), 200, { "content-type": "application/json; charset=utf-8" });
}

/** A file that is made while it is sent; the browser saves it under that name, which is plain ASCII. */
export function download(
  context: PageContext,
  { name, type, bytes }: { name: string; type: string; bytes: () => ReadableStream<Uint8Array> },
): Response {
  const headers = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
  return answer(context, context.method === "HEAD" ? null : bytes(), 200, headers);
}

/** A public document for programs that come back to see whether it has changed; `changed` is a date in the stored form. */
export function published(
  context: PageContext,
  { text, type, changed }: { text: string; type: string; changed: string },
): Response {
  const bytes = Buffer.from(text);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const modified = storedMoment(changed).toUTCString();
  const headers = { "content-type": type, "cache-control": "no-cache", etag, "last-modified": modified };
  // An older date than the one they know is a change too: then the newest post is gone.
  const known =
    context.ifNoneMatch === "" ? context.ifModifiedSince === modified : isKnownVersion(context.ifNoneMatch, etag);
  if (known) return answer(context, null, 304, headers);
  return answer(context, context.method === "HEAD" ? null : bytes, 200, headers);
}

/** What stays the same under its address for ever; it brings nothing else along. */
export function lasting(context: PageContext, bytes: Uint8Array<ArrayBuffer>, type: string): Response {
  return answer(context, context.method === "HEAD" ? null : bytes, 200, {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'",
    vary: "Accept-Encoding",
  });
}

/** What goes on to be sent as it happens. */
export function events(context: PageContext, stream: EventStream): Response {
  const response = stream.answer({ status: 200, headers: headersOf(context, eventHeaders) });
  return withCookies(context, response);
}

/** There is nothing to say, and nothing to ask for again. */
export function nothing(context: PageContext, headers: Record<string, string> = {}): Response {
  return answer(context, null, 204, headers);
}

/** Plain text for programs. */
export function plain(context: PageContext, text: string): Response {
  return answer(context, text, 200, { "content-type": "text/plain; charset=utf-8" });
}

function answer(
  context: PageContext,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  more: Record<string, string>,
): Response {
  return withCookies(context, new Response(body, { status, headers: headersOf(context, more) }));
}

function headersOf(context: PageContext, more: Record<string, string>): Record<string, string> {
  return {
    ...headers,
    "content-security-policy": contentPolicy(context, ["form-action 'self'"]),
    "content-language": context.language.tag,
    "x-request-id": context.id,
    ...more,
  };
}

function withCookies({ cookies }: PageContext, response: Response): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
