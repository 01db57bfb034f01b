import { createHash } from "node:crypto";
import { findMet } from "../../../domain/identity/xchans/actors.ts";
import { isSameId, isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { recordArrival } from "../../../domain/delivery/arrivals.ts";
import { meetLater } from "../../../domain/peers/meet-actor.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { findReachable } from "../../../domain/people/reachable.ts";
import type { Hub } from "../../../hub.ts";
import { addressOf } from "../../../http/arrival.ts";
import type { Arrival } from "../../../http/arrival.ts";
import { countDelivery, countDeliveryOf, countFailedSignature } from "../rate-limits.ts";
import { findKnownKey } from "../retrieve/key.ts";
import { signedBy } from "../signed-by.ts";
import { faults } from "../signatures/faults.ts";
import type { FindKey, Verdict } from "../signatures/verify.ts";
import { readActivity } from "../translate/activity.ts";
import type { Activity } from "../translate/activity.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { readBytes } from "./body.ts";
import { effects } from "./effects.ts";
import { isRequest } from "../interactions.ts";
import { heedSynchronisation, synchronisation } from "../synchronisation.ts";
import { objectIdOf } from "./incoming.ts";

/** What a delivery is answered with; `error` is for whoever looks at why it was not taken. */
export type Answer = { status: number; error?: string; headers?: Readonly<Record<string, string>> };

/** It was taken, or nothing will come of it: nobody needs to send it again. */
const taken: Answer = { status: 202 };

/**
 * Takes what another hub delivers, for one channel or for all (federation contract 12.3). Whatever is cheap to find out is found
 * out first, nothing is believed before the signature holds, and it is on the disk before it is answered. Throws too-large,
 * too-many, unsupported and unavailable.
 */
export async function takeDelivery(hub: Hub, arrival: Arrival, nick: string | undefined): Promise<Answer> {
  const recipients: number[] = [];
  if (nick !== undefined) {
    const found = await findReachable(hub, nick);
    if (!found) return { status: 404, error: "Not found" };
    if (found.gone) return { status: 410, error: "Gone" };
    recipients.push(found.channel.channel_id);
  }
  if (arrival.request.method !== "POST") return otherMethod(arrival.request.method);
  const bytes = await readBytes(arrival);
  const address = addressOf(arrival, hub.config);
  countDelivery(hub, address);
  const delivery = readDelivery(bytes);
  if (!("activity" in delivery)) return delivery;
  const { activity } = delivery;
  if (await suspended(hub, new URL(activity.actor).host)) return { status: 403, error: "This hub is blocked here" };
  const verdict = await judge(hub, arrival, bytes, activity);
  if (verdict === "nothing") return taken;
  if (!verdict.signed) return refused(hub, address, verdict);
  const { host } = new URL(verdict.owner);
  if (await suspended(hub, host)) return { status: 403, error: "This hub is blocked here" };
  countDeliveryOf(hub, host);
  const { owner: signer, scheme } = verdict;
  await recordArrival(hub, { ...namesOf(delivery), signer, scheme, bytes, recipients });
  if (isSameId(signer, activity.actor))
    await heedSynchronisation(hub, signer, arrival.request.headers.get(synchronisation));
  return taken;
}

const allow = "POST, OPTIONS";

function otherMethod(method: string): Answer {
  if (method === "OPTIONS") return { status: 204, headers: { allow } };
  return { status: 405, error: "Activities are delivered by POST", headers: { allow } };
}

type Delivery = { activity: Activity; node: Node; bytes: Uint8Array };

/** The activity in these bytes; or what is answered where there is none. Types that do nothing here are no fault of the sender. */
function readDelivery(bytes: Buffer): Delivery | Answer {
  const read = readJson(bytes);
  if ("fault" in read) return { status: 400, error: jsonFaults[read.fault] };
  const node = Node.of(read.value);
  const actors = node?.ids("actor");
  if (!node || actors?.length !== 1) return { status: 400, error: "The activity has no actor that can be read" };
  const activity = readActivity(node);
  if (activity === "no_type") return taken;
  if (typeof activity === "string") return { status: 400, error: "The id of the activity cannot be read" };
  if (!Object.hasOwn(effects, activity.type)) return taken;
  if (activity.id !== undefined && !isSameOrigin(activity.id, activity.actor)) return taken;
  return { activity, node, bytes };
}

const jsonFaults = {
  not_json: "The body is no JSON",
  too_deep: "The JSON is too deep",
  too_many_nodes: "The JSON has too many values",
};

/**
 * Whose delivery it is. Servers tell everybody of everyone who has left: where the hub knows nothing of them, nothing will come of
 * it, and nobody is asked for their key. Whoever took the key along is asked for later, as their own address knows whether they are gone.
 */
async function judge(hub: Hub, arrival: Arrival, body: Uint8Array, activity: Activity): Promise<Verdict | "nothing"> {
  const { actor } = activity;
  if (activity.type !== "Delete" || !isSameId(objectIdOf(activity) ?? "", actor))
    return signedBy(hub, arrival, { body, actor });
  const known = await findMet(hub, actor);
  const find: FindKey | undefined = known && !known.gone ? undefined : (keyId) => findKnownKey(hub, keyId);
  const verdict = await signedBy(hub, arrival, { body, actor, find });
  if (verdict.signed) return verdict;
  const hasNoKey = verdict.fault === "key_gone" && isSameOrigin(verdict.keyId ?? "", actor);
  if (find) return hasNoKey || verdict.fault === "key_unavailable" ? "nothing" : verdict;
  if (!hasNoKey) return verdict;
  await meetLater(hub, actor);
  return "nothing";
}

const acceptSignature = 'sig1=("@method" "@target-uri" "content-digest");created;keyid;alg="rsa-v1_5-sha256"';

function refused(hub: Hub, address: string, { fault }: Extract<Verdict, { signed: false }>): Answer {
  const error = faults[fault];
  if (fault === "key_unavailable") return { status: 503, error, headers: { "retry-after": "60" } };
  countFailedSignature(hub, address);
  return { status: 401, error, headers: { "accept-signature": acceptSignature } };
}

/** By which names it is kept: what is about one object, or in one thread, takes effect one after the other. */
function namesOf({ activity, node, bytes }: Delivery): { activityId: string; objectId: string; threadId?: string } {
  const activityId = activity.id ?? `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const [written] = node.nodes("object");
  const threadId = written?.oneId("context") ?? written?.oneId("conversation");
  // What is asked for may come by itself as well.
  const [asked] = isRequest(activity.type) ? activity.instruments : [];
  const askedId = typeof asked === "string" ? asked : asked?.id;
  return {
    activityId,
    objectId: askedId ?? objectIdOf(activity) ?? activityId,
    ...(threadId !== undefined && { threadId }),
  };
}
