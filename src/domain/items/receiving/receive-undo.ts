import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { rememberDeletedElsewhere } from "../deleted-ids.ts";
import { findThread } from "./place.ts";
import { findKnownMessage } from "./known-message.ts";
import { passOn } from "./pass-on.ts";
import { removeMessage } from "./receive-deletion.ts";
import { reactionsBy } from "./receive-reaction.ts";
import { sharesBy } from "./receive-share.ts";
import { rememberTakenBack } from "../taken-back.ts";

/** What was done, as far as is said: by its id, or by what it was and what it was done to. */
export type Undone = {
  id: string | undefined;
  /** Short names of reactions, with the one as which they may have been taken here, where there is none of these; or a share. */
  what: { reactions: readonly string[]; takenAs?: string | undefined } | "share" | undefined;
  target: string | undefined;
  /** How they said so; empty where what they said was not that alone. */
  document: string;
};

/**
 * Somebody of elsewhere takes back a reaction or share. What never came is remembered for a day, in case that it comes late
 * (federation contract 4.3).
 */
export async function receiveUndo(hub: Hub, author: Xchan, { id, what, target, document }: Undone): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const named = id === undefined ? undefined : await findKnownMessage(hub, id);
    if (named && named.author_id === author.xchan_id) {
      await passOn(hub, named, document, () => removeMessage(hub, named));
      await rememberDeletedElsewhere(hub, named.mid, now(hub));
    } else if (!named && what !== undefined && target !== undefined)
      for (const message of await doneTo(hub, author, what, target)) await removeMessage(hub, { id: message });
    if (id !== undefined && !named) await rememberTakenBack(hub, id);
  });
}

async function doneTo(hub: Hub, author: Xchan, what: NonNullable<Undone["what"]>, target: string): Promise<number[]> {
  if (what === "share") return (await sharesBy(hub, author, target)).map(({ id }) => id);
  const thread = await findThread(hub, target);
  if (!thread) return [];
  const { reactions, takenAs } = what;
  const found = await reactionsBy(hub, author, thread.answered, reactions);
  const items =
    found.length > 0 || takenAs === undefined ? found : await reactionsBy(hub, author, thread.answered, [takenAs]);
  return items.map((item) => item.message_id);
}
