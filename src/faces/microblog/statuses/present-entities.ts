import { decodeEntities, escapeHtml } from "../../../domain/bodies/escape.ts";
import { attributeOf, hasClass, htmlTokens } from "../../../domain/bodies/html-tokens.ts";
import type { HtmlToken } from "../../../domain/bodies/html-tokens.ts";
import { mentionText, plainText } from "../../../domain/bodies/plain-text.ts";
import type { NameOf } from "../../../domain/bodies/plain-text.ts";
import type { Attachment } from "../../../domain/items/timelines/status-attachments.ts";
import { displayUrl } from "../present/display-url.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import { mediaEntities } from "../media/present-media-entities.ts";
import type { MediaEntity } from "../media/present-media-entities.ts";
import type { People } from "../people/present-user.ts";

type Indices = [start: number, end: number];
type Link = { kind: "hashtag" | "mention" | "url"; href: string; label: string };
type Piece = Link | { kind: "words"; text: string };

/** What is known beside the text; `lead` is how much of it stands before the body, as its title does. */
export type Beside = { attachments: readonly Attachment[]; known: KnownMedia; lead: number };

/** Whom a profile address belongs to, as far as the page knows, and by which name they are mentioned. */
export type Mentioned = { idOf: ReadonlyMap<string, number>; people: People; nameOf: NameOf };

type Entities = {
  hashtags: { text: string; indices: Indices }[];
  symbols: never[];
  urls: { url: string; expanded_url: string; display_url: string; indices: Indices }[];
  user_mentions: { id: number; id_str: string; name: string; screen_name: string; indices: Indices }[];
  media: MediaEntity[];
};

/**
 * What is named in a text that was made with links written out, with its place in Unicode code points; what does not
 * occur in the text is left out. The words between the links are walked along, because they may hold the same without a
 * link: code does, and `#tags` does for `#tag`.
 */
export function presentEntities(
  text: string,
  html: string,
  mentioned: Mentioned,
  { attachments, known, lead }: Beside,
): Entities {
  const entities: Entities = { hashtags: [], symbols: [], urls: [], user_mentions: [], media: [] };
  const pointAt = codePoints(text);
  let from = lead;
  let inStep = true;
  for (const piece of piecesOf(html)) {
    if (piece.kind === "words") {
      const end: number = inStep ? endOf(piece.text, text, from) : -1;
      inStep = end >= 0;
      if (inStep) from = end;
      continue;
    }
    const written = writtenAs(piece, mentioned);
    const start = written === "" ? -1 : text.indexOf(written, from);
    if (start < 0) continue;
    from = start + written.length;
    addLink(entities, piece, [pointAt(start), pointAt(from)], mentioned);
  }
  entities.media = mediaEntities(html, attachments, known, text);
  return entities;
}

function writtenAs({ kind, href, label }: Link, { nameOf }: Mentioned): string {
  if (kind === "url") return href;
  const name = kind === "mention" ? nameOf(href) : undefined;
  return name === undefined ? label : mentionText(label, name);
}

function addLink(
  entities: Entities,
  { kind, href, label }: Link,
  indices: Indices,
  { idOf, people, nameOf }: Mentioned,
): void {
  if (kind === "hashtag") entities.hashtags.push({ text: label.replace(/^#/, ""), indices });
  else if (kind === "url")
    entities.urls.push({ url: href, expanded_url: href, display_url: displayUrl(href, label), indices });
  else {
    const id = idOf.get(href);
    if (id === undefined) return;
    const { id_str, name, screen_name } = people(id);
    entities.user_mentions.push({ id, id_str, name, screen_name: nameOf(href) ?? screen_name, indices });
  }
}

/** Where in the text these words end, one after the other; -1 when one of them is not there, as after a cut. */
function endOf(words: string, text: string, from: number): number {
  let end = from;
  for (const word of words.split(/\s+/)) {
    const at = text.indexOf(word, end);
    if (at < 0) return -1;
    end = at + word.length;
  }
  return end;
}

/** The links of a body in their order and the words between them, pictures apart. */
function piecesOf(html: string): Piece[] {
  if (!html.includes("<a ")) return [];
  const pieces: Piece[] = [];
  let open: { attributes: string; parts: string[] } | undefined;
  for (const token of htmlTokens(html)) {
    const words = wordsIn(token);
    if (words !== undefined) {
      if (open) open.parts.push(words);
      else pieces.push({ kind: "words", text: decodeEntities(words) });
    } else if (token.kind === "open" && token.name === "a") open = { attributes: token.attributes, parts: [] };
    else if (token.kind === "close" && token.name === "a" && open) {
      pieces.push(linkOf(open.attributes, open.parts.join("")));
      open = undefined;
    }
  }
  return pieces;
}

/** An emoji that is drawn is a sign like others. */
function wordsIn(token: HtmlToken): string | undefined {
  if (token.kind === "text") return token.text;
  const isEmoji = token.name === "img" && hasClass(token.attributes, "emoji");
  return isEmoji ? escapeHtml(attributeOf(token.attributes, "alt")) : undefined;
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
