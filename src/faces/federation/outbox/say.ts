import type { DeedOf } from "../../../deeds.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { addressedAgain, addressedElsewhere, invitedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import type { ToSend } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { activityOf, inviteOf, updateOf } from "../present/activity.ts";
import { renderSaid } from "../said.ts";
import { sayAsForum } from "./say-as-forum.ts";
import { forward } from "./forward.ts";
import { untilSent } from "./until-sent.ts";
import { variantsOf } from "./variants.ts";
import type { Sent } from "./variants.ts";

/** A new post, answer, share or reaction; or one of somebody of elsewhere, which is handed on. */
export function say(hub: Hub, channel: number, { message }: DeedOf<"say">): Promise<void> {
  return tell(hub, channel, message, "", async ({ author, written }, said) => {
    const { item } = written;
    const of = about(hub, { author, written });
    const activity = (readers: readonly string[]) => activityOf(hub, readers, written, said?.(readers));
    const saying = { deed: `create ${item.uuid}`, stage: "first", ...of, activity } as const;
    const invitation = (readers: readonly string[]) => inviteOf(hub, readers, written, said?.(readers));
    const inviting = { deed: `invite ${item.uuid}`, ...of, vouched: "by nothing", activity: invitation } as const;
    return [
      ...(await variantsOf(hub, saying, await addressedElsewhere(hub, author, item))),
      ...(await variantsOf(hub, inviting, { how: "people", people: await invitedElsewhere(hub, author, item) })),
    ];
  });
}

/** What was said is another now. */
export function change(hub: Hub, channel: number, { message, stamp }: DeedOf<"change">): Promise<void> {
  return tell(hub, channel, message, stamp, async ({ author, written }, said) => {
    const { item } = written;
    if (!said) return [];
    const activity = (readers: readonly string[]) => updateOf(hub, readers, written, said(readers), stamp);
    const sent = { deed: `update ${item.uuid} ${stamp}`, activity, ...about(hub, { author, written }) };
    return variantsOf(hub, sent, await addressedAgain(hub, author, item));
  });
}

type Said = Awaited<ReturnType<typeof renderSaid>>;
type Tell = (found: ToSend, said: Said) => ReturnType<typeof variantsOf>;

/** What stands in the thread of a forum its followers hear from the forum, and others besides from its author. */
async function tell(hub: Hub, channel: number, message: number, stamp: string, outgoing: Tell): Promise<void> {
  const isAnnounced = await sayAsForum(hub, channel, message, stamp);
  await untilSent(message, async () => {
    const found = await findToSend(hub, message);
    if (!found) {
      if (!isAnnounced) await forward(hub, channel, message);
      return true;
    }
    const { author, written } = found;
    const all = await outgoing(found, await renderSaid(hub, observerOf(author), written));
    return all.length === 0 || sendMessage(hub, written.item, all);
  });
}

function about(hub: Hub, { author, written }: ToSend): Pick<Sent, "sender" | "objectId" | "vouched"> {
  const { uuid, item_private, item_thread_top } = written.item;
  // Whoever owns the thread hands it on, and so does a group.
  const goesOn = item_thread_top === 0 || written.group !== undefined;
  const vouched = item_private === 0 ? "fully" : goesOn ? "by proof" : "by nothing";
  return { sender: author, objectId: itemId(hub, uuid), vouched };
}
