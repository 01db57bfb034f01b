import type { DeedOf } from "../../../deeds.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { addressedAgain, addressedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import type { ToSend } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { activityId, idsOf, itemId } from "../ids.ts";
import { activityOf } from "../present/activity.ts";
import { addressing } from "../present/addressing.ts";
import { renderSaid } from "../said.ts";
import { forward } from "./forward.ts";
import { variantsOf } from "./variants.ts";
import type { Sent } from "./variants.ts";

/** A new post, answer, share or reaction; or one of somebody of elsewhere, which is handed on. */
export function say(hub: Hub, channel: number, { message }: DeedOf<"say">): Promise<void> {
  return tell(hub, channel, message, async ({ author, written }, said) => {
    const { item } = written;
    const activity = (readers: readonly string[]) => activityOf(hub, readers, written, said?.(readers));
    const sent = { deed: `create ${item.uuid}`, stage: "first", activity, ...about(hub, { author, written }) } as const;
    return variantsOf(hub, sent, await addressedElsewhere(hub, author, item));
  });
}

/** What was said is another now. */
export function change(hub: Hub, channel: number, { message, stamp }: DeedOf<"change">): Promise<void> {
  return tell(hub, channel, message, async ({ author, written }, said) => {
    const { item, nick } = written;
    if (!said) return [];
    const activity = (readers: readonly string[]): object => ({
      id: `${activityId(hub, item.uuid)}#update-${encodeURIComponent(stamp)}`,
      type: "Update",
      actor: idsOf(hub, nick).actor,
      ...addressing(hub, readers, written),
      object: said(readers),
    });
    const sent = { deed: `update ${item.uuid} ${stamp}`, activity, ...about(hub, { author, written }) };
    return variantsOf(hub, sent, await addressedAgain(hub, author, item));
  });
}

type Said = Awaited<ReturnType<typeof renderSaid>>;
type Tell = (found: ToSend, said: Said) => ReturnType<typeof variantsOf>;

/** Somebody may change it while it is read, and then it is read again. */
const tries = 5;

async function tell(hub: Hub, channel: number, message: number, outgoing: Tell): Promise<void> {
  for (let turn = 0; turn < tries; turn++) {
    const found = await findToSend(hub, message);
    if (!found) return forward(hub, channel, message);
    const { author, written } = found;
    const all = await outgoing(found, await renderSaid(hub, observerOf(author), written));
    if (all.length === 0 || (await sendMessage(hub, written.item, all))) return;
  }
  throw new Error(`Message ${message} changes all the time`);
}

function about(hub: Hub, { author, written }: ToSend): Pick<Sent, "sender" | "objectId" | "vouched"> {
  const { uuid, item_private, item_thread_top } = written.item;
  const vouched = item_private === 0 ? "fully" : item_thread_top === 0 ? "by proof" : "by nothing";
  return { sender: author, objectId: itemId(hub, uuid), vouched };
}
