import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";
import type { HtmlToken } from "./html-tokens.ts";

/** Is there a link that leads to no person and no hashtag? */
export function hasLink(html: string): boolean {
  return /<a (?![^>]*class="(?:[^"]* )?(?:mention|hashtag)[ "])/.test(html);
}

/**
 * The page that filtered HTML is about: the first one of another site to which words in it lead. Undefined where there is none, and where
 * pictures, films or sounds are shown already. Mentions, hashtags and the heads of what is quoted lead to people and posts.
 */
export function linkedPage(html: string, baseUrl: string): string | undefined {
  if (!/<a [^>]*href="https?:/i.test(html)) return undefined;
  const tokens = htmlTokens(html);
  if (tokens.some(isMedia)) return undefined;
  let before = "";
  let isHead = false;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "text") {
      before = token.text;
      continue;
    }
    if (token.name === "header") isHead = token.kind === "open";
    const url = token.kind === "open" && token.name === "a" && !isHead ? attributeOf(token.attributes, "href") : "";
    const isNamed = hasClass(token.attributes, "mention", "hashtag", "u-url") || /[@#!]\s*$/.test(before);
    if (isPage(url, baseUrl) && !isNamed && hasWords(tokens, at)) return url;
    if (token.name === "a") before = "";
  }
  return undefined;
}

function isMedia(token: HtmlToken): boolean {
  if (token.kind !== "open") return false;
  if (token.name === "video" || token.name === "audio") return true;
  return token.name === "img" && !hasClass(token.attributes, "emoji", "avatar");
}

function isPage(url: string, baseUrl: string): boolean {
  if (!/^https?:\/\//i.test(url) || url.length > 2048 || !URL.canParse(url)) return false;
  return url !== baseUrl && !url.startsWith(`${baseUrl}/`);
}

/** What a link says decides: the names of people and hashtags begin with a sign. */
function hasWords(tokens: readonly HtmlToken[], link: number): boolean {
  const end = tokens.findIndex((token, at) => at > link && token.kind === "close" && token.name === "a");
  const words = tokens.slice(link + 1, end).map((token) => (token.kind === "text" ? token.text : ""));
  return /^\s*[^\s@#!]/.test(words.join(""));
}
