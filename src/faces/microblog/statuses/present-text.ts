import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { withoutPictures } from "../../../domain/bodies/picture-links.ts";
import { maySayNames, plainText } from "../../../domain/bodies/plain-text.ts";
import type { NameOf } from "../../../domain/bodies/plain-text.ts";
import { simpleHtml } from "../../../domain/bodies/simple-html.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { attachmentsOf } from "../../../domain/items/timelines/status-attachments.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import type { Attachment } from "../../../domain/items/timelines/status-attachments.ts";
import type { RenderOptions } from "../present/render-options.ts";

/** What a status says, in the forms that clients show. */
export type StatusText = {
  text: string;
  /** How much of the text stands before the body: the title. */
  lead: number;
  truncated: boolean;
  /** Title first, for viewers that ignore block layout. */
  simple: string;
  /** The body alone. */
  rich: string;
  attachments: Attachment[];
};

const longestFeedText = 1000;
const dataImage = /data:image\/[^\s)\]]*/g;

/** The words of a status, for this viewer. */
export function statusTextOf(item: StatusItem, options: RenderOptions, media: KnownMedia, nameOf: NameOf): StatusText {
  const html = personalise(item.html, options.viewer);
  const attachments = attachmentsOf(item, html, media);
  const withoutImages = options.imagesApart && attachments.length > 0;
  const body = withoutImages ? withoutPictures(html) : html;
  // The stored plain text is that of the stored HTML, with labels in place of links.
  const asStored = !options.entities && body === item.html && !maySayNames(body);
  const plain = asStored ? item.plain : plainText(body, options.entities ? "url" : "label", nameOf);
  const { text: whole, lead } = textOf(item, attachments.length > 0 && isBare(html) ? "" : plain, attachments);
  const kept = item.item_rss === 1 ? beginning(whole, longestFeedText) : whole;
  const truncated = kept.length < whole.length;
  const text = truncated ? `${kept}... ${item.plink}` : whole;
  return { text, lead, truncated, simple: simpleHtml(item.title, body) || asHtml(text), rich: html, attachments };
}

/** Is there nothing but images? Their descriptions are no text of the status (microblog contract 7.2). */
function isBare(html: string): boolean {
  return /^(?:\s|<(?:a|img|p|br)\b[^<>]*>|<\/[ap]>)*$/.test(html);
}

/** Title, blank line, body; only the body if it holds the title already; never empty while there is anything. */
function textOf(item: StatusItem, plain: string, attachments: Attachment[]): { text: string; lead: number } {
  const body = plain.includes("data:image/") ? plain.replace(dataImage, item.plink) : plain;
  const title = item.title.trim();
  if (body === "") return { text: title || addresses(attachments, item.plink) || item.plink, lead: title.length };
  if (title === "" || body.includes(title)) return { text: body, lead: 0 };
  return { text: `${title}\n\n${body}`, lead: title.length };
}

/** Where the media are; for one that is in the body itself, where the status is. */
function addresses(attachments: Attachment[], plink: string): string {
  return attachments.map(({ url }) => (url.startsWith("data:") ? plink : url)).join("\n");
}

/** The first so many code points. */
function beginning(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}

/** Clients show the HTML, so it is not empty where the text is not. */
function asHtml(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}
