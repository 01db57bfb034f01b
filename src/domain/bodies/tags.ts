import { findInText } from "./tag-forms.ts";
import { bbcodeRanges, markdownRanges, masked } from "./protected-text.ts";
import type { Range } from "./protected-text.ts";
import { findLinked } from "./linked-tags.ts";
import type { FoundTags } from "./found-tags.ts";

export type { FoundBookmark, FoundHashtag, FoundMention, FoundTags } from "./found-tags.ts";
export { rewriteTags } from "./rewrite-tags.ts";
export type { ResolvedMention } from "./rewrite-tags.ts";

/**
 * Finds mentions, hashtags and bookmarks in a body, as typed or in the form that `rewriteTags` gives them; nothing in
 * code, quotations, shares and links. In `@name` the underscores stand for spaces and a full address is possible; the
 * caller resolves both.
 */
export function findTags(body: string, mimetype: string): FoundTags {
  if (mimetype === "text/plain") return findInText(body);
  if (mimetype === "text/markdown") return findInText(masked(body, markdownRanges(body)));
  if (mimetype === "text/bbcode" || mimetype === "text/x-multicode") return findInCode(body, mimetype);
  return { mentions: [], hashtags: [], bookmarks: [] };
}

function findInCode(body: string, mimetype: string): FoundTags {
  const { tags, ranges } = bbcodeRanges(body);
  const code = mimetype === "text/bbcode" ? [] : markdownRanges(masked(body, ranges));
  const linked = findLinked(
    body,
    tags.filter((tag) => !isInside(tag.start, code)),
  );
  const rest = masked(body, [...ranges, ...code]);
  const typed = findInText(withLetters(rest, [...linked.mentions, ...linked.hashtags]));
  const byStart = (a: Range, b: Range): number => a.start - b.start;
  return {
    mentions: [...linked.mentions, ...typed.mentions].sort(byStart),
    hashtags: [...linked.hashtags, ...typed.hashtags].sort(byStart),
    bookmarks: linked.bookmarks,
  };
}

/** Binary search, because a body can have very many of both. */
function isInside(position: number, sorted: Range[]): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const range = sorted[low];
  return range !== undefined && range.start <= position;
}

/** A rewritten tag ends with a letter, as it did before, so that what follows it is read as it was then. */
function withLetters(text: string, ranges: Range[]): string {
  let result = "";
  let done = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    result += `${text.slice(done, start)}${"[".repeat(end - start - 1)}x`;
    done = end;
  }
  return result + text.slice(done);
}

/** The names in a category parameter: split at commas, without empty ones and repetitions. */
export function splitCategories(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}
