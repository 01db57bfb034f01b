import { refusal } from "../../errors.ts";
import { refuseManyTags } from "./excess.ts";
import { detectLanguage } from "./language.ts";
import { personalise } from "./personalise.ts";
import { plainText } from "./plain-text.ts";
import { renderBody } from "./render.ts";
import type { Site } from "./site.ts";
import { findTags } from "./tags.ts";
import type { FoundTags } from "./tags.ts";

export { colourCode } from "./code-colours.ts";
export { htmlToBbcode } from "./html-to-bbcode.ts";

/** What costs time with texts; pure, because it runs in place or in a thread (texts.ts). */

/** A text as it is stored beside its source. */
export type LaidOut = {
  /** For everybody: what depends on the reader is left to `personalise`. */
  html: string;
  /** As an anonymous visitor reads it. */
  plain: string;
  lang: string;
};

/** Throws invalid for a text whose HTML is longer than `most` characters. */
export function layOut(body: string, mimetype: string, site: Site, most: number): LaidOut {
  const html = renderBody(body, mimetype, site);
  if (html.length > most) throw refusal("text_grows_too_long");
  const plain = plainText(personalise(html, undefined), "label");
  return { html, plain, lang: detectLanguage(plain) };
}

/** Throws invalid for more of them than a text may have. */
export function tagsIn(body: string, mimetype: string): FoundTags {
  const found = findTags(body, mimetype);
  refuseManyTags(found);
  return found;
}
