import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { isoDate } from "../../../http/dates.ts";
import { everybody } from "../everybody.ts";
import { activityId, conversationId, idsOf, itemId } from "../ids.ts";
import { reactingBy } from "./activity.ts";
import { isFormerKind } from "./tombstone.ts";

/**
 * That something is gone: Delete for what was said, Undo for what was done (federation contract 4.3). Only what everybody could
 * see says for whom it was. Undefined for what was told to nobody.
 */
export function withdrawalOf(hub: Hub, nick: string, deed: DeedOf<"withdraw">): object | undefined {
  const { uuid, kind, about, moment, wasPublic } = deed;
  const { actor } = idsOf(hub, nick);
  const id = activityId(hub, uuid);
  const addressed = wasPublic ? { to: [everybody] } : {};
  if (isFormerKind(kind)) {
    // As one word, what it was cannot be signed as JSON-LD; whoever asks for the id is told.
    const object = { id: itemId(hub, uuid), type: "Tombstone", deleted: isoDate(moment) };
    return { id: `${id}#delete`, type: "Delete", actor, ...addressed, object };
  }
  const done = kind === "share" ? { type: "Announce", more: {} } : reactingBy(hub, kind);
  if (!done) return undefined;
  const object = { id, type: done.type, actor, object: about, ...done.more };
  return { id: `${id}#undo`, type: "Undo", actor, ...addressed, object };
}

/** That something is not in a thread of this hub any more: in the words that members of groups know, or those of other threads. */
export function removalOf(
  hub: Hub,
  nick: string,
  type: "Delete" | "Remove",
  { object, thread, moment, wasPublic }: DeedOf<"remove">,
): object {
  const target = conversationId(hub, thread);
  const digest = createHash("sha256").update(`${object} ${moment}`).digest("base64url").slice(0, 22);
  const addressed = wasPublic ? { to: [everybody] } : {};
  return {
    id: `${target}#${type.toLowerCase()}-${digest}`,
    type,
    actor: idsOf(hub, nick).actor,
    ...addressed,
    object,
    ...(type === "Remove" && { target }),
  };
}
