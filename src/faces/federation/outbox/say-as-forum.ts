import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { addressedByForum } from "../../../domain/items/delivery/elsewhere.ts";
import type { Addressed } from "../../../domain/items/delivery/elsewhere.ts";
import { inForum } from "../../../domain/items/delivery/in-forum.ts";
import type { InForum } from "../../../domain/items/delivery/in-forum.ts";
import { findCame } from "../../../domain/items/foreign-documents.ts";
import { sendMessage } from "../../../domain/items/sent-to.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import { reactionOf } from "../../../domain/items/vocabulary.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { itemId } from "../ids.ts";
import { activityOf, updateOf } from "../present/activity.ts";
import { forumAnnounce } from "../present/forum-announce.ts";
import { renderSaid } from "../said.ts";
import { isActivity } from "./forward.ts";
import { provenBytesOf } from "./serialise.ts";
import { untilSent } from "./until-sent.ts";
import { variantsOf } from "./variants.ts";

/**
 * Has a forum tell those who have its threads what somebody else has said or done there, or changed since: the activity as it came,
 * and of a post that everybody may see the post besides, for hubs that understand that alone (FEP-1b12; federation contract 6.5).
 * Answers whether it is something in a thread of this forum; `stamp` tells a change from others.
 */
export async function sayAsForum(hub: Hub, channel: number, message: number, stamp: string): Promise<boolean> {
  let isInForum = false;
  await untilSent(message, async () => {
    const inside = await inForum(hub, channel, message);
    isInForum = inside !== undefined;
    if (!inside) return true;
    const all = await outgoing(hub, inside, stamp);
    return all.length === 0 || sendMessage(hub, inside.item, all);
  });
  return isInForum;
}

async function outgoing(hub: Hub, { forum, item }: InForum, stamp: string): ReturnType<typeof variantsOf> {
  const to = await addressedByForum(hub, { forum, item });
  const told = await toldOf(hub, { forum, item }, to, stamp);
  const isHere = told?.isHere ?? false;
  const about = { sender: forum, objectId: isHere ? itemId(hub, item.uuid) : item.mid, vouched: "by nothing" } as const;
  const version = stamp === "" ? `${item.uuid} ${item.revision}` : `${item.uuid} ${stamp}`;
  const inAnnounce = (name: string, object: object | string, readers: readonly string[]): object =>
    forumAnnounce(
      hub,
      forum,
      { name, isPublic: item.item_private === 0, isForFollowers: to.how === "everyone", readers },
      object,
    );
  const activity = async (readers: readonly string[]): Promise<object | undefined> => {
    const object = await told?.activity(readers);
    return object && inAnnounce(version, object, readers);
  };
  const wrapped = await variantsOf(hub, { ...about, deed: `announce ${version}`, activity }, to);
  if (stamp !== "" || item.item_thread_top === 0 || item.item_private !== 0) return wrapped;
  const alone = (readers: readonly string[]): object => inAnnounce(item.uuid, about.objectId, readers);
  return [...wrapped, ...(await variantsOf(hub, { ...about, deed: `announce ${item.uuid}`, activity: alone }, to))];
}

type Told = { isHere: boolean; activity: (readers: readonly string[]) => Promise<object | undefined> };

/** What somebody of this hub did, with their proof; what somebody else did, as it came. Undefined where it was found and not sent. */
async function toldOf(hub: Hub, { forum, item }: InForum, to: Addressed, stamp: string): Promise<Told | undefined> {
  const found = await findToSend(hub, item.message_id, forum.channel_id);
  if (!found) {
    const document = (await findCame(hub, item.message_id))?.document;
    if (document === undefined || !isActivity(document)) return undefined;
    return { isHere: false, activity: () => Promise.resolve(storedJson<object>(document)) };
  }
  const { author } = found;
  const written = await found.written(to);
  const said = await renderSaid(hub, observerOf(author), written);
  if (!said && reactionOf(item.verb) === undefined) return undefined;
  return {
    isHere: true,
    async activity(readers) {
      const object = said?.(readers);
      const activity =
        stamp !== "" && object
          ? updateOf(hub, readers, written, object, stamp)
          : activityOf(hub, readers, written, object);
      return activity && storedJson<object>(await provenBytesOf(hub, author, activity));
    },
  };
}
