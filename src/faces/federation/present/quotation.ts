import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { activityId, approvalId, idsOf, itemId } from "../ids.ts";

/** That somebody's post may quote one of the channel's (FEP-044f): the stamp, as whoever checks it reads it. */
export function stampOf(
  hub: Hub,
  nick: string,
  { approval, quoting, post }: Pick<DeedOf<"quoted">, "approval" | "quoting" | "post">,
): object {
  return {
    id: approvalId(hub, approval),
    type: "QuoteAuthorization",
    attributedTo: idsOf(hub, nick).actor,
    interactingObject: quoting,
    interactionTarget: itemId(hub, post),
  };
}

/** The answer to whoever has asked whether they may quote something; `person` is their id, `stamp` tells it from other answers. */
export function quoteAnswerOf(
  hub: Hub,
  nick: string,
  { request, post, quoting, approval }: Pick<DeedOf<"quoted">, "request" | "post" | "quoting" | "approval">,
  person: string,
  stamp: string,
): object {
  const { actor } = idsOf(hub, nick);
  const type = approval === "" ? "Reject" : "Accept";
  return {
    id: `${actor}#${type.toLowerCase()}-${stamp}`,
    type,
    actor,
    to: [person],
    object: { id: request, type: "QuoteRequest", actor: person, object: itemId(hub, post), instrument: quoting },
    ...(approval !== "" && { result: approvalId(hub, approval) }),
  };
}

/** That it may not any more. */
export function revocationOf(hub: Hub, nick: string, approval: string, person: string): object {
  const object = approvalId(hub, approval);
  return { id: `${object}#delete`, type: "Delete", actor: idsOf(hub, nick).actor, to: [person], object };
}

/** Somebody here asks whether their post, which is sent along, may quote one of `person`; `stamp` tells this from other requests. */
export function quoteRequestOf(
  hub: Hub,
  nick: string,
  { uuid, quoted, stamp }: { uuid: string; quoted: string; stamp: string },
  person: string,
  instrument: object,
): object {
  const id = `${activityId(hub, uuid)}#quote-${stamp}`;
  return { id, type: "QuoteRequest", actor: idsOf(hub, nick).actor, to: [person], object: quoted, instrument };
}
