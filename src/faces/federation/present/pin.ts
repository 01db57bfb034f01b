import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { everybody } from "../everybody.ts";
import { idsOf, itemId } from "../ids.ts";

/** That a post is on top of somebody's page, or no more (federation contract 4.3). */
export function pinOf(hub: Hub, nick: string, { uuid, pinned, stamp }: Omit<DeedOf<"pin">, "deed">): object {
  const { actor, followers, featured } = idsOf(hub, nick);
  return {
    id: `${featured}#${stamp}`,
    type: pinned ? "Add" : "Remove",
    actor,
    to: [everybody],
    cc: [followers],
    object: itemId(hub, uuid),
    target: featured,
  };
}
