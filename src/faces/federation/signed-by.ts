import type { Hub } from "../../hub.ts";
import type { Arrival } from "../../http/arrival.ts";
import { receivedFrom } from "./arrived.ts";
import { findChangedKey, findKey } from "./retrieve/key.ts";
import { verifyRequest } from "./signatures/verify.ts";
import type { FindKey, Verdict } from "./signatures/verify.ts";

/** What more is known of a request. */
export type About = {
  body?: Uint8Array;
  /** By whom it ought to be signed. */
  actor?: string;
  /** How keys are found, where that is not by looking them up. */
  find?: FindKey | undefined;
};

/** Who has signed a request. A key that does not fit any more is looked for once again. */
export async function signedBy(hub: Hub, arrival: Arrival, { body, actor, find }: About = {}): Promise<Verdict> {
  const received = receivedFrom(arrival, hub.config, body);
  const verdict = await verifyRequest(received, hub.clock(), find ?? ((keyId) => findKey(hub, keyId)), actor);
  if (verdict.signed || verdict.keyId === undefined || find) return verdict;
  if (verdict.fault !== "mismatch" && verdict.fault !== "key_unsuited") return verdict;
  const { keyId } = verdict;
  const changed = await findChangedKey(hub, keyId);
  if (!changed) return verdict;
  const findAgain: FindKey = (id) => (id === keyId ? Promise.resolve(changed) : findKey(hub, id));
  return verifyRequest(received, hub.clock(), findAgain, actor);
}
