import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { leaveSharedInbox } from "../identity/xchans/actors.ts";
import type { Delivery } from "./delivery.ts";

type Inbox = { inbox: string; host: string; shared: number; recipients: string };

/**
 * Sends once more what came to an inbox that is none: to the ones that its people have now. An inbox of all is then none any more
 * for anybody: `forgets` says that there is none at all, else it is the one that somebody of that server has now. Answers false
 * when nobody has another one. Part of a transaction.
 */
export async function readdress(hub: Hub, row: Delivery, { forgets }: { forgets: boolean }): Promise<boolean> {
  if (row.isShared) await leaveSharedInbox(hub, row.inbox, forgets ? "" : await nextSharedInbox(hub, row));
  const [first, ...others] = (await inboxesOf(hub, row)).filter(({ inbox }) => inbox !== row.inbox);
  if (!first) return false;
  const moment = now(hub);
  const again = { last_error: "moved", next_at: moment, state: "waiting" };
  // In the same row, so that its place among what is about the same object stays.
  await hub.db
    .updateTable("delivery")
    .set({ ...first, ...again, lease_until: zeroDate })
    .where("id", "=", row.id)
    .execute();
  const { activity, objectId: object_id, priority } = row;
  const rows = others.map((inbox) => ({ activity, object_id, priority, ...inbox, ...again, created: moment }));
  for (let at = 0; at < rows.length; at += 500)
    await hub.db
      .insertInto("delivery")
      .values(rows.slice(at, at + 500))
      .execute();
  return true;
}

/** The inbox of all that one of them says their server has now; without one, what was there. */
async function nextSharedInbox(hub: Hub, row: Delivery): Promise<string> {
  const inboxes = await inboxesOf(hub, row);
  const next = inboxes.find(({ inbox, shared }) => shared && inbox !== row.inbox);
  return next?.inbox ?? row.inbox;
}

/** Where the people of a delivery are reached now. */
async function inboxesOf(hub: Hub, { people, isShared }: Delivery): Promise<Inbox[]> {
  const rows = await hub.db
    .selectFrom("actor")
    .select(["xchan_id", "inbox", "shared_inbox"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), people))
    .where("gone", "=", zeroDate)
    .orderBy("id")
    .execute();
  const placed = rows.map((row) => ({
    person: row.xchan_id,
    shared: isShared && row.shared_inbox !== "" ? 1 : 0,
    inbox: isShared && row.shared_inbox !== "" ? row.shared_inbox : row.inbox,
  }));
  return [...Map.groupBy(placed, ({ inbox }) => inbox)].map(([inbox, [one, ...others]]) => ({
    inbox,
    host: new URL(inbox).host,
    shared: one!.shared,
    recipients: JSON.stringify([one!, ...others].map(({ person }) => person)),
  }));
}
