import type { DeedOf } from "../../../deeds.ts";
import { findVoteToSend } from "../../../domain/items/posting/vote.ts";
import type { Hub } from "../../../hub.ts";
import { itemId } from "../ids.ts";
import { voteOf } from "../present/vote.ts";
import { sendTo } from "./send-to.ts";

/** What somebody has chosen in a poll of elsewhere, for its author alone. */
export async function vote(hub: Hub, channel: number, { message }: DeedOf<"vote">): Promise<void> {
  const found = await findVoteToSend(hub, message);
  if (!found) return;
  const { uuid, poll } = found;
  const deed = { deed: `create ${uuid}`, objectId: itemId(hub, uuid), stage: "first" } as const;
  await sendTo(hub, channel, poll.author, deed, (nick, { actor }) => voteOf(hub, nick, actor, found));
}
