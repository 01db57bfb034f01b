import { withEmoji } from "./emoji.ts";
import { escapeHtml } from "./escape.ts";

/** What happens to running text besides escaping. */
export type TextOptions = { links: boolean; emoji: boolean };

// The excluded block of noncharacters is where multicode keeps its place marks.
const nakedUrl = /\b(?:https?|ftp):\/\/[^\s<>"`[\]{}|\\^\ufdd0-\ufdef]+/gi;

/** Escapes text, links the URLs in it and replaces smileys. */
export function runningText(text: string, options: TextOptions): string {
  if (!options.links || !text.includes("://")) return words(text, options);
  let html = "";
  let done = 0;
  for (const match of text.matchAll(nakedUrl)) {
    const url = withoutPunctuation(match[0]);
    html += words(text.slice(done, match.index), options) + linkTo(url);
    done = match.index + url.length;
  }
  return html + words(text.slice(done), options);
}

function words(text: string, options: TextOptions): string {
  return escapeHtml(options.emoji ? withEmoji(text) : text);
}

function linkTo(url: string): string {
  const safe = escapeHtml(url);
  // "http://" alone is no address
  return /^[a-z]+:\/\/[\p{L}\p{N}]/iu.test(url) ? `<a href="${safe}">${safe}</a>` : safe;
}

/** Punctuation at the end belongs to the sentence; a bracket does unless it was opened inside of the URL. */
function withoutPunctuation(url: string): string {
  let surplus = url.split(")").length - url.split("(").length;
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1] ?? "";
    if (last === ")" && surplus > 0) surplus -= 1;
    else if (!".,;:!?'*".includes(last)) break;
  }
  return url.slice(0, end);
}

/** Text with its line breaks as HTML. */
export function lines(html: string): string {
  return html.replace(/\r\n?|\n/g, "<br>");
}
