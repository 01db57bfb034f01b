import type { Sought, Term } from "./read-query.ts";
import { everyToken } from "./tokens.ts";

/** Questions in the words of the two engines. Tokens hold letters, digits and the like only, so nothing in them needs care. */

/** What is public to all; any other scope is a channel. */
export const publicScope = 0;

/**
 * Must the text be looked at, too? The index says which tokens a message has, not in what order; and a message may have
 * all words of a phrase that it does not have, so the index cannot leave it out.
 */
export function isPhrase({ tokens, how }: Term): boolean {
  return how !== "any" && tokens.length > 1;
}

/** The whole question as FTS5 reads it. */
export function ftsExpression(scopes: readonly number[], { all, none }: Sought): string {
  return scopes
    .map((scope) => {
      const one = (term: Term): string => ftsTerm(`${scope}z`, term);
      const wanted = positive(all).map(one).join(" AND ");
      const left = none.filter((term) => !isPhrase(term));
      return left.length === 0 ? `(${wanted})` : `((${wanted}) NOT (${left.map(one).join(" OR ")}))`;
    })
    .join(" OR ");
}

/** A phrase is found by so many of its words; the text is looked at, too. */
const mostOfPhrase = 8;

/** The term as the index is asked for it. */
function indexed(term: Term): Term {
  const isLong = term.how !== "any" && term.tokens.length > mostOfPhrase;
  return isLong ? { tokens: term.tokens.slice(0, mostOfPhrase), how: "phrase" } : term;
}

function ftsTerm(scope: string, term: Term): string {
  const { tokens, how } = indexed(term);
  const scoped = tokens.map((token) => `"${scope}${token}"`);
  return `(${scoped.join(how === "any" ? " OR " : " AND ")}${how === "open" ? "*" : ""})`;
}

/** The question as a tsquery for items in these ranges of ids; an item is in one range only. */
export function tsExpression(scopes: readonly number[], ranges: readonly number[], { all, none }: Sought): string {
  return scopes
    .map((scope) => {
      const one = (term: Term): string => `(${ranges.map((range) => tsTerm(`${scope}z${range}z`, term)).join(" | ")})`;
      const wanted = positive(all).map(one);
      const left = none.filter((term) => !isPhrase(term));
      return `(${[...wanted, ...left.map((term) => `!${one(term)}`)].join(" & ")})`;
    })
    .join(" | ");
}

function tsTerm(scope: string, term: Term): string {
  const { tokens, how } = indexed(term);
  const scoped = tokens.map((token) => `'${scope}${token}'`);
  return `(${scoped.join(how === "any" ? " | " : " & ")}${how === "open" ? ":*" : ""})`;
}

/** How many words of the index a question is made of. */
export function weightOf({ all, none }: Sought): number {
  return [...positive(all), ...none].reduce((sum, term) => sum + indexed(term).tokens.length, 0);
}

function positive(all: readonly Term[]): readonly Term[] {
  return all.length > 0 ? all : [{ tokens: [everyToken], how: "any" }];
}
