import type { VoteToSend } from "../../../domain/items/posting/vote.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import { activityId, idsOf, itemId } from "../ids.ts";

/** A vote, as others take it: an answer to the poll that says nothing but the name of the option (federation contract 4.3). */
export function voteOf(hub: Hub, nick: string, asker: string, { uuid, name, created, poll }: VoteToSend): object {
  const { actor } = idsOf(hub, nick);
  const addressed = { to: [asker], cc: [] };
  const object = { id: itemId(hub, uuid), type: "Note", attributedTo: actor, name, inReplyTo: poll.mid, ...addressed };
  return { id: activityId(hub, uuid), type: "Create", actor, published: isoDate(created), ...addressed, object };
}
