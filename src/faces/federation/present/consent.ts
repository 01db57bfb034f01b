import type { Interaction } from "../../../domain/items/approvals.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { Hub } from "../../../hub.ts";
import { interactions } from "../interactions.ts";
import { activityId, approvalId, idsOf, itemId } from "../ids.ts";

/** A stamp: of what kind, for what of somebody's (`act`, by its id), and on which post of the channel's. */
type Stamp = { approval: string; kind: Interaction; act: string; post: string };

/** That somebody's post may quote one of the channel's, answer it and so on (FEP-044f): the stamp, as whoever checks it reads it. */
export function stampOf(hub: Hub, nick: string, { approval, kind, act, post }: Stamp): object {
  return {
    id: approvalId(hub, approval),
    type: interactions[kind].stamp,
    attributedTo: idsOf(hub, nick).actor,
    interactingObject: act,
    interactionTarget: itemId(hub, post),
  };
}

/** The stamp of something that was done here, where it has one, in this spelling and an older one. */
export function stampFields({ stamp }: Pick<WrittenHere, "stamp">, kind: Interaction): object {
  return stamp === undefined ? {} : { [interactions[kind].bears]: stamp, approvedBy: stamp };
}

/** Whether something of somebody's may stand; `request` is empty where they have not asked. */
type Verdict = Stamp & { request: string; accepted: boolean };

/** It, for whoever has asked, or has done it; `person` is their id, `stamp` tells it from other answers. */
export function verdictOf(
  hub: Hub,
  nick: string,
  { request, kind, post, act, accepted, approval }: Verdict,
  person: string,
  stamp: string,
): object {
  const { actor } = idsOf(hub, nick);
  const type = accepted ? "Accept" : "Reject";
  const asked = { type: interactions[kind].request, actor: person, object: itemId(hub, post), instrument: act };
  return {
    id: `${actor}#${type.toLowerCase()}-${stamp}`,
    type,
    actor,
    to: [person],
    object: request === "" ? act : { id: request, ...asked },
    ...(approval !== "" && { result: approvalId(hub, approval) }),
  };
}

/** That it may not any more. */
export function revocationOf(hub: Hub, nick: string, approval: string, person: string): object {
  const object = approvalId(hub, approval);
  return { id: `${object}#delete`, type: "Delete", actor: idsOf(hub, nick).actor, to: [person], object };
}

/** What somebody here asks for: by which message, for what post; `stamp` tells this from other requests. */
type Asking = { uuid: string; kind: Interaction; about: string; stamp: string };

/** Somebody here asks whether what they did, which is sent along, may stand with a post of `person`. */
export function requestOf(
  hub: Hub,
  nick: string,
  { uuid, kind, about, stamp }: Asking,
  person: string,
  instrument: object,
): object {
  const id = `${activityId(hub, uuid)}#${kind}-${stamp}`;
  const type = interactions[kind].request;
  return { id, type, actor: idsOf(hub, nick).actor, to: [person], object: about, instrument };
}
