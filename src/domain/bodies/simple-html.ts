import { escapeHtml } from "./escape.ts";
import { htmlTokens } from "./html-tokens.ts";
import type { HtmlToken } from "./html-tokens.ts";

/** Without any of these, single breaks stay single. */
const needsWork = /<(?:blockquote|h[1-6])\b|<br ?\/>|<br>\s*<br/;

/**
 * HTML for clients that ignore block layout: the title as a heading, and line breaks around headings and quotations,
 * none of them doubled, leading or trailing (microblog contract 7.2, rule 3).
 */
export function simpleHtml(title: string, html: string): string {
  const heading = title.trim() === "" ? "" : `<h4>${escapeHtml(title.trim())}</h4>`;
  const whole = heading + html;
  return withoutOuterBreaks(needsWork.test(whole) ? withSingleBreaks(htmlTokens(whole)) : whole);
}

function withSingleBreaks(tokens: readonly HtmlToken[]): string {
  const written: string[] = [];
  /** Behind the last line break, as long as nothing but space has followed it. */
  let afterBreak = -1;
  const breakLine = (): void => {
    if (afterBreak === -1) afterBreak = written.push("<br>");
    // Space between two breaks goes with the second.
    else written.length = afterBreak;
  };
  for (const token of tokens) {
    const isEdge = token.kind !== "text" && isBlock(token.name);
    if (isEdge && token.kind === "open") breakLine();
    if (token.kind === "open" && token.name === "br") breakLine();
    else {
      written.push(token.source);
      if (token.kind !== "text" || token.text.trim() !== "") afterBreak = -1;
    }
    if (isEdge && token.kind === "close") breakLine();
  }
  return written.join("");
}

function isBlock(name: string): boolean {
  return name === "blockquote" || /^h[1-6]$/.test(name);
}

function withoutOuterBreaks(html: string): string {
  let trimmed = html.trim();
  if (trimmed.startsWith("<br>")) trimmed = trimmed.slice(4).trimStart();
  if (trimmed.endsWith("<br>")) trimmed = trimmed.slice(0, -4).trimEnd();
  return trimmed;
}
