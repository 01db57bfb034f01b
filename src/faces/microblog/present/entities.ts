import { imagesOf } from "../../../domain/bodies/media.ts";
import type { BodyImage } from "../../../domain/bodies/media.ts";
import { attributeOf, hasClass, htmlTokens } from "../../../domain/bodies/html-tokens.ts";
import { plainText } from "../../../domain/bodies/plain-text.ts";
import type { People } from "./user.ts";

type Indices = [start: number, end: number];
type Link = { kind: "hashtag" | "mention" | "url"; href: string; label: string };

/** Whom a profile address belongs to, as far as the page knows. */
export type Mentioned = ReadonlyMap<string, number>;

export type Entities = {
  hashtags: { text: string; indices: Indices }[];
  symbols: never[];
  urls: { url: string; expanded_url: string; display_url: string; indices: Indices }[];
  user_mentions: { id: number; id_str: string; name: string; screen_name: string; indices: Indices }[];
  media: ReturnType<typeof mediaEntity>[];
};

/**
 * What is named in a text that was made with links written out, with its place in Unicode code points; what does not
 * occur in the text is left out (microblog contract 7.4).
 */
export function presentEntities(text: string, html: string, mentioned: Mentioned, people: People): Entities {
  const entities: Entities = { hashtags: [], symbols: [], urls: [], user_mentions: [], media: [] };
  const pointAt = codePoints(text);
  let from = 0;
  for (const link of linksOf(html)) {
    const written = link.kind === "url" ? link.href : link.label;
    const start = written === "" ? -1 : text.indexOf(written, from);
    if (start < 0) continue;
    from = start + written.length;
    addLink(entities, link, [pointAt(start), pointAt(from)], mentioned, people);
  }
  const end = pointAt(text.length);
  entities.media = imagesOf(html).map((image, index) => mediaEntity(image, index, [end, end]));
  return entities;
}

function addLink(
  entities: Entities,
  { kind, href, label }: Link,
  indices: Indices,
  mentioned: Mentioned,
  people: People,
): void {
  if (kind === "hashtag") entities.hashtags.push({ text: label.replace(/^#/, ""), indices });
  else if (kind === "url")
    entities.urls.push({ url: href, expanded_url: href, display_url: displayUrl(href, label), indices });
  else {
    const id = mentioned.get(href);
    if (id === undefined) return;
    const { id_str, name, screen_name } = people(id);
    entities.user_mentions.push({ id, id_str, name, screen_name, indices });
  }
}

/** The links of a body in their order, images apart. */
function linksOf(html: string): Link[] {
  if (!html.includes("<a ")) return [];
  const links: Link[] = [];
  let open: { attributes: string; parts: string[] } | undefined;
  for (const token of htmlTokens(html)) {
    if (token.kind === "text") open?.parts.push(token.text);
    else if (token.name === "a" && token.kind === "open") open = { attributes: token.attributes, parts: [] };
    else if (token.name === "a" && open) {
      links.push(linkOf(open.attributes, open.parts.join("")));
      open = undefined;
    }
  }
  return links;
}

function linkOf(attributes: string, html: string): Link {
  const kind = hasClass(attributes, "hashtag") ? "hashtag" : hasClass(attributes, "mention") ? "mention" : "url";
  const label = plainText(html, "label");
  const href = attributeOf(attributes, "href");
  return { kind, href: kind === "url" && label === "" ? "" : href, label };
}

function displayUrl(url: string, label: string): string {
  const bare = (label === "" || label === url ? url : label).replace(/^[a-z]+:\/\//i, "").replace(/^www\./i, "");
  const characters = [...bare];
  return characters.length > 26 ? `${characters.slice(0, 26).join("")}…` : bare;
}

/** Position in code points of a position in UTF-16 units; positions are asked for in rising order. */
function codePoints(text: string): (position: number) => number {
  let done = 0;
  let points = 0;
  return (position) => {
    for (; done < position; done++) {
      const code = text.charCodeAt(done);
      if (code < 0xdc00 || code > 0xdfff) points++;
    }
    return points;
  };
}

/** Microblog contract 7.4.1, for images of other sites and of bodies: they are named by their place. */
function mediaEntity({ url, width, height, alt }: BodyImage, index: number, indices: Indices) {
  return {
    id: index + 1,
    id_str: String(index + 1),
    indices,
    media_url: url,
    media_url_https: url,
    url,
    expanded_url: url,
    display_url: displayUrl(url, ""),
    type: "photo",
    ext_alt_text: alt,
    sizes: sizesOf(width, height),
  };
}

function sizesOf(width: number, height: number): Record<string, { w: number; h: number; resize: "fit" }> {
  const longest = Math.max(width, height);
  const fit = (box: number) => {
    const scale = longest > box ? box / longest : 1;
    return { w: Math.round(width * scale), h: Math.round(height * scale), resize: "fit" as const };
  };
  return {
    thumb: fit(150),
    ...(longest > 150 && { small: fit(340) }),
    medium: fit(600),
    ...(longest > 600 && { large: fit(1024) }),
  };
}
