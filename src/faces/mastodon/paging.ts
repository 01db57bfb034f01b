import type { z } from "zod";
import type { KeyWindow } from "../../domain/connections/connections.ts";
import type { Exchange } from "../../http/exchange.ts";
import { bound, limit, lowerBound } from "./parameters.ts";

/** Pages of lists (Mastodon contract 7): newest first, by ids that stand in `Link`. */

/** The parameters of every list that pages. */
export function pageInput(
  usual: number,
  most = usual * 2,
): {
  limit: z.ZodType<number>;
  max_id: z.ZodType<number | undefined>;
  since_id: z.ZodType<number | undefined>;
  min_id: z.ZodType<number | undefined>;
} {
  return {
    limit: limit(usual, most),
    max_id: bound("Only what has a smaller id."),
    since_id: bound("Only what has a greater id: the newest of that."),
    min_id: lowerBound("Only what has a greater id: what comes right after it."),
  };
}

/** What a page is asked by. */
export type PageInput = { [name in keyof ReturnType<typeof pageInput>]: z.output<ReturnType<typeof pageInput>[name]> };

/** The page of keys that was asked for. */
export function windowOf({ limit: count, max_id: after, since_id, min_id }: PageInput): KeyWindow {
  return { count, after, before: min_id, sinceId: min_id === undefined ? since_id : undefined };
}

/** A page of what is kept in one piece, the newest first. */
export function pageOf<T extends { id: number }>(
  all: readonly T[],
  window: KeyWindow,
): { page: T[]; edges: Edges | undefined } {
  const { count, after = Infinity, before, sinceId = 0 } = window;
  const newest = all.toSorted((one, other) => other.id - one.id);
  const within = newest.filter(({ id }) => id < after && id > Math.max(sinceId, before ?? 0));
  const page = before === undefined ? within.slice(0, count) : within.slice(-count);
  const keys = page.map(({ id }) => id);
  return { page, edges: edgesOf(keys, page.length > 0 && page.at(-1) !== newest.at(-1)) };
}

/** The first and the last key of a page, and whether there is, or may be, more behind it. */
export type Edges = { first: number; last: number; more: boolean };

/** Those of a page; undefined for an empty one. */
export function edgesOf(keys: readonly number[], more: boolean): Edges | undefined {
  const [first, last] = [keys[0], keys.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last, more };
}

const bounds = ["max_id", "since_id", "min_id"];

/** The Link header of a page: whatever else was asked is asked again. */
export function pageLinks(edges: Edges | undefined, { self }: Exchange): Record<string, string> {
  if (!edges) return {};
  const url = new URL(self);
  for (const one of bounds) url.searchParams.delete(one);
  const { href, search } = url;
  const start = search === "" ? `${href.replace(/\?$/, "")}?` : `${href}&`;
  const to = (name: string, key: number): string => `${start}${name}=${key}`;
  const next = edges.more ? [`<${to("max_id", edges.last)}>; rel="next"`] : [];
  return { link: [...next, `<${to("min_id", edges.first)}>; rel="prev"`].join(", ") };
}
