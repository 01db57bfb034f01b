import type { Hub } from "../../hub.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { findByNick } from "../people/find-person.ts";
import { readDay, tokensOfDays } from "./date-range.ts";
import { authorToken, tagToken, wordToken } from "./tokens.ts";
import { soughtWords } from "./words.ts";

/** Something that a message has or has not. */
export type Term =
  /** These next to one another; `open`: the last one may go on. */
  { tokens: string[]; how: "phrase" | "open" } | { tokens: string[]; how: "any" };

export type Days = { since?: string; until?: string };

/** What somebody looks for. */
export type Sought = {
  all: Term[];
  none: Term[];
  /** The days, both included, between which the message was written; they are among `all`, too. */
  days: Days;
  /** What was typed, where it is nothing but text. */
  text: string | undefined;
};

const longestQuery = 500;
const mostTerms = 16;
/** With fewer signs a beginning would fit too much. */
const shortestBeginning = 3;

const typed = /-?"[^"]*"?\*?|\S+/g;

/**
 * Reads what people type: words, "phrases", beginnings* of words, #tags, from:nick (or nick@host, or me), since:YYYY-MM-DD,
 * until:YYYY-MM-DD (both days included), and -anything for what must not be there. What is none of these is text.
 */
export async function readQuery(hub: Hub, observer: Observer, query: string): Promise<Sought> {
  const text = query.slice(0, longestQuery).trim();
  const days: Days = {};
  const sought: Sought = { all: [], none: [], days, text };
  for (const [part] of [...text.matchAll(typed)].slice(0, mostTerms)) {
    const isNot = part.length > 1 && part.startsWith("-");
    const typed = isNot ? part.slice(1) : part;
    const day = isNot ? undefined : dayIn(typed);
    if (day) Object.assign(days, day);
    const term = day ? undefined : await termOf(hub, observer, typed);
    if (isNot || day || (term && term.how !== "phrase") || typed.includes('"')) sought.text = undefined;
    if (term) (isNot ? sought.none : sought.all).push(term);
  }
  if (days.since ?? days.until) sought.all.push({ tokens: tokensOfDays(days.since, days.until), how: "any" });
  return sought;
}

/** Exactly this hashtag, or reader's tag, and nothing else. */
export function onlyTag(tag: string): Sought {
  return { all: [tagTerm(tag)], none: [], days: {}, text: undefined };
}

/** One of the first hashtags at least, all of the second, and none of the third. */
export function tagsAmong({ any, all, none }: Record<"any" | "all" | "none", readonly string[]>): Sought {
  const one: Term = { tokens: any.flatMap((tag) => tagTerm(tag).tokens), how: "any" };
  return { all: [one, ...all.map(tagTerm)], none: none.map(tagTerm), days: {}, text: undefined };
}

function dayIn(typed: string): { since: string } | { until: string } | undefined {
  const [, which, day] = /^(since|until):(.*)$/i.exec(typed) ?? [];
  const read = day === undefined ? undefined : readDay(day);
  if (read === undefined) return undefined;
  return which!.toLowerCase() === "since" ? { since: read } : { until: read };
}

async function termOf(hub: Hub, observer: Observer, typed: string): Promise<Term | undefined> {
  const [, person] = /^from:@?(.+)$/i.exec(typed) ?? [];
  if (person !== undefined) return { tokens: await authorsCalled(hub, observer, person), how: "any" };
  if (/^#[\p{L}\p{N}\p{M}_]/u.test(typed)) return tagTerm(typed.slice(1));
  const { words, isOpen } = soughtWords(typed);
  if (words.length === 0) return undefined;
  const isBeginning = typed.endsWith("*") && [...words.at(-1)!].length >= shortestBeginning;
  return { tokens: words.map(wordToken), how: isOpen || isBeginning ? "open" : "phrase" };
}

function tagTerm(tag: string): Term {
  return { tokens: [tagToken(tag.normalize("NFKC").toLowerCase())], how: "any" };
}

async function authorsCalled(hub: Hub, observer: Observer, name: string): Promise<string[]> {
  if (name.toLowerCase() === "me") return observer.xchanId > 0 ? [authorToken(observer.xchanId)] : [];
  const found = await findByNick(hub, observer, name);
  return found ? [authorToken(found.xchan_id)] : [];
}
