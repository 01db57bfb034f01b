import { scanTags } from "./bbcode/scan.ts";
import type { BbTag } from "./bbcode/scan.ts";
import { pairTags } from "./bbcode/tree.ts";
import { codeBlockLines } from "./markdown.ts";

/** A part of a body in which no tags are found, from start up to but not including end. */
export type Range = { start: number; end: number };

/** Tags whose content is quoted, or is the label of a link. */
const closedTags = new Set(["url", "zrl", "mail", "share", "quote"]);

/** The bbcode tags of a body, and the ones in which mentions and hashtags do not count. */
export function bbcodeRanges(body: string): { tags: BbTag[]; ranges: Range[] } {
  const tags = scanTags(body);
  pairTags(tags);
  const ranges: Range[] = [];
  let done = 0;
  const outer = tags.filter((tag) => {
    if (tag.start < done) return false;
    const isClosed = closedTags.has(tag.name) && tag.partner !== undefined && !tag.closing;
    const end = isClosed ? (tag.partner?.end ?? tag.end) : tag.end;
    ranges.push({ start: tag.start, end });
    done = end;
    return true;
  });
  return { tags: outer, ranges };
}

/** Code, HTML tags and the targets of links in a Markdown body. */
export function markdownRanges(body: string): Range[] {
  const blocks = codeBlocks(body);
  const rest = masked(body, blocks);
  const spans = codeSpans(rest);
  const plain = masked(rest, spans);
  const found = [...plain.matchAll(/<[a-z/!][^<>\n]*>|\]\([^()\s]*/gi)];
  const others = found.map((match) => ({ start: match.index, end: match.index + match[0].length }));
  return merged([...blocks, ...spans, ...others]);
}

function codeBlocks(body: string): Range[] {
  if (!/^(?: {4}|\t)|[`~]{3}|\n(?: {4}|\t)/.test(body)) return [];
  const starts = [0, ...[...body.matchAll(/\r\n?|\n/g)].map((match) => match.index + match[0].length)];
  const at = (line: number): number => starts[line] ?? body.length;
  return codeBlockLines(body).map(([first, behind]) => ({ start: at(first), end: at(behind) }));
}

/** Inline code ends at a run of exactly as many backticks as it began with. */
function codeSpans(body: string): Range[] {
  const runs = [...body.matchAll(/`+/g)];
  const unclosed = new Set<number>();
  const spans: Range[] = [];
  for (let at = 0; at < runs.length; at++) {
    const size = runs[at]?.[0].length ?? 0;
    if (unclosed.has(size)) continue;
    let close = at + 1;
    while (close < runs.length && runs[close]?.[0].length !== size) close += 1;
    if (close === runs.length) unclosed.add(size);
    else {
      spans.push({ start: runs[at]?.index ?? 0, end: (runs[close]?.index ?? 0) + size });
      at = close;
    }
  }
  return spans;
}

/** Sorts ranges and joins those that overlap. */
export function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}

/** The body with the ranges overwritten by brackets, which end every tag; all positions stay the same. */
export function masked(body: string, ranges: Range[]): string {
  let result = "";
  let done = 0;
  for (const { start, end } of merged(ranges)) {
    result += body.slice(done, start) + "[".repeat(Math.max(0, end - Math.max(start, done)));
    done = end;
  }
  return result + body.slice(done);
}
