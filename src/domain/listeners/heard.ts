import type { LiveEvent, OfChannels } from "../live/event.ts";
import type { LiveCopy } from "../items/timelines/live-copies.ts";

/** What one who listens hears: names of rows that may be seen by then, for asking for them. */
export type Heard =
  /** The channel's row of a message is new, has another text, has something new about or below it, or is not to be seen any more. */
  | ({ what: "new" | "edit" | "touch" | "gone" } & Omit<LiveCopy, "isNormal">)
  /** Something is new or different in a thread of somebody else that is being looked at. */
  | { what: "thread"; thread: number }
  | { what: OfChannels }
  /** Something is new in a chatroom that is being looked at. */
  | { what: "room"; room: number }
  /** Of what the hub says to all members. */
  | { what: "announcement"; announcement: number }
  | { what: "announcement-reaction"; announcement: number; name: string }
  /**
   * A message of which nothing is known yet, neither who may see it: for those who look it up for many at once. New are rows of it
   * with ids from and to these.
   */
  | { what: "message"; event: "item" | "edit" | "gone"; message: number; from: number; to: number }
  /** More has happened than can be told: look at everything anew. */
  | { what: "missed" };

/** What the holder of this row hears of the event; undefined where it is nothing for them. */
export function heardOf(event: LiveEvent, { isNormal, ...copy }: LiveCopy): Heard | undefined {
  if (event.what === "item")
    return isNormal && event.from <= copy.id && copy.id <= event.to ? { what: "new", ...copy } : undefined;
  if (event.what === "gone") return isNormal ? undefined : { what: "gone", ...copy };
  return (event.what === "edit" || event.what === "touch") && isNormal ? { what: event.what, ...copy } : undefined;
}
