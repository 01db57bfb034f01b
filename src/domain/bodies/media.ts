import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";

/** An image shown in a body; sizes are 0 where the body does not tell. */
export type BodyImage = { url: string; width: number; height: number; alt: string; blurhash: string; focus: string };

/** The images of a rendered body without emoji and portraits. */
export function imagesOf(html: string): BodyImage[] {
  if (!html.includes("<img")) return [];
  return htmlTokens(html).flatMap((token) => {
    if (token.kind !== "open" || token.name !== "img") return [];
    const { attributes } = token;
    const url = attributeOf(attributes, "src");
    if (url === "" || hasClass(attributes, "emoji", "avatar")) return [];
    const size = (name: string): number => parseInt(attributeOf(attributes, name), 10) || 0;
    const [alt, blurhash, focus] = ["alt", "data-blurhash", "data-focus"].map((name) => attributeOf(attributes, name));
    return [{ url, width: size("width"), height: size("height"), alt: alt!, blurhash: blurhash!, focus: focus! }];
  });
}

/** A film or a sound that a body plays; poster and description are empty where there is none. */
export type BodyClip = { url: string; kind: "video" | "audio"; poster: string; description: string };

/** The films and sounds of a rendered body. */
export function clipsOf(html: string): BodyClip[] {
  if (!html.includes("<video") && !html.includes("<audio")) return [];
  return htmlTokens(html).flatMap((token) => {
    if (token.kind !== "open" || (token.name !== "video" && token.name !== "audio")) return [];
    const url = attributeOf(token.attributes, "src");
    const [poster, description] = ["poster", "title"].map((name) => attributeOf(token.attributes, name));
    return url === "" ? [] : [{ url, kind: token.name, poster: poster!, description: description! }];
  });
}
