import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { idsOf, isUnnamed, itemId } from "../ids.ts";

/** That somebody may come to an event, or may not; `person` is the id of theirs, and `stamp` tells this answer from others. */
export function joinAnswerOf(
  hub: Hub,
  nick: string,
  { join, event, accepted }: Pick<DeedOf<"joined">, "join" | "event" | "accepted">,
  person: string,
  stamp: string,
): object {
  const { actor } = idsOf(hub, nick);
  const type = accepted ? "Accept" : "Reject";
  const named = !isUnnamed(join) && { id: join };
  const object = { ...named, type: "Join", actor: person, object: itemId(hub, event) };
  return { id: `${actor}#${type.toLowerCase()}-${stamp}`, type, actor, to: [person], object };
}
