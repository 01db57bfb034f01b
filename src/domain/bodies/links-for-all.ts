import { attributeOf, htmlTokens } from "./html-tokens.ts";
import { personalise } from "./personalise.ts";

/** Which addresses anybody sees who reads this rendered body: all, unless parts of it are for some. */
export function linksForAll(html: string): (url: string) => boolean {
  const shown = personalise(html, undefined);
  if (shown === html) return () => true;
  const links = new Set(
    htmlTokens(shown).map((token) => (token.kind === "open" ? attributeOf(token.attributes, "href") : "")),
  );
  return (url) => links.has(url);
}
