import { receiveUndo } from "../../../domain/items/receiving/receive-undo.ts";
import type { Undone } from "../../../domain/items/receiving/receive-undo.ts";
import { readActivity } from "../translate/activity.ts";
import { objectIdOf } from "./incoming.ts";
import type { Attempt } from "./incoming.ts";
import { reactionUndone } from "./reactions.ts";
import { textOf } from "./posts-in.ts";

const reacting = ["Like", "Dislike", "EmojiReact", "Accept", "Reject", "TentativeAccept", "Join"];

/** Somebody takes back a reaction, an answer to an invitation, or a share. */
export const undoDeed: Attempt = async (incoming) => {
  const { hub, activity, actor, isForwarded } = incoming;
  const document = isForwarded ? "" : textOf(incoming);
  const [object] = activity.objects;
  if (typeof object === "string") {
    await receiveUndo(hub, actor, { id: object, what: undefined, target: undefined, document });
    return true;
  }
  const undone = object && readActivity(object);
  if (undone === undefined || typeof undone === "string") return false;
  await receiveUndo(hub, actor, { id: undone.id, target: objectIdOf(undone), what: whatOf(undone), document });
  return true;
};

function whatOf(undone: Parameters<typeof reactionUndone>[0]): Undone["what"] {
  if (undone.type === "Announce") return "share";
  return reacting.includes(undone.type) ? reactionUndone(undone) : undefined;
}
