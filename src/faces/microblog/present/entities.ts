import { attributeOf, hasClass, htmlTokens } from "../../../domain/bodies/html-tokens.ts";
import { plainText } from "../../../domain/bodies/plain-text.ts";
import type { Attachment } from "./attachments.ts";
import { displayUrl } from "./display-url.ts";
import type { KnownMedia } from "./known-media.ts";
import { mediaEntities } from "./media-entities.ts";
import type { MediaEntity } from "./media-entities.ts";
import type { People } from "./user.ts";

type Indices = [start: number, end: number];
type Link = { kind: "hashtag" | "mention" | "url"; href: string; label: string };

const nothing = { attachments: [], known: new Map<string, never>() };

/** Whom a profile address belongs to, as far as the page knows. */
export type Mentioned = ReadonlyMap<string, number>;

export type Entities = {
  hashtags: { text: string; indices: Indices }[];
  symbols: never[];
  urls: { url: string; expanded_url: string; display_url: string; indices: Indices }[];
  user_mentions: { id: number; id_str: string; name: string; screen_name: string; indices: Indices }[];
  media: MediaEntity[];
};

/**
 * What is named in a text that was made with links written out, with its place in Unicode code points; what does not
 * occur in the text is left out (microblog contract 7.4).
 */
export function presentEntities(
  text: string,
  html: string,
  mentioned: Mentioned,
  people: People,
  { attachments, known }: { attachments: readonly Attachment[]; known: KnownMedia } = nothing,
): Entities {
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
  entities.media = mediaEntities(html, attachments, known, text);
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
