import type { StreamCursor } from "../../../domain/items/timelines/network-page.ts";
import type { PageContext } from "../page.ts";

/** Where the last page of a stream ended, as `before` carries it; one that cannot be read is the first page. */
export function cursorOf({ query }: PageContext): StreamCursor | undefined {
  const [, date, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)~(\d{1,15})$/.exec(query.text("before")) ?? [];
  return date && id ? { date: date.replace("T", " "), id: Number(id) } : undefined;
}

/** The same the other way round. */
export function cursorText(next: StreamCursor | undefined): string | undefined {
  return next && `${next.date.replace(" ", "T")}~${next.id}`;
}
