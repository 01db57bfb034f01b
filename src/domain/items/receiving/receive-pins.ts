import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { lockXchan } from "../../identity/xchans/xchans.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { pinsOf, replacePins } from "../pins.ts";
import { findKnownMessage } from "./known-message.ts";

/** What people of elsewhere keep on top of their pages (federation contract 4.3). */

type Person = Pick<Xchan, "xchan_id" | "xchan_hash">;

/** Somebody has pinned the message with this id, or no more; nothing happens where it is not here. */
export async function receivePin(hub: Hub, person: Person, id: string, pinned: boolean): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockXchan(hub, person.xchan_id);
    const known = await findKnownMessage(hub, id);
    if (!known) return;
    const former = await pinsOf(hub, person.xchan_hash);
    if (former.includes(known.id) === pinned) return;
    const others = former.filter((message) => message !== known.id);
    await replacePins(hub, person.xchan_hash, pinned ? [known.id, ...others] : others);
  });
}

/** These are all that somebody has pinned, in the order in which they want them shown, as far as they are here. */
export async function receivePins(hub: Hub, person: Person, ids: readonly string[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockXchan(hub, person.xchan_id);
    const known = await Promise.all(ids.map((id) => findKnownMessage(hub, id)));
    const messages = known.flatMap((message) => message?.id ?? []);
    await replacePins(hub, person.xchan_hash, [...new Set(messages)]);
  });
}
