import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addJob } from "../../../jobs/queue.ts";
import { findShare, isPureShare, withoutShared } from "../../bodies/share.ts";
import { anyCopyOf } from "../find.ts";
import { tombstoneMessages } from "../tombstones.ts";
import { deleteForAll } from "./delete.ts";
import { emptySketches } from "./sketches.ts";
import { rewriteQuotation } from "./rewrite-quotation.ts";

/** How many shares one look finds: each is changed in a transaction of its own. */
const together = 50;

/**
 * Ends what shares a message that is deleted, or not for everybody any more. What adds nothing to it is deleted, with what others said
 * below, and those elsewhere who got it hear that it is taken back. What adds words keeps these, and a mark in the place of the
 * message. A job; may run twice.
 */
export async function endShares(hub: Hub, messageId: number): Promise<void> {
  await forEachShare(hub, messageId, async (hub, share) => {
    if (isPureShare(share.body)) await endShare(hub, share.id);
    else await emptyShare(hub, share.id, (body) => findShare(body)?.share.messageId);
  });
}

/** Puts the mark in the place of a message that is gone, where it stood in what these share. A job; may run twice. */
export async function emptyShares(hub: Hub, { message, mid }: { message: number; mid: string }): Promise<void> {
  await forEachShare(hub, message, (hub, share) => emptyShare(hub, share.id, () => mid));
}

type Found = { id: number; body: string };

async function forEachShare(
  hub: Hub,
  messageId: number,
  change: (hub: Hub, share: Found) => Promise<void>,
): Promise<void> {
  let last = 0;
  for (;;) {
    const shares = await hub.db
      .selectFrom("message")
      .select(["id", "body"])
      .where("shared_id", "=", messageId)
      .where("shared_id", ">", sql.lit(0))
      .where("id", ">", last)
      .orderBy("id")
      .limit(together)
      .execute();
    for (const share of shares) await inTransaction(hub, (hub) => change(hub, share));
    if (shares.length < together) return;
    last = shares.at(-1)!.id;
  }
}

async function endShare(hub: Hub, share: number): Promise<void> {
  const copy = await anyCopyOf(hub, share);
  await (copy ? deleteForAll(hub, copy) : tombstoneMessages(hub, [share]));
}

/** What shares the share repeats the message as well. */
async function emptyShare(hub: Hub, share: number, midIn: (body: string) => string | undefined): Promise<void> {
  const message = await hub.db
    .selectFrom("message")
    .select(["author_id", "body"])
    .where("id", "=", share)
    .executeTakeFirst();
  const mid = message && midIn(message.body);
  if (!mid) return;
  const emptied = (body: string): string => withoutShared(body, new Set([mid]));
  if (!(await rewriteQuotation(hub, share, ({ body }) => ({ body: emptied(body) })))) return;
  await emptySketches(hub, message.author_id, mid);
  await addJob(hub, "empty-shares", { message: share, mid });
}
