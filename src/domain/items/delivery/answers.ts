import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Item } from "../types.ts";
import { batch, inBatches, together } from "./batches.ts";
import { fanOutAnswer, fanOutThread } from "./fan-out.ts";
import type { SharedAnswer } from "./fan-out.ts";
import { notifyReaders } from "./notices.ts";
import type { Recipient } from "./recipients.ts";

/** Whoever gets a copy: somebody, or the site, and of its copies nobody is told. */
export type Taker = Recipient | Pick<Recipient, "channel_id">;

/** An answer, the top of its thread as somebody here has it, and whom of these it mentions. */
export type Answering = { answer: SharedAnswer; top: Item; mentioned: readonly Recipient[] };

/**
 * Gives channels that have a thread an answer in it, and `newcomers` the thread along, in batches that stand each for itself: whoever
 * runs it again goes on where it ended. `lookAgain` locks the thread, and says what there is now: undefined where it is gone.
 */
export async function handOut<Some extends Taker>(
  hub: Hub,
  having: readonly Some[],
  newcomers: readonly Some[],
  lookAgain: (hub: Hub, some: readonly Some[]) => Promise<Answering | undefined>,
): Promise<void> {
  const fresh = new Set<Taker>(newcomers);
  for (const some of inBatches([...having, ...newcomers], together))
    await inTransaction(hub, async (hub) => {
      const found = await lookAgain(hub, some);
      if (!found) return;
      const { answer, top, mentioned } = found;
      const without = some.filter((taker) => fresh.has(taker));
      await fanOutThread(hub, top, without, answer.message_id);
      for (const group of inBatches(some, batch)) {
        const copies = await fanOutAnswer(hub, answer, top, group, mentioned);
        if (copies.size > 0) await notifyReaders(hub, group.filter(isReader), copies, answer);
      }
    });
}

function isReader<Some extends Taker>(taker: Some): taker is Some & Recipient {
  return "xchan_id" in taker;
}
