import type { Hub } from "../../hub.ts";
import { unlessMissing } from "../../errors.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { findOwnItem, findVisibleItem } from "../items/find.ts";
import { findKnownMessage } from "../items/receiving/known-message.ts";

/** Media of what is for some are seen by whoever sees the item, or has got the message, that shows them (federation contract 14). */

/** How an address of media names a message from elsewhere: each recipient has one of their own. */
export function mailAsShown(channelId: number, mid: string): string {
  return `${channelId} ${mid}`;
}

/** The channel by whose copy the observer sees what an address of media names; undefined where they see none. */
export async function channelShowing(hub: Hub, observer: Observer, shownIn: string): Promise<number | undefined> {
  const [, recipient, mid = shownIn] = /^(\d+) (.*)$/s.exec(shownIn) ?? [];
  if (recipient === undefined) return channelWithItem(hub, observer, mid);
  if (observer.channelId !== Number(recipient)) return undefined;
  const mail = await hub.db
    .selectFrom("mail")
    .select("channel_id")
    .where("channel_id", "=", observer.channelId)
    .where("mid", "=", mid)
    .where("mail_deleted", "=", 0)
    .where("mail_recalled", "=", 0)
    .executeTakeFirst();
  return mail?.channel_id;
}

/** What an import brought under that id shows nothing; what waits to be let in shows it to whose copy it is. */
async function channelWithItem(hub: Hub, observer: Observer, mid: string): Promise<number | undefined> {
  const message = await findKnownMessage(hub, mid);
  if (!message || message.item_verified === 0) return undefined;
  const ref = { messageId: message.id };
  const own = observer.channelId > 0 ? await findOwnItem(hub, observer.channelId, ref) : undefined;
  if (own?.item_deleted === 0) return own.uid;
  return (await unlessMissing(findVisibleItem(hub, observer, ref)))?.uid;
}
