import { decodeEntities, withoutBrackets } from "./escape.ts";
import { filterHtml } from "./html-filter.ts";
import { attributeOf, hasClass, htmlTokens } from "./html-tokens.ts";
import type { HtmlToken } from "./html-tokens.ts";
import { edge, paragraph, space, tidied, withoutMarks } from "./line-breaks.ts";

type Tag = Exclude<HtmlToken, { kind: "text" }>;
type Writer = { parts: string[]; verbatim: number; links: string[] };

/** What an element becomes where only its name counts; the rest of the elements are their content. */
const pairs: Readonly<Record<string, string>> = {
  b: "b",
  strong: "b",
  i: "i",
  em: "i",
  cite: "i",
  dfn: "i",
  var: "i",
  u: "u",
  ins: "u",
  s: "s",
  del: "s",
  strike: "s",
  sup: "sup",
  sub: "sub",
  mark: "mark",
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h4",
  h5: "h5",
  h6: "h6",
  blockquote: "quote",
  ul: "list",
  table: "table",
  tr: "tr",
  td: "td",
  th: "th",
  pre: "code",
  tt: "code",
  kbd: "code",
  samp: "code",
  code: "code",
};

const blocks: readonly string[] =
  "address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li nav ol pre section summary table tr ul".split(
    " ",
  );

/**
 * HTML as bbcode that looks the same: filtered first, brackets in its text stay text, and what bbcode cannot say is
 * left out.
 */
export function htmlToBbcode(html: string, baseUrl: string): string {
  const writer: Writer = { parts: [], verbatim: 0, links: [] };
  for (const token of htmlTokens(filterHtml(html, baseUrl))) {
    if (token.kind === "text") writer.parts.push(textOf(token.text, writer.verbatim > 0));
    else writeTag(writer, token);
  }
  return tidied(writer.parts.join(""));
}

function writeTag(writer: Writer, tag: Tag): void {
  const isBlock = blocks.includes(tag.name);
  if (isBlock && tag.kind === "open") writer.parts.push(edge);
  const code = codeOf(writer, tag);
  if (tag.name === "pre") writer.verbatim = Math.max(0, writer.verbatim + (tag.kind === "open" ? 1 : -1));
  writer.parts.push(code);
  if (isBlock && tag.kind === "close") writer.parts.push(edge);
}

function codeOf(writer: Writer, tag: Tag): string {
  const isOpen = tag.kind === "open";
  // Inside verbatim text no code would be read.
  if (writer.verbatim > 0 && tag.name !== "pre") return "";
  switch (tag.name) {
    case "br":
      return "\n";
    case "p":
      return paragraph;
    case "hr":
      return "[hr]";
    case "li":
      return isOpen ? "[*]" : "";
    case "ol":
      return isOpen ? "[list=1]" : "[/list]";
    case "a":
      return linkCode(writer, tag);
    case "img":
      return imageCode(tag);
    case "video":
    case "audio":
      return isOpen ? mediaCode(tag) : "";
    default:
      return pairCode(tag);
  }
}

function pairCode({ name, kind }: Tag): string {
  const code = Object.hasOwn(pairs, name) ? pairs[name] : undefined;
  if (code === undefined) return "";
  return kind === "open" ? `[${code}]` : `[/${code}]`;
}

/** Mentions and hashtags become links again when they are posted. */
function linkCode(writer: Writer, { kind, attributes }: Tag): string {
  if (kind === "close") return writer.links.pop() ?? "";
  const url = hasClass(attributes, "mention", "hashtag") ? "" : urlOf(attributes, "href");
  writer.links.push(url === "" ? "" : "[/url]");
  return url === "" ? "" : `[url=${url}]`;
}

function imageCode({ attributes }: Tag): string {
  const url = urlOf(attributes, "src");
  const words = withoutBrackets(attributeOf(attributes, "alt"));
  if (url === "") return words;
  return words === "" ? `[img]${url}[/img]` : `[img=${url}]${words}[/img]`;
}

function mediaCode({ name, attributes }: Tag): string {
  const url = urlOf(attributes, "src");
  const words = withoutBrackets(attributeOf(attributes, "title")).replaceAll('"', "'");
  if (url === "") return words;
  return words === "" ? `[${name}]${url}[/${name}]` : `[${name} title="${words}"]${url}[/${name}]`;
}

function urlOf(attributes: string, name: string): string {
  return attributeOf(attributes, name).replaceAll("[", "%5B").replaceAll("]", "%5D");
}

/** White space is only between words, unless it is verbatim; a bracket that could begin a code is written as its entity. */
function textOf(html: string, verbatim: boolean): string {
  const text = withoutMarks(decodeEntities(html));
  return verbatim ? text : text.replace(/[ \t\r\n\f]+/g, space).replace(/\[(?=[/*&a-z])/gi, "[&#91;]");
}
