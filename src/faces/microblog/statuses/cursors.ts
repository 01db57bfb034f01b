import type { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import { kind } from "../../../http/input.ts";
import { asText, lastOf } from "../../../http/values.ts";

/** Cursored answers: the largest key first; a positive cursor goes on, a negative one goes back. */

/** Where a page begins: `given` says that a cursor was sent at all. */
export type Cursor = { given: boolean; after?: number; before?: number };

/** A page by key; `next` and `previous` are the keys at its edges, 0 where the list ends. */
export type Edges = { next: number; previous: number; total: number };

/** What goes back before the record 1 cannot be -1, which is the first page. */
const beforeOne = Number.MAX_SAFE_INTEGER;

/** The parameter; absent, `undefined`, 0, -1 and what is no number are the first page. */
export function cursor(): z.ZodType<Cursor> {
  const description =
    "`next_cursor` or `previous_cursor` of a page, for the page after or before it; -1 is the first page.";
  return kind({ description, type: "integer", default: -1 }, (values, refuse) => {
    const value = lastOf(values);
    const text = value === undefined ? "" : (asText(value)?.trim() ?? refuse("must be a single value"));
    const number = /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
    const given = text !== "" && text !== "undefined";
    if (number === undefined || number === 0 || number === -1) return { given };
    if (number > 0) return { given, after: number };
    return { given, before: number === -beforeOne ? 1 : -number };
  });
}

type CursorFields = {
  next_cursor: number;
  next_cursor_str: string;
  previous_cursor: number;
  previous_cursor_str: string;
  total_count: number;
};

/** The cursor fields of an answer, to go after its `ids`, `users` or `lists`. */
export function cursorFields(edges: Edges): CursorFields {
  const next = edges.next;
  const previous = previousOf(edges);
  return {
    next_cursor: next,
    next_cursor_str: String(next),
    previous_cursor: previous,
    previous_cursor_str: String(previous),
    total_count: edges.total,
  };
}

/** The Link header of a cursored answer: the same call with the other cursors. Empty where there is no other page. */
export function cursorLinks(edges: Edges, exchange: Exchange, input: Record<string, unknown>): Record<string, string> {
  const links: string[] = [];
  if (edges.next !== 0) links.push(linkTo(exchange, input, edges.next, "next"));
  if (edges.previous !== 0) links.push(linkTo(exchange, input, previousOf(edges), "prev"));
  return links.length === 0 ? {} : { link: links.join(", ") };
}

function previousOf({ previous }: Edges): number {
  if (previous === 0) return 0;
  return previous === 1 ? -beforeOne : -previous;
}

/** Whatever else was asked is asked again. */
function linkTo(exchange: Exchange, input: Record<string, unknown>, cursor: number, rel: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    const text = asText(value) ?? "";
    if (name !== "cursor" && text !== "" && text !== "0") query.set(name, text);
  }
  query.set("cursor", String(cursor));
  return `<${exchange.baseUrl}${exchange.path}?${query.toString()}>; rel="${rel}"`;
}
