import { decodeEntities } from "./escape.ts";
import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";
import type { HtmlToken } from "./html-tokens.ts";
import { edge, paragraph, space, tidied, withoutMarks } from "./line-breaks.ts";

type Link = { start: number; url: string; mention: string; hasWords: boolean };
type Writer = { parts: string[]; links: Link[]; verbatim: number; writeUrls: boolean; nameOf: NameOf };

/** The name by which the person with this profile address is mentioned in plain text; undefined for who is not known. */
export type NameOf = (url: string) => string | undefined;

const blocks = new Set(
  "address article aside blockquote caption details dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li nav ol pre section summary table tr ul".split(
    " ",
  ),
);

/**
 * The text of filtered HTML with its line breaks, for clients that show no HTML. With `url` each link is written as its
 * URL, except mentions and hashtags. Mentions of those whom `nameOf` knows are written with that name in place of their
 * label.
 */
export function plainText(html: string, links: "label" | "url", nameOf: NameOf = () => undefined): string {
  const writer: Writer = { parts: [], links: [], verbatim: 0, writeUrls: links === "url", nameOf };
  for (const token of htmlTokens(html)) write(writer, token);
  return tidied(writer.parts.join(""));
}

function write(writer: Writer, token: HtmlToken): void {
  if (token.kind === "text") writeWords(writer, textOf(token.text, writer.verbatim > 0));
  else if (token.name === "br") writer.parts.push("\n");
  else if (token.name === "p") writer.parts.push(paragraph);
  else if (token.name === "a") writeLink(writer, token);
  else if (token.name === "img") writeImage(writer, token);
  else if (token.name === "input") writer.parts.push(/\schecked/.test(token.attributes) ? "[x]" : "[ ]");
  else if (token.name === "td" || token.name === "th") writer.parts.push(space);
  else if (blocks.has(token.name)) writeBlock(writer, token);
}

function writeWords({ parts, links }: Writer, text: string): void {
  parts.push(text);
  const link = links.at(-1);
  if (link && /[^\s\ufdd2]/.test(text)) link.hasWords = true;
}

/** An emoji is a sign like others; the description of a picture is no label of a link around it. */
function writeImage(writer: Writer, { attributes }: { attributes: string }): void {
  const text = textOf(attributeOf(attributes, "alt"), false);
  if (hasClass(attributes, "emoji")) writeWords(writer, text);
  else writer.parts.push(text);
}

function writeBlock(writer: Writer, { kind, name }: { kind: string; name: string }): void {
  writer.parts.push(edge);
  if (name === "pre") writer.verbatim = Math.max(0, writer.verbatim + (kind === "open" ? 1 : -1));
}

function textOf(html: string, verbatim: boolean): string {
  const text = withoutMarks(decodeEntities(html));
  return verbatim ? text : text.replace(/[ \t\r\n\f]+/g, space);
}

function writeLink(writer: Writer, { kind, attributes }: { kind: string; attributes: string }): void {
  if (kind === "open") {
    const [href, isMention] = [attributeOf(attributes, "href"), hasClass(attributes, "mention")];
    const url = isMention || hasClass(attributes, "hashtag") ? "" : href;
    writer.links.push({ start: writer.parts.length, url, mention: isMention ? href : "", hasWords: false });
    return;
  }
  const link = writer.links.pop();
  // A link around nothing but an image stays what the image is: nothing, or its description.
  if (!link?.hasWords) return;
  if (link.mention !== "") {
    const name = writer.nameOf(link.mention);
    if (name !== undefined) writer.parts.push(mentionText(writer.parts.splice(link.start).join(""), name));
  } else if (link.url !== "" && writer.writeUrls) {
    writer.parts.splice(link.start);
    writer.parts.push(link.url);
  }
}

/** A mention with this name in place of its label; where the sign does not belong to the link, it stands before it already. */
export function mentionText(label: string, name: string): string {
  return /^[@!]/.test(label) ? `@${name}` : name;
}

/** May there be mentions in this HTML? Most has none. */
export function maySayNames(html: string): boolean {
  return html.includes("mention");
}
