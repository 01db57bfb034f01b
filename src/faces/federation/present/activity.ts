import type { Observer } from "../../../domain/identity/channels/observer.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { reactionEmoji, reactionOf } from "../../../domain/items/vocabulary.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import { activityId, idsOf, objectId } from "../ids.ts";
import { addressing } from "./addressing.ts";

/** What somebody did: wrote something (`object` says what), shared something as it is, or reacted (federation contract 4.3). */
export function activityOf(
  hub: Hub,
  observer: Observer,
  written: WrittenHere,
  object: object | undefined,
): object | undefined {
  const { item, nick, parent, shared } = written;
  const deed = (type: string, about: object | string, more: object = {}): object => ({
    id: activityId(hub, item.uuid),
    type,
    actor: idsOf(hub, nick).actor,
    published: isoDate(item.created),
    ...addressing(hub, observer, written),
    object: about,
    ...more,
  });
  const reaction = reactionOf(item.verb);
  if (reaction !== undefined) return parent && reacting(deed, reaction, objectId(hub, parent));
  if (object) return deed("Create", object);
  return shared && deed("Announce", objectId(hub, shared));
}

type Deed = (type: string, about: string, more?: object) => object;

const types: Readonly<Record<string, string>> = {
  like: "Like",
  dislike: "Dislike",
  attendyes: "Accept",
  attendno: "Reject",
  attendmaybe: "TentativeAccept",
};

/** Votes are told to those who ask for them alone, and so are none of these. */
function reacting(deed: Deed, reaction: string, target: string): object | undefined {
  const emoji = reactionEmoji(reaction);
  if (emoji !== undefined) return deed("EmojiReact", target, { content: emoji });
  const type = types[reaction];
  return type === undefined ? undefined : deed(type, target);
}
