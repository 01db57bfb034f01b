import type { Hub } from "../../../hub.ts";
import { historyId, idsOf } from "../ids.ts";

/** Something that somebody did in a thread: how it came, which version of what, and the thread by its uuid. */
type Addition = { thread: string; version: string; object: object };

/** That the owner of a thread adds it to the thread's container (FEP-171b). */
export function additionOf(
  hub: Hub,
  nick: string,
  { thread, version, object }: Addition,
  readers: readonly string[],
): object {
  const { actor } = idsOf(hub, nick);
  const target = { id: historyId(hub, thread), type: "OrderedCollection", attributedTo: actor };
  return { id: `${actor}#add-${encodeURIComponent(version)}`, type: "Add", actor, to: [...readers], object, target };
}
