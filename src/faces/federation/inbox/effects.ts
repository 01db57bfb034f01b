import { deleteActor, updateActor } from "./actor.ts";
import { deletePost } from "./delete.ts";
import { block, blockUndone, follow, followAccepted, followRejected, followUndone } from "./follow.ts";
import { receiveFlag } from "./flag.ts";
import { firstOf } from "./incoming.ts";
import type { Effect } from "./incoming.ts";

/** What activities do here, by their type (federation contract 4.3); all other types do nothing. */
export const effects: Readonly<Record<string, Effect>> = {
  Accept: firstOf(followAccepted),
  Block: block,
  Delete: firstOf(deleteActor, deletePost),
  Flag: firstOf(receiveFlag),
  Follow: follow,
  Reject: firstOf(followRejected),
  Undo: firstOf(followUndone, blockUndone),
  Update: firstOf(updateActor),
};
