import { deletePost } from "./delete.ts";
import { firstOf } from "./incoming.ts";
import type { Effect } from "./incoming.ts";

/** What activities do here, by their type (federation contract 4.3); all other types do nothing. */
export const effects: Readonly<Record<string, Effect>> = {
  Delete: firstOf(deletePost),
};
