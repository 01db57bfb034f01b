import type { DeedOf } from "../../../deeds.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { addressedAgain, addressedElsewhere, invitedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import type { Addressed } from "../../../domain/items/delivery/elsewhere.ts";
import { cardInTime } from "../../../domain/link-cards/make-card.ts";
import { meetMentioned } from "../../../domain/items/posting/meet-mentioned.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import type { ToSend, WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { hostsThatHideUnmentioned } from "../../../domain/peers/software.ts";
import { lookInTime } from "../../../domain/people/look-elsewhere.ts";
import { allowance, isWithin } from "../../../http/allowances.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { activityOf, inviteOf, updateOf } from "../present/activity.ts";
import { lookUpQuietly } from "../retrieve/look-up.ts";
import { renderSaid } from "../said.ts";
import { sayAsForum } from "./say-as-forum.ts";
import { forward } from "./forward.ts";
import { untilSent } from "./until-sent.ts";
import { variantsOf } from "./variants.ts";
import type { Sent } from "./variants.ts";

/** A new post, answer, share or reaction; or one of somebody of elsewhere, which is handed on. */
export function say(hub: Hub, channel: number, { message }: DeedOf<"say">): Promise<void> {
  return tell(hub, channel, message, "", async (found) => {
    const { author, item } = found;
    const addressed = await addressedElsewhere(hub, author, item);
    const plain = await found.written(addressed);
    const card = plain.card ?? (await cardInTime(hub, message));
    const written = await summoning(hub, { ...plain, card }, addressed);
    const said = await renderSaid(hub, observerOf(author), written);
    const of = about(hub, author, written);
    const activity = (readers: readonly string[]) => activityOf(hub, readers, written, said?.(readers));
    const saying = { deed: `create ${item.uuid}`, stage: "first", ...of, activity } as const;
    const invitation = (readers: readonly string[]) => inviteOf(hub, readers, written, said?.(readers));
    const inviting = { deed: `invite ${item.uuid}`, ...of, vouched: "by nothing", activity: invitation } as const;
    return [
      ...(await variantsOf(hub, saying, addressed)),
      ...(await variantsOf(hub, inviting, { how: "people", people: await invitedElsewhere(hub, author, item) })),
    ];
  });
}

/** What was said is another now. */
export function change(hub: Hub, channel: number, { message, stamp }: DeedOf<"change">): Promise<void> {
  return tell(hub, channel, message, stamp, async (found) => {
    const { author, item } = found;
    const addressed = await addressedAgain(hub, author, item);
    const written = await summoning(hub, await found.written(addressed), addressed);
    const said = await renderSaid(hub, observerOf(author), written);
    // A deed goes out once more as it is, when it has got a stamp.
    const activity = (readers: readonly string[]) =>
      said ? updateOf(hub, readers, written, said(readers), stamp) : activityOf(hub, readers, written, undefined);
    const sent = { deed: `update ${item.uuid} ${stamp}`, activity, ...about(hub, author, written) };
    return variantsOf(hub, sent, addressed);
  });
}

/** The same with a mention of each of those named one by one whose hub shows them nothing else (federation contract 5). */
async function summoning(hub: Hub, written: WrittenHere, addressed: Addressed): Promise<WrittenHere> {
  const people = addressed.how === "people" && written.audience === "people" ? addressed.people : [];
  const hiding = await hostsThatHideUnmentioned(hub, [...new Set(people.map(({ host }) => host))]);
  return { ...written, summoned: people.filter(({ host }) => hiding.has(host)) };
}

type Tell = (found: ToSend) => ReturnType<typeof variantsOf>;

/** So many people of elsewhere somebody may have looked up by mentioning them. */
const mentionedBy = allowance({ of: "people mentioned by", perMinute: 10, burst: 50 });

/** What goes out, with those in it whom nobody here knew when it was written. */
async function toSend(hub: Hub, message: number): Promise<ToSend | undefined> {
  const found = await findToSend(hub, message);
  if (!found) return undefined;
  const { author, item } = found;
  const met = await meetMentioned(hub, author, item, async (address) => {
    if (isWithin(mentionedBy, hub, author.channel_address)) await lookInTime(hub, author, address, lookUpQuietly);
  });
  return met ? findToSend(hub, message) : found;
}

/** What stands in the thread of a forum its followers hear from the forum, and others besides from its author. */
async function tell(hub: Hub, channel: number, message: number, stamp: string, outgoing: Tell): Promise<void> {
  const isAnnounced = await sayAsForum(hub, channel, message, stamp);
  await untilSent(message, async () => {
    const found = await toSend(hub, message);
    if (!found) {
      if (!isAnnounced) await forward(hub, channel, message);
      return true;
    }
    const all = await outgoing(found);
    return all.length === 0 || sendMessage(hub, found.item, all);
  });
}

function about(hub: Hub, author: Channel, written: WrittenHere): Pick<Sent, "sender" | "objectId" | "vouched"> {
  const { uuid, item_private, item_thread_top } = written.item;
  // Whoever owns the thread hands it on, and so does a group.
  const goesOn = item_thread_top === 0 || written.group !== undefined;
  const vouched = item_private === 0 ? "fully" : goesOn ? "by proof" : "by nothing";
  return { sender: author, objectId: itemId(hub, uuid), vouched };
}
