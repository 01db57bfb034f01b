import { findXchan } from "../../../domain/identity/xchans/xchans.ts";
import { contactsLetIn, forgetContact } from "../../../domain/items/first-contacts.ts";
import type { FirstContact } from "../../../domain/items/first-contacts.ts";
import { suspended } from "../../../domain/peers/site-blocks.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { readJson } from "../translate/json.ts";
import { Node } from "../translate/node.ts";
import { takeIn } from "./take-in.ts";

/** Somebody was let in: what has waited of them takes effect as if it came now, to the channel that waited. A job; may run twice. */
export async function takeFirstContacts(
  hub: Hub,
  { channel, person }: { channel: number; person: number },
): Promise<void> {
  const author = await findXchan(hub, { id: person });
  const isUnwanted = author === undefined || (await suspended(hub, new URL(author.xchan_hash).host));
  for (const contact of await contactsLetIn(hub, channel, person)) {
    if (!isUnwanted) await take(hub, author.xchan_hash, channel, contact);
    await forgetContact(hub, contact);
  }
}

/** Throws unavailable where it has to be tried again. */
async function take(
  hub: Hub,
  signer: string,
  channel: number,
  { mid, document, forwarded }: FirstContact,
): Promise<void> {
  try {
    const bytes = Buffer.from(madeBy(signer, document));
    await takeIn(hub, { signer, bytes, recipients: [channel], forwarded: forwarded === 1 });
  } catch (error) {
    if (!(error instanceof HubError) || error.kind === "unavailable") throw error;
    hub.log.debug("Nothing comes of {mid}, which was let in: {error}", { mid, error });
  }
}

/** What was found at its id came without an activity. */
function madeBy(actor: string, document: string): string {
  const read = readJson(Buffer.from(document));
  const value = "value" in read ? read.value : undefined;
  const node = Node.of(value);
  if (!node || node.has("object")) return document;
  return JSON.stringify({ type: "Create", actor, to: node.ids("to"), cc: node.ids("cc"), object: value });
}
