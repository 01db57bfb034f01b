import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { emit } from "../../live/emit.ts";
import { hasSameOptions } from "../poll.ts";
import { touchAll } from "../thread-dates.ts";
import { renewedQuestion } from "../votes.ts";
import { findKnownMessage } from "./known-message.ts";
import { readerOf } from "./owners.ts";
import type { ReceivedPost } from "./received.ts";

/** The poll that a message is, and in whose name it can be asked for; undefined once it is gone. */
export async function findRecountable(
  hub: Hub,
  messageId: number,
): Promise<{ mid: string; reader: Channel | undefined } | undefined> {
  const row = await hub.db.selectFrom("message").select("mid").where("id", "=", messageId).executeTakeFirst();
  const here = row && (await readerOf(hub, row.mid));
  return here && { mid: row.mid, reader: here.reader };
}

/** The poll as its own hub has it now. Only its counts are taken over: whatever else has changed comes as an Update. */
export async function receiveCounts(hub: Hub, { mid, author, question }: ReceivedPost): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, mid);
    if (known?.author_id !== author.xchan_id || !hasSameOptions(known.obj, question)) return;
    const obj = await renewedQuestion(hub, known.id, question);
    if (obj === known.obj) return;
    await hub.db.updateTable("message").set({ obj }).where("id", "=", known.id).execute();
    await touchAll(hub, known.id);
    await emit(hub, { what: "edit", message: known.id });
  });
}
