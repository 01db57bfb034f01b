import { renderTree } from "./bbcode/render-tree.ts";
import { scanTags } from "./bbcode/scan.ts";
import type { BbTag } from "./bbcode/scan.ts";
import { isBlock } from "./bbcode/tag-shapes.ts";
import { buildTree, pairTags } from "./bbcode/tree.ts";
import { escapeHtml } from "./escape.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Site } from "./site.ts";

/*
 * Markdown would read brackets, quotes and URLs of bbcode as its own. So the tags are taken out first, with a mark left
 * in the place of each; then Markdown is rendered; then the tags are rendered with its HTML as their texts. A mark that
 * ends up in code or in an HTML tag becomes the source text again.
 */

/** Markdown takes letters next to `*` and `_` differently from punctuation, and brackets are punctuation: so commas. */
const mark = (at: number): string => `,\ufdd0${at}\ufdd1,`;
const markOrTag = /,\ufdd0(\d+)\ufdd1,|<(\/?)([a-z][a-z0-9]*)?[^<>]*>/gi;
const anyMark = /,\ufdd0(\d+)\ufdd1,/g;

/** Renders Markdown, bbcode and HTML mixed to unfiltered HTML. */
export function renderMulticode(body: string, site: Site, salt: string): string {
  const source = body.replace(/[\ufdd0-\ufdef]/g, "");
  const tags = scanTags(source);
  const emoji = !tags.some((tag) => tag.name === "nosmile");
  const html = renderMarkdown(withMarks(source, tags), "multicode", emoji, salt);
  const pieces = splitAtMarks(html, tags);
  pairTags(pieces.filter((piece) => typeof piece !== "string"));
  const tree = buildTree(splitParagraphs(pieces));
  return withoutEmptyParagraphs(renderTree(tree, site, true, salt));
}

function withMarks(source: string, tags: BbTag[]): string {
  let marked = "";
  let done = 0;
  for (const [at, tag] of tags.entries()) {
    marked += source.slice(done, tag.start) + mark(at);
    done = tag.end;
  }
  return marked + source.slice(done);
}

function splitAtMarks(html: string, tags: BbTag[]): (string | BbTag)[] {
  const pieces: (string | BbTag)[] = [];
  let text = "";
  let done = 0;
  let code = 0;
  for (const match of html.matchAll(markOrTag)) {
    text += html.slice(done, match.index);
    done = match.index + match[0].length;
    const tag = match[1] === undefined ? undefined : tags[Number(match[1])];
    code = Math.max(0, code + codeChange(match));
    if (tag !== undefined && code === 0) {
      pieces.push(text, tag);
      text = "";
    } else text += withSources(match[0], tags);
  }
  return [...pieces, text + withSources(html.slice(done), tags)];
}

function codeChange([, , slash, name = ""]: RegExpExecArray): number {
  if (!/^(?:code|pre)$/i.test(name)) return 0;
  return slash === "" ? 1 : -1;
}

function withSources(html: string, tags: BbTag[]): string {
  return html.replace(anyMark, (_, at: string) => escapeHtml(tags[Number(at)]?.source ?? ""));
}

/** A block cannot stand in a paragraph, so block tags end the paragraph they are in and begin a new one. */
function splitParagraphs(pieces: (string | BbTag)[]): (string | BbTag)[] {
  let inParagraph = false;
  return pieces.flatMap((piece) => {
    if (typeof piece !== "string") {
      return inParagraph && makesBlock(piece) ? ["</p>", piece, "<p>"] : [piece];
    }
    const opened = piece.lastIndexOf("<p>");
    const closed = piece.lastIndexOf("</p>");
    if (opened !== closed) inParagraph = opened > closed;
    return [piece];
  });
}

function makesBlock({ name, partner, raw }: BbTag): boolean {
  const isTyped = partner === undefined && raw === undefined && name !== "hr" && name !== "toc";
  return isBlock(name) && !isTyped;
}

/** What is left of the paragraphs that block tags ended; the HTML filter drops those that are empty. */
function withoutEmptyParagraphs(html: string): string {
  return html.replaceAll("<p><br>\n", "<p>").replaceAll("<br>\n</p>", "</p>");
}
