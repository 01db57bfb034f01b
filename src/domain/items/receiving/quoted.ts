import type { Hub } from "../../../hub.ts";
import { approvalOf } from "../approvals.ts";
import { shareOf } from "../posting/share.ts";
import { findOriginal } from "./receive-share.ts";
import type { ReceivedPost } from "./received.ts";

/** A public post that is here and that another one quotes. */
export type Quoted = NonNullable<ReceivedPost["quoted"]> & { author_id: number };

/** It, by its id; undefined where it is not here, or not for everybody. */
export async function findQuoted(hub: Hub, id: string): Promise<Quoted | undefined> {
  const original = await findOriginal(hub, id);
  if (original === undefined || original === "private") return undefined;
  return { id: original.id, author_id: original.author_id, share: await shareOf(hub, original) };
}

/** Has its author, who is of this hub, stamped the quotation with this one? */
export async function isStampedHere(hub: Hub, quoted: Quoted, quoting: string, stamp: string): Promise<boolean> {
  const given = await approvalOf(hub, quoted.id, "quote", quoting);
  return given?.isRevoked === false && stamp === `${hub.config.baseUrl}/approval/${given.uuid}`;
}
