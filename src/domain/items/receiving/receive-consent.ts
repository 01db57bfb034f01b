import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isPureShare } from "../../bodies/share.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import type { Interaction } from "../approvals.ts";
import { changeElsewhere } from "../changed.ts";
import { consentOf, consentedBy, keepConsent } from "../consents.ts";
import { rememberDeletedElsewhere } from "../deleted-ids.ts";
import { anyCopyOf } from "../find.ts";
import { loadItem } from "../save.ts";
import type { Item } from "../types.ts";
import { reactionOf } from "../vocabulary.ts";
import { findKnownMessage } from "./known-message.ts";
import { removeMessage } from "./receive-deletion.ts";

/** Somebody elsewhere says whether something of this hub may stand with what they wrote, or in a thread of theirs (federation contract 7). */

/** It, and the post that it is about. */
export type Consented = { item: Item; kind: Exclude<Interaction, "quote">; about: string };

/** Something that was done here and is for this person to let stand, by its id; undefined for everything else. */
export async function findConsented(hub: Hub, from: Xchan, id: string): Promise<Consented | undefined> {
  const known = await findKnownMessage(hub, id);
  const item = known?.nick ? await anyCopyOf(hub, known.id) : undefined;
  if (!item) return undefined;
  if (item.item_thread_top === 1) return sharedOf(hub, from, item);
  const answered = await loadItem(hub, item.thr_parent_id || item.parent);
  if (answered.author_id !== from.xchan_id && item.owner_id !== from.xchan_id) return undefined;
  return { item, kind: reactionOf(item.verb) === undefined ? "reply" : "like", about: answered.mid };
}

async function sharedOf(hub: Hub, from: Xchan, item: Item): Promise<Consented | undefined> {
  if (item.shared_id === 0 || !isPureShare(item.body)) return undefined;
  const shared = await hub.db
    .selectFrom("message")
    .select("mid")
    .where("id", "=", item.shared_id)
    .where("author_id", "=", from.xchan_id)
    .executeTakeFirst();
  return shared && { item, kind: "share", about: shared.mid };
}

/** It may, by a stamp that has been looked at, or by their word alone: whoever has it gets it once more with the stamp. */
export async function receiveConsent(hub: Hub, { item }: Consented, stamp: string | undefined): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const before = await consentOf(hub, item.message_id);
    if (before?.state === "given" && (stamp === undefined || before.stamp === stamp)) return;
    await keepConsent(hub, item.message_id, { state: "given", ...(stamp !== undefined && { stamp }) });
    if (stamp !== undefined) await changeElsewhere(hub, item, { stamp: `consent ${stamp}` });
  });
}

/** It may not, or no more. Its author sees that, and it stays where it is here. */
export async function receiveRefusal(hub: Hub, { item }: Pick<Consented, "item">): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const before = await consentOf(hub, item.message_id);
    await keepConsent(hub, item.message_id, { state: "refused" });
    if (before?.stamp !== undefined) await changeElsewhere(hub, item, { stamp: `refused ${before.stamp}` });
  });
}

/** They take a stamp back. Answers whether it was one of theirs that is known here. */
export async function receiveConsentRevoked(hub: Hub, from: Xchan, stamp: string): Promise<boolean> {
  let isTheirs = false;
  for (const id of await consentedBy(hub, stamp)) {
    const item = await anyCopyOf(hub, id);
    const consented = item && (await findConsented(hub, from, item.mid));
    if (consented) await receiveRefusal(hub, consented);
    else if (!item || !(await takeOutOfThread(hub, from, item))) continue;
    isTheirs = true;
  }
  return isTheirs;
}

/** What somebody else of elsewhere wrote below something of this person stands there no more. */
async function takeOutOfThread(hub: Hub, from: Xchan, item: Item): Promise<boolean> {
  const answered = item.thr_parent_id === 0 ? undefined : await loadItem(hub, item.thr_parent_id);
  if (answered?.author_id !== from.xchan_id) return false;
  await inTransaction(hub, async (hub) => {
    await removeMessage(hub, { id: item.message_id });
    await rememberDeletedElsewhere(hub, item.mid, now(hub));
  });
  return true;
}
