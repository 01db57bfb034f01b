import type { Hub } from "../../../hub.ts";
import { idsOf } from "../ids.ts";

/** What channels tell people of elsewhere about who follows whom (federation contract 1.5); `person` is the id of theirs. */

export type Follow = { nick: string; follow: string; person: string };

/** One of theirs; some follow a post, by its id. */
type Followed = Follow & { post?: string | undefined };

/** The channel asks to receive what they post. */
export function followOf(hub: Hub, { nick, follow, person }: Follow): object {
  return { id: follow, type: "Follow", actor: idsOf(hub, nick).actor, to: [person], object: person };
}

/** It takes that back. */
export function unfollowOf(hub: Hub, follow: Follow): object {
  const { actor } = idsOf(hub, follow.nick);
  return { id: `${follow.follow}#undo`, type: "Undo", actor, to: [follow.person], object: followOf(hub, follow) };
}

/** It answers a follow of theirs, which it names as a whole: some keep none of them. `stamp` tells this answer from others. */
export function answerOf(hub: Hub, type: "Accept" | "Reject", followed: Followed, stamp: string): object {
  const { nick, follow, person, post } = followed;
  const { actor } = idsOf(hub, nick);
  return {
    id: `${actor}#${type.toLowerCase()}-${stamp}`,
    type,
    actor,
    to: [person],
    object: { id: follow, type: "Follow", actor: person, object: post ?? actor },
  };
}
