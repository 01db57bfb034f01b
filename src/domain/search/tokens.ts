import { wordsIn } from "./words.ts";

/**
 * The tokens of the index: a letter for the kind, and what is said. Each stands there with a scope in front
 * (migration 0003), which the questions add (expression.ts).
 */

/** So many words of a message are looked at. */
const mostWords = 2000;
const mostTags = 100;
/** PostgreSQL refuses words of more than 2046 bytes; a tag becomes longer when its signs are written as numbers, or folded. */
const longestTag = 600;

/** Every message has the first one, the top of a thread also the second one. */
export const everyToken = "e";
const topToken = "p";

/** A word of the text or title. */
export function wordToken(word: string): string {
  return `w${word}`;
}

/** A hashtag or a reader's tag by its folded form; signs that would end a token are written as numbers. */
export function tagToken(key: string): string {
  const safe = key.replace(/[^\p{L}\p{N}\p{M}]/gu, (sign) => `\ue000${sign.codePointAt(0)!.toString(16)}`);
  return `t${safe.slice(0, longestTag).toWellFormed()}`;
}

/** Whoever wrote the message. */
export function authorToken(xchanId: number): string {
  return `a${xchanId}`;
}

/** Ten years, a year, a month or a day: the beginning of a stored date of that length. */
export function dateToken(date: string): string {
  return `d${date.replaceAll("-", "")}`;
}

/** A message as far as it is indexed. */
export type Indexed = {
  author_id: number;
  created: string;
  title: string;
  summary: string;
  plain: string;
  isTop: boolean;
};

/**
 * What a message is found by: the words of its title and summary, what is known of it, the words of its text, in this order. `tags`
 * are folded.
 */
export function tokensOf(
  { author_id, created, title, summary, plain, isTop }: Indexed,
  tags: readonly string[],
): string {
  const ofTitle = wordsIn(`${title} ${summary}`, mostWords);
  const known = [
    everyToken,
    ...(isTop ? [topToken] : []),
    authorToken(author_id),
    ...[3, 4, 7, 10].map((length) => dateToken(created.slice(0, length))),
    ...new Set(tags.slice(0, mostTags).map(tagToken)),
  ];
  return [...ofTitle.map(wordToken), ...known, ...wordsIn(plain, mostWords - ofTitle.length).map(wordToken)].join(" ");
}
