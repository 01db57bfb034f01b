import type { DeedOf } from "../../../deeds.ts";
import { sendOut } from "../../../domain/delivery/outgoing.ts";
import { isSameOrigin } from "../../../domain/identity/xchans/foreign-ids.ts";
import { findForwarded } from "../../../domain/reports/forwarded.ts";
import type { Hub } from "../../../hub.ts";
import { siteIds } from "../ids.ts";
import { bytesOf } from "./serialise.ts";

/** Those who run another hub are told of somebody there, in the name of the site: they do not learn who complains. */
export async function report(hub: Hub, channel: number, { report: id }: DeedOf<"report">): Promise<void> {
  const found = await findForwarded(hub, id);
  if (!found) return;
  const { flagId, comment, person, mids } = found;
  const theirs = mids.filter((mid) => isSameOrigin(mid, person.actor));
  const flag = {
    id: flagId,
    type: "Flag",
    actor: siteIds(hub).actor,
    to: [person.actor],
    object: [person.actor, ...theirs],
    content: comment,
  };
  const inbox = person.shared_inbox || person.inbox;
  const to = [{ inbox, people: [person.xchan_id], shared: person.shared_inbox !== "" }];
  await sendOut(hub, [
    { deed: `report ${id}`, variant: "", sender: channel, objectId: flagId, bytes: bytesOf(flag), to },
  ]);
}
