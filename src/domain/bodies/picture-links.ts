import { attribute } from "./escape.ts";
import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";
import type { HtmlToken } from "./html-tokens.ts";

/** What is shown of filtered HTML where it stands with links that hold nothing but pictures. */

/**
 * The HTML with a name for each link that has none: a picture without a description says nothing to a screen reader, a
 * link around it must all the same.
 */
export function withNamedPictures(html: string): string {
  if (!html.includes(' alt=""')) return html;
  const tokens = htmlTokens(html);
  const written = tokens.map((token, at) => {
    if (token.kind !== "open" || token.name !== "a") return token.source;
    return `<a${token.attributes}${attribute("aria-label", nameOf(token.attributes, insideOf(tokens, at)))}>`;
  });
  return written.join("");
}

/** What stands between the link at this place and the next end of one. */
function insideOf(tokens: readonly HtmlToken[], place: number): HtmlToken[] {
  const end = tokens.findIndex((token, at) => at > place && token.kind === "close" && token.name === "a");
  return tokens.slice(place + 1, end);
}

/** The name that a link needs; nothing where there are words, or what has a name. */
function nameOf(attributes: string, inside: readonly HtmlToken[]): string {
  if (inside.some((token) => token.kind === "text" && token.text.trim() !== "")) return "";
  const tags = inside.flatMap((token) => (token.kind === "open" ? [token] : []));
  const isNamed =
    attributeOf(attributes, "title") !== "" || tags.some((tag) => attributeOf(tag.attributes, "alt") !== "");
  const holds = (wanted: string): boolean => tags.some(({ name }) => name === wanted);
  if (isNamed || holds("a") || !holds("img")) return "";
  return tags.map((tag) => attributeOf(tag.attributes, "title")).find((title) => title !== "") ?? "Picture";
}

/** The HTML without its pictures, except emoji and portraits, and without the links that hold nothing then. */
export function withoutPictures(html: string): string {
  const kept: string[] = [];
  /** Where a link begins that holds nothing so far. */
  let emptyFrom = -1;
  for (const token of htmlTokens(html)) {
    const isTag = token.kind !== "text";
    if (isTag && token.name === "img" && !hasClass(token.attributes, "emoji", "avatar")) continue;
    kept.push(token.source);
    if (isTag && token.name === "a") {
      if (token.kind === "close" && emptyFrom !== -1) kept.length = emptyFrom;
      emptyFrom = token.kind === "open" ? kept.length - 1 : -1;
    } else if (isTag || token.text.trim() !== "") emptyFrom = -1;
  }
  return kept.join("");
}
