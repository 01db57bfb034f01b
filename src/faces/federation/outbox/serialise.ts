import { createPrivateKey } from "node:crypto";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { senderOf } from "../../../domain/identity/channels/senders.ts";
import { privateKeysOf } from "../../../domain/identity/xchans/signing.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { signedContext } from "../documents/context.ts";
import { idsOf } from "../ids.ts";
import { withLdSignature } from "../signatures/linked-data.ts";
import { withProof } from "../signatures/proofs.ts";
import type { Json } from "../translate/json.ts";
import { storedJson } from "../../../stored-json.ts";

/** An activity in the bytes in which everybody gets it; `context` says what its words mean. */
export function bytesOf(activity: object, context: readonly unknown[] = signedContext): string {
  return JSON.stringify({ "@context": context, ...activity });
}

/**
 * The same of one that everybody may see, with what vouches for it when somebody else hands it on: an integrity proof, and an LD
 * signature over it (federation contract 8).
 */
export async function vouchedBytesOf(
  hub: Hub,
  actor: Channel,
  activity: object,
  context?: readonly unknown[],
): Promise<string> {
  const document = await proven(hub, actor, activity, context);
  const { actor: id } = idsOf(hub, actor.channel_address);
  const sender = await senderOf(hub, actor.channel_id);
  if (!sender) throw missing("Channel");
  const key = { id: `${id}#${sender.keyName}`, object: sender.key };
  return JSON.stringify(await withLdSignature(hub, document, key, hub.clock()));
}

/**
 * The same of what is said in a thread that not everybody may see: whoever owns it hands it on to people of whom its author's hub
 * knows nothing, so that they have nowhere to ask (federation contract 6.3).
 */
export async function provenBytesOf(hub: Hub, actor: Channel, activity: object): Promise<string> {
  return JSON.stringify(await proven(hub, actor, activity));
}

async function proven(hub: Hub, actor: Channel, activity: object, context?: readonly unknown[]) {
  const { actor: id } = idsOf(hub, actor.channel_address);
  const { ed25519 } = await privateKeysOf(hub, actor.channel_id);
  // As plain JSON, without what is undefined.
  const document = storedJson<{ [key: string]: Json }>(bytesOf(activity, context));
  if (ed25519 === "") return document;
  return withProof(document, { id: `${id}#ed25519-key`, object: createPrivateKey(ed25519) }, hub.clock());
}
