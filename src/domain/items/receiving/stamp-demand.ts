import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { storedJson } from "../../../stored-json.ts";
import { findChannelByXchan } from "../../identity/channels/channels.ts";
import { followersAddressOf } from "../../identity/xchans/actors.ts";
import { isSameId, isSameOrigin } from "../../identity/xchans/foreign-ids.ts";
import { findXchan } from "../../identity/xchans/xchans.ts";
import { keepConsent, mentions } from "../consents.ts";
import { anyCopyOf } from "../find.ts";
import { markOf } from "../metadata.ts";
import { permitsMark } from "../permits.ts";
import type { Permits } from "../permits.ts";
import { findKnownMessage } from "./known-message.ts";
import type { ReceivedPost } from "./received.ts";

/**
 * What an answer of somebody elsewhere needs to stand below a post of somebody else there: a stamp by `author` for `about`. Where it
 * is not `strict`, who answers may be let in as one of a collection that nobody here can look into, and needs to show none.
 */
export type StampDemand = { about: string; author: string; strict: boolean };

/**
 * Does who wrote a post elsewhere want to have stamped this answer (federation contract 7)? Undefined where they let its author
 * answer, where they, or the owner of the thread, hand it on themselves, or in a private thread the owner's hub does, and where the thread
 * is of this hub, which asks its owner.
 */
export async function stampDemanded(
  hub: Hub,
  { mid, author, inReplyTo }: Pick<ReceivedPost, "mid" | "author" | "inReplyTo">,
  handedOnBy: string,
): Promise<StampDemand | undefined> {
  const parent = inReplyTo === undefined ? undefined : await findKnownMessage(hub, inReplyTo);
  if (!parent || parent.nick !== null || parent.author_id === author.xchan_id) return undefined;
  const said = await markOf(hub, parent.id, permitsMark);
  const letIn = said === undefined ? undefined : storedJson<Permits>(said).unasked?.reply;
  const copy = letIn && (await anyCopyOf(hub, parent.id));
  if (!letIn || !copy || copy.owner_id === author.xchan_id || (await findKnownMessage(hub, mid))) return undefined;
  const owner = await findXchan(hub, { id: copy.owner_id });
  const trusted = [parent.author, owner?.xchan_hash ?? ""];
  // What neighbours of the owner say goes to the readers of a private thread from their hub.
  if (owner && copy.item_private !== 0 && isSameOrigin(owner.xchan_hash, handedOnBy)) return undefined;
  if (trusted.some((id) => isSameId(id, handedOnBy)) || (await findChannelByXchan(hub, copy.owner_id)))
    return undefined;
  const isLetIn = letIn.some((id) => isSameId(id, author.xchan_hash));
  if (isLetIn || (await mentions(hub, parent.id, [author.xchan_hash, author.xchan_url]))) return undefined;
  const followers = await followersAddressOf(hub, parent.author_id);
  return {
    about: parent.mid,
    author: parent.author,
    strict: followers === "" || !letIn.some((id) => isSameId(id, followers)),
  };
}

/** Notes the stamp of an answer that was taken, so that it goes when the stamp does. */
export async function keepStamp(hub: Hub, mid: string, stamp: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await findKnownMessage(hub, mid);
    if (known?.nick === null) await keepConsent(hub, known.id, { state: "given", stamp });
  });
}
