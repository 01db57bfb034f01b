import { createHash } from "node:crypto";
import { storedMoment } from "../../http/dates.ts";
import { isKnownVersion } from "../../http/file-answer.ts";
import { tokenField } from "./csrf.ts";
import type { Html, PageContext } from "./page.ts";
import { withParameter } from "./local-path.ts";
import { layout } from "./parts/layout.ts";
import { loadNews, noNews } from "./parts/items/news.ts";

/** On every page. A page may show private data, so nothing of it is kept anywhere. */
const headers = {
  "cache-control": "no-store",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  // The origin of a form must stay visible to ourselves, or the check for other sites' forms could not be made.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/** Scripts come from one folder: elsewhere on this host may lie what members have sent. */
function contentPolicy({ hub }: PageContext, more: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    // Bodies keep a few harmless styles.
    "style-src-attr 'unsafe-inline'",
    // What other sites have is shown from an address of ours.
    "img-src 'self' data:",
    "media-src 'self'",
    `script-src ${hub.config.baseUrl}/assets/`,
    // Uploads with a progress bar.
    "connect-src 'self'",
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
  /** Path of the feed of what the page shows. */
  feed?: string;
  /**
   * Its forms may end at another site: browsers hold a policy for forms against every redirect that follows, also against
   * those that the other site makes.
   */
  formsLeadElsewhere?: boolean;
};

/** A page with everything around it. */
export async function show(context: PageContext, shown: PageContent): Promise<Response> {
  const { title, main, status = 200, headers: more = {}, feed, formsLeadElsewhere } = shown;
  // What is broken may be the database.
  const news = status >= 500 ? noNews : await loadNews(context);
  const text = String(await layout(context, { news, title, main: await main, feed }));
  if (context.visitorCookie !== undefined && text.includes(tokenField)) context.cookies.push(context.visitorCookie);
  const policy = formsLeadElsewhere && { "content-security-policy": contentPolicy(context) };
  return answer(context, text, status, { "content-type": "text/html; charset=utf-8", ...policy, ...more });
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

/** Plain text for programs. */
export function plain(context: PageContext, text: string): Response {
  return answer(context, text, 200, { "content-type": "text/plain; charset=utf-8" });
}

function answer(
  context: PageContext,
  body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  more: Record<string, string>,
): Response {
  const policy = contentPolicy(context, ["form-action 'self'"]);
  const own = { ...headers, "content-security-policy": policy, "x-request-id": context.id };
  const response = new Response(body, { status, headers: { ...own, ...more } });
  for (const cookie of context.cookies) response.headers.append("set-cookie", cookie);
  return response;
}
