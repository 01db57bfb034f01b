import { isNobody } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findWrittenHere } from "../../../domain/items/timelines/written-here.ts";
import type { WrittenHere } from "../../../domain/items/timelines/written-here.ts";
import { missing } from "../../../errors.ts";
import type { Question } from "../address.ts";

/** The uuid in an address. Throws missing for what can be none. */
export function uuidIn({ uuid = "" }: Question["params"]): string {
  if (!/^[\w.-]{1,100}$/.test(uuid)) throw missing("Item");
  return uuid;
}

/**
 * What everybody may see is the same for all; anything else is as whoever signed the request sees it, and so is everything where
 * all have to sign. Throws missing.
 */
export async function findSaid(
  { hub, anybody, observer, forSigners }: Question,
  uuid: string,
): Promise<[WrittenHere, Observer]> {
  const open = forSigners ? undefined : await findWrittenHere(hub, await anybody(), uuid);
  if (open) return [open, await anybody()];
  const signer = await observer();
  if (!forSigners && isNobody(signer)) throw missing("Item");
  const found = await findWrittenHere(hub, signer, uuid);
  if (!found) throw missing("Item");
  return [found, signer];
}
