import { createContext, runInContext } from "node:vm";
import type { Item } from "../types.ts";

type Rules = { abook_incl: string; abook_excl: string };

/** Does a connection's filter let this thread in? Exclusions are tested first. */
export function passesFilter(rules: Rules, item: Pick<Item, "title" | "plain" | "lang">): boolean {
  const excluded = lines(rules.abook_excl).some((rule) => matches(rule, item));
  if (excluded) return false;
  const included = lines(rules.abook_incl);
  return included.length === 0 || included.some((rule) => matches(rule, item));
}

function lines(text: string): string[] {
  return text === ""
    ? []
    : text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
}

function matches(rule: string, item: Pick<Item, "title" | "plain" | "lang">): boolean {
  const text = `${item.title}\n${item.plain}`;
  if (rule.startsWith("lang=")) return item.lang === rule.slice(5).toLowerCase();
  if (rule === "#*") return /#\w/.test(text);
  if (rule.startsWith("#"))
    return text
      .toLowerCase()
      .split(/[\s,;:?!.()]+/)
      .includes(rule.toLowerCase());
  const pattern = /^\/(.+)\/$/.exec(rule)?.[1];
  return pattern === undefined ? text.toLowerCase().includes(rule.toLowerCase()) : matchesPattern(pattern, text);
}

/** Patterns come from people; one that never ends must not stop the hub. One that cannot be read matches nothing. */
function matchesPattern(pattern: string, text: string): boolean {
  try {
    const context = createContext({ pattern, text: text.slice(0, 20_000) });
    return runInContext("new RegExp(pattern, 'iu').test(text)", context, { timeout: 250 }) === true;
  } catch {
    return false;
  }
}
