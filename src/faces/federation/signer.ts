import { heardFrom } from "../../domain/delivery/heard.ts";
import { findForeignObserver } from "../../domain/identity/channels/foreign-observer.ts";
import { isNobody, nobodyHere, observerUnmet } from "../../domain/identity/channels/observer.ts";
import type { Observer } from "../../domain/identity/channels/observer.ts";
import { findMet } from "../../domain/identity/xchans/actors.ts";
import { readsForHost } from "../../domain/peers/software.ts";
import { suspended } from "../../domain/peers/site-blocks.ts";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Arrival } from "../../http/arrival.ts";
import { countReadOf } from "./rate-limits.ts";
import { findKnownKey, signsForServer } from "./retrieve/key.ts";
import { signedBy } from "./signed-by.ts";
import type { Verdict } from "./signatures/verify.ts";
import { once } from "../../once.ts";

/** Who reads a document. Each is found out when it is first asked for. */
export type Reader = {
  /** The host that has signed the request, where the hub knows the key. */
  host: string | undefined;
  /** Somebody without an identity, as this site lets them look. */
  anybody(): Promise<Observer>;
  /** The same as `observer` where it is found without asking others; to look ahead. Undefined where it is not. */
  known: (() => Promise<Observer>) | undefined;
  /** Whoever has signed the request. Throws denied for those of hubs with which the site has nothing to do. */
  observer(): Promise<Observer>;
  /** The host whose actor has signed the request, also one who reads for all of it. Throws like `observer`. */
  signingHost(): Promise<string | undefined>;
  /** Has anybody signed it, also one who reads for a whole server? Throws like `observer`. */
  signed(): Promise<boolean>;
};

type Signed = Extract<Verdict, { signed: true }>;

/**
 * As whom somebody reads who has signed the request (federation contract 8.3). A signature that does not hold counts as none, and
 * so does that of an actor who reads for a whole server. A key that the hub does not know is looked up where it matters who reads.
 * Throws denied like `observer`.
 */
export async function readerOf(hub: Hub, arrival: Arrival): Promise<Reader> {
  const verdict = await signedBy(hub, arrival, { find: (keyId) => findKnownKey(hub, keyId) });
  if (verdict.signed) {
    await refuseSuspended(hub, verdict);
    await heardFrom(hub, new URL(verdict.owner).host, verdict.scheme);
  }
  const anybody = once(() => nobodyHere(hub));
  const final = once(async () => {
    const found = isDoubtful(verdict) ? await signedBy(hub, arrival) : verdict;
    if (found.signed && found !== verdict) await refuseSuspended(hub, found);
    if (!found.signed && found.fault !== "unsigned") hub.log.debug("A signature was not taken: {fault}", { ...found });
    return found;
  });
  const observer = once(async () => {
    const found = await final();
    return (found.signed && (await observerOf(hub, found))) || anybody();
  });
  const host = verdict.signed ? new URL(verdict.owner).host : undefined;
  const signingHost = async (): Promise<string | undefined> => {
    const found = await final();
    return found.signed ? new URL(found.owner).host : undefined;
  };
  const known = verdict.signed ? observer : undefined;
  return { host, anybody, known, observer, signingHost, signed: async () => (await final()).signed };
}

/**
 * The same for what is no document: media, and pages. Undefined where nobody has signed. Throws denied like `readerOf`, and
 * too-many for a host that asks too often.
 */
export async function signerOf(hub: Hub, arrival: Arrival): Promise<Observer | undefined> {
  const { headers } = arrival.request;
  if (!headers.has("signature") && !/^signature\b/i.test(headers.get("authorization") ?? "")) return undefined;
  const { host, observer } = await readerOf(hub, arrival);
  if (host !== undefined) countReadOf(hub, host);
  return observer();
}

/** The hub does not know the key, or not the one that is in use by now. */
function isDoubtful(verdict: Verdict): boolean {
  return !verdict.signed && ["key_unavailable", "key_unsuited", "mismatch"].includes(verdict.fault);
}

async function refuseSuspended(hub: Hub, { owner }: Signed): Promise<void> {
  if (await suspended(hub, new URL(owner).host)) throw refusal("host_suspended");
}

async function observerOf(hub: Hub, { owner, keyId }: Signed): Promise<Observer | undefined> {
  const observer = await findForeignObserver(hub, owner);
  if (!isNobody(observer)) return observer;
  // Of those who are known, and nobody all the same, the hub knows why.
  if (signsForServer(hub, keyId) || (await findMet(hub, owner)) || (await readsForHost(hub, owner))) return undefined;
  return observerUnmet(owner);
}
