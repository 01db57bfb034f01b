import { inTransaction, momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { addJob } from "../../../jobs/queue.ts";
import { plainLine } from "../../bodies/names.ts";
import { isLeftOut } from "../../delivery/backlog.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { saveTerms } from "../save.ts";
import { termTypes } from "../vocabulary.ts";
import type { Unmatched } from "./mentioned.ts";

/** Whom a message mentions and nobody here knows: a job asks for them, one after the other of those whom one hub names. */
export type Mentioned = JobPayload<"find-mentioned">;

/** Has those asked for whom a message of this author mentions, if there are any. Part of the transaction that stores it. */
export async function askForMentioned(
  hub: Hub,
  message: number,
  { xchan_hash }: Pick<Xchan, "xchan_hash">,
  unmatched: readonly Unmatched[],
): Promise<void> {
  if (unmatched.length === 0) return;
  const mentioned = { message, host: new URL(xchan_hash).host, people: [...unmatched] };
  await add(hub, mentioned, { key: `mentioned ${message}` });
}

/** So long the hub has for what is more urgent. */
const delay = 15 * 60_000;

/** While the hub has too much to do this is for another time, and then it answers true. */
export async function putOffMentioned(hub: Hub, mentioned: Mentioned): Promise<boolean> {
  if (!(await isLeftOut(hub, "asking again"))) return false;
  await add(hub, mentioned, { at: momentIn(hub, delay) });
  return true;
}

function add(hub: Hub, mentioned: Mentioned, options: { key?: string; at?: string }): Promise<void> {
  return addJob(hub, "find-mentioned", mentioned, { lane: `mentioned by ${mentioned.host}`, ...options });
}

/** The mention of a message that leads to `href` means this person of elsewhere; whoever is mentioned besides stands there once. */
export async function nameMentioned(hub: Hub, message: number, href: string, person: Xchan): Promise<void> {
  const term = plainLine(person.xchan_name, 255);
  await inTransaction(hub, async (hub) => {
    const { numDeletedRows } = await hub.db
      .deleteFrom("term")
      .where("message_id", "=", message)
      .where("uid", "=", 0)
      .where("ttype", "=", termTypes.mention)
      .where("url", "in", [href, person.xchan_url])
      .executeTakeFirstOrThrow();
    // A later version of the message may mention somebody else.
    if (numDeletedRows > 0n) await saveTerms(hub, message, [{ ttype: termTypes.mention, term, url: person.xchan_url }]);
  });
}
