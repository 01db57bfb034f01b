import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { isHere } from "../../../domain/identity/xchans/web-url.ts";
import { findPeer } from "../../../domain/peers/peers.ts";
import { knownScheme } from "../../../domain/peers/schemes.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { AskedTooFast, BudgetSpent, NotYet, RefusedAddress, UnusableAnswer } from "../../../fetch/fetch.ts";
import type { FetchOptions } from "../../../fetch/fetch.ts";
import type { Hub } from "../../../hub.ts";
import type { Scheme } from "../signatures/claim.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { signingAs } from "./signing-as.ts";
import { isDocumentType } from "../document-types.ts";

/** Where a document was asked for and found, and what it says to be; fits `Ways` of authority.ts. */
export type Fetched = { asked: string; at: string; type: string };

/** Why a document cannot be had; with `unavailable` it may be there later, and with `unasked` too much else was asked for. */
export type RetrieveFault = "gone" | "refused" | "unavailable" | "unasked" | "unusable";

/** A document that is there. */
export type Found = { node: Node; bytes: Uint8Array; fetched: Fetched };

export type Retrieved = Found | { fault: RetrieveFault };

export type RetrieveOptions = {
  /** Somebody asks by hand: it is tried although it failed lately. */
  byHand?: boolean;
  signal?: AbortSignal;
};

const accept = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

/**
 * The document at this id, asked for in the name of the channel, else of the site (federation contract 10). Nothing of it has
 * been judged (9). Throws NotYet. Documents of this hub, and of hubs with which the site has nothing to do, are not asked for.
 */
export async function retrieve(
  hub: Hub,
  id: string,
  reader?: Channel,
  options: RetrieveOptions = {},
): Promise<Retrieved> {
  if (!isForeignId(id) || isHere(hub, id) || (await suspended(hub, new URL(id).host))) return { fault: "refused" };
  try {
    const answer = await askAs(hub, id.replace(/#.*$/s, ""), reader, { headers: { accept }, ...options });
    if (answer.status !== 200) return { fault: faultOf(answer.status) };
    const fetched = { asked: id, at: answer.url || id, type: answer.headers.get("content-type") ?? "" };
    if (!isDocumentType(fetched.type)) return { fault: "unusable" };
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const read = readJson(bytes);
    const node = "value" in read ? Node.of(read.value) : undefined;
    return node ? { node, bytes, fetched } : { fault: "unusable" };
  } catch (error) {
    if (error instanceof NotYet) throw error;
    hub.log.debug("{id} could not be fetched: {error}", { id, error });
    return { fault: faultIn(error) };
  }
}

/**
 * Asks in the name of the channel, else of the site, signed the way that the host takes. Who does not take it may take the other one,
 * and of whom nobody knows which they take may refuse it as forbidden (federation contract 8). What is answered to that is no proof
 * that signatures are understood, so nothing is remembered.
 */
export async function askAs(
  hub: Hub,
  url: string,
  reader: Channel | undefined,
  options: FetchOptions,
): Promise<Response> {
  const ask = async (scheme: Scheme): Promise<Response> =>
    hub.fetch(url, { ...options, ...(await signingAs(hub, reader, scheme)) });
  const peer = await findPeer(hub, new URL(url).host);
  const known = peer ? knownScheme(hub, peer) : "";
  const [first, other] = known === "rfc9421" ? (["rfc9421", "cavage"] as const) : (["cavage", "rfc9421"] as const);
  const answer = await ask(first);
  if (answer.status !== 401 && (answer.status !== 403 || known !== "")) return answer;
  await answer.body?.cancel();
  return ask(other);
}

function faultOf(status: number): RetrieveFault {
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || status === 403) return "refused";
  return status >= 500 || [408, 425, 429].includes(status) ? "unavailable" : "unusable";
}

function faultIn(error: unknown): RetrieveFault {
  if (error instanceof BudgetSpent || error instanceof AskedTooFast) return "unasked";
  if (error instanceof RefusedAddress) return "refused";
  return error instanceof UnusableAnswer ? "unusable" : "unavailable";
}
