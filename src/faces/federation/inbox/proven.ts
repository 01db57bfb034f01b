import { findActorKey } from "../../../domain/identity/xchans/actor-keys.ts";
import { isSameId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { oncePerHub } from "../../../caches.ts";
import type { Hub } from "../../../hub.ts";
import { metActor } from "../retrieve/actor.ts";
import type { Fault } from "../signatures/faults.ts";
import { ldClaim } from "../signatures/linked-data.ts";
import { proofClaim } from "../signatures/proofs.ts";
import { PublicKeys } from "../signatures/public-keys.ts";
import type { PublicKey } from "../signatures/public-keys.ts";
import type { Json } from "../translate/json.ts";

type Document = { [key: string]: Json };

const parsedKeys = oncePerHub(() => new PublicKeys(1000));

/**
 * What of a document holds because its actor vouches for it, whoever brought it: all of it by an integrity proof, or what an LD
 * signature covers (federation contract 8). Undefined where nobody vouches for anything. May throw where that cannot be found out now.
 */
export async function provenPart(hub: Hub, document: Document, actor: string): Promise<Document | undefined> {
  const proof = await proofClaim(document);
  if (typeof proof === "object") return (await isBy(hub, proof, actor)) ? document : undefined;
  const signature = await ldClaim(hub, document);
  if (typeof signature === "string" || !(await isBy(hub, signature, actor))) return undefined;
  return signature.document;
}

type Claim = { keyId: string; faultBy(key: PublicKey): Fault | undefined };

async function isBy(hub: Hub, { keyId, faultBy }: Claim, actor: string): Promise<boolean> {
  // Who is not known yet brings the keys along.
  const known = (await findActorKey(hub, keyId)) ?? ((await metActor(hub, actor)) && (await findActorKey(hub, keyId)));
  const key = known && isSameId(known.owner, actor) ? parsedKeys(hub).parse(known.key) : undefined;
  return key !== undefined && faultBy(key) === undefined;
}
