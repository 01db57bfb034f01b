import { escapeHtml } from "./escape.ts";

const block = /<blockquote[^<>]*>|<h[1-6](?:\s[^<>]*)?>/g;
const blockEnd = /<\/(?:blockquote|h[1-6])>/g;

/**
 * HTML for clients that ignore block layout: the title as a heading, and line breaks around headings and quotations,
 * none of them doubled, leading or trailing (microblog contract 7.2, rule 3).
 */
export function simpleHtml(title: string, html: string): string {
  const heading = title.trim() === "" ? "" : `<h4>${escapeHtml(title.trim())}</h4>`;
  const broken = (heading + html).replace(block, "<br>$&").replace(blockEnd, "$&<br>");
  return withoutOuterBreaks(broken.replace(/<br ?\/?>(?:\s*<br ?\/?>)*/g, "<br>"));
}

function withoutOuterBreaks(html: string): string {
  let trimmed = html.trim();
  if (trimmed.startsWith("<br>")) trimmed = trimmed.slice(4).trimStart();
  if (trimmed.endsWith("<br>")) trimmed = trimmed.slice(0, -4).trimEnd();
  return trimmed;
}
