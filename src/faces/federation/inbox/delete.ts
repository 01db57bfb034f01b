import { receiveDeletion, takeOut } from "../../../domain/items/receiving/receive-deletion.ts";
import { receiveRecall } from "../../../domain/messages/remove.ts";
import { objectIdOf } from "./incoming.ts";
import { textOf } from "./posts-in.ts";
import type { Attempt } from "./incoming.ts";

/** Somebody deletes what they wrote or did, or takes out what somebody else wrote in a thread of theirs. */
export const deletePost: Attempt = async (incoming) => {
  const { hub, activity, ruling, actor, isForwarded } = incoming;
  const id = objectIdOf(activity);
  if (ruling.do === "take_out") await takeOut(hub, actor, ruling.object);
  else if (id !== undefined) {
    await receiveRecall(hub, actor.xchan_hash, id);
    // Without an id it is what was found out, and not what its author has said.
    const isSaid = activity.id !== undefined && !isForwarded;
    await receiveDeletion(hub, actor, id, isSaid ? textOf(incoming) : "");
  }
  return true;
};

/** The owner of a thread takes out what somebody wrote or did there, in the words of its collection. */
export const takenOut: Attempt = async ({ hub, activity, actor }) => {
  const id = objectIdOf(activity);
  if (id !== undefined) await takeOut(hub, actor, id);
  return true;
};
