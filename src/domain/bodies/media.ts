import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";

/** An image shown in a body; sizes are 0 where the body does not tell. */
export type BodyImage = { url: string; width: number; height: number; alt: string };

/** The images of a rendered body without emoji and portraits (native contract 5.6). */
export function imagesOf(html: string): BodyImage[] {
  if (!html.includes("<img")) return [];
  return htmlTokens(html).flatMap((token) => {
    if (token.kind !== "open" || token.name !== "img") return [];
    const { attributes } = token;
    const url = attributeOf(attributes, "src");
    if (url === "" || hasClass(attributes, "emoji", "avatar")) return [];
    const size = (name: string): number => parseInt(attributeOf(attributes, name), 10) || 0;
    return [{ url, width: size("width"), height: size("height"), alt: attributeOf(attributes, "alt") }];
  });
}
