import { synchronisation, synchronisationOf } from "../synchronisation.ts";
import type { Answer } from "../../../domain/delivery/answers.ts";
import type { Delivery } from "../../../domain/delivery/delivery.ts";
import { senderOf } from "../../../domain/identity/channels/senders.ts";
import type { Sender } from "../../../domain/identity/channels/senders.ts";
import { siteNick } from "../../../domain/identity/channels/site-actor.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { oncePerHub } from "../../../caches.ts";
import { RefusedAddress } from "../../../fetch/fetch.ts";
import type { Hub } from "../../../hub.ts";
import { activityType } from "../document.ts";
import { idsOf, siteIds } from "../ids.ts";
import type { Scheme } from "../signatures/claim.ts";
import { digestsOf, signerOf } from "../signatures/sign.ts";
import type { Digests } from "../signatures/sign.ts";

type Sent = Answer & { asksForMessageSignatures?: boolean };

/**
 * Posts an activity to an inbox, signed by its sender the way that the host takes. Nobody knows which that is at the first contact:
 * then the other way is tried, too, where the first was refused (federation contract 8).
 */
export async function post(hub: Hub, delivery: Delivery): Promise<Answer> {
  const sender = await senderOf(hub, delivery.sender);
  if (!sender) return { scheme: "", fault: "unusable", detail: "The sender has no key" };
  if (await suspended(hub, delivery.host)) return { scheme: "", fault: "unusable", detail: "This hub is blocked here" };
  const first = delivery.scheme === "rfc9421" ? "rfc9421" : "cavage";
  const sent = await send(hub, delivery, sender, first);
  if (!isRefused(sent) || !mayKnockAgain(delivery, sent)) return sent;
  const again = await send(hub, delivery, sender, first === "cavage" ? "rfc9421" : "cavage");
  return isRefused(again) ? sent : again;
}

function isRefused(sent: Sent): boolean {
  return "status" in sent && (sent.status === 401 || sent.status === 403);
}

/** Once for each activity; a host that asks for RFC 9421 gets it whatever is known of it. */
function mayKnockAgain({ scheme, lastError }: Delivery, { scheme: first, asksForMessageSignatures }: Sent): boolean {
  return (scheme === "" && lastError === "") || (asksForMessageSignatures === true && first === "cavage");
}

async function send(hub: Hub, delivery: Delivery, sender: Sender, scheme: Scheme): Promise<Sent> {
  const { inbox, bytes } = delivery;
  const followers = await synchronisationOf(hub, delivery, sender.nick);
  const key = { id: `${actorOf(hub, sender)}#${sender.keyName}`, object: sender.key };
  try {
    const answer = await hub.fetch(inbox, {
      method: "POST",
      purpose: "delivery",
      headers: {
        "content-type": activityType,
        accept: activityType,
        ...(followers !== undefined && { [synchronisation]: followers }),
      },
      body: bytes,
      sign: signerOf(key, scheme, hub.clock, (body) => knownDigests(hub, body)),
    });
    return {
      scheme,
      status: answer.status,
      retryAfter: secondsUntil(hub, answer.headers.get("retry-after")),
      asksForMessageSignatures: answer.status === 401 && answer.headers.has("accept-signature"),
    };
  } catch (error) {
    const detail = error instanceof Error ? messageOf(error) : String(error);
    return { scheme, fault: error instanceof RefusedAddress ? "unusable" : "unreachable", detail };
  }
}

/** What goes to many inboxes is the same bytes for all of them. */
const digests = oncePerHub(() => new WeakMap<Uint8Array, Digests>());

function knownDigests(hub: Hub, body: Uint8Array): Digests {
  const known = digests(hub).get(body) ?? digestsOf(body);
  digests(hub).set(body, known);
  return known;
}

function actorOf(hub: Hub, { nick }: Sender): string {
  return nick === siteNick ? siteIds(hub).actor : idsOf(hub, nick).actor;
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}

/** The header names seconds, or a date. */
function secondsUntil(hub: Hub, retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.ceil((date - hub.clock().getTime()) / 1000);
}
