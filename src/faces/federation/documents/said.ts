import { isNobody } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { findWrittenFor, findWrittenHere } from "../../../domain/items/timelines/written-here.ts";
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
export async function findSaid(question: Question, uuid: string): Promise<[WrittenHere, Observer]> {
  const { hub, observer, forSigners } = question;
  const found = forSigners ? undefined : await findAtOnce(question, uuid);
  if (found && isNobody(found[1])) return found;
  const signer = await observer();
  if (found) return found;
  if (!forSigners && isNobody(signer)) throw missing("Item");
  const written = await findWrittenHere(hub, signer, uuid);
  if (!written) throw missing("Item");
  return [written, signer];
}

/** As anybody sees it; or as whoever has signed does, where they are known already. */
async function findAtOnce({ hub, anybody, known }: Question, uuid: string): ReturnType<typeof findWrittenFor> {
  const [nobody, signer] = await Promise.all([anybody(), known?.()]);
  return findWrittenFor(hub, nobody, signer, uuid);
}
