import { RawNode, SelectQueryNode } from "kysely";
import type { CompiledQuery } from "kysely";

/**
 * Does a statement read and nothing else? Such a one waits for nobody who changes something, and nobody waits for it. What is written
 * by hand is asked for its words: without those that change something or take a lock.
 */
export function isPlainRead({ query, sql }: CompiledQuery): boolean {
  if (!RawNode.is(query)) return SelectQueryNode.is(query);
  return /^\s*(?:select|with)\b/i.test(sql) && !/\b(?:insert|update|delete|merge|share|nextval|setval)\b/i.test(sql);
}
