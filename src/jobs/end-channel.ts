import { sql } from "kysely";
import { belongings as announcements } from "../domain/announcements/belongings.ts";
import { belongings as archives } from "../domain/archives/belongings.ts";
import { emptyCloud } from "../domain/cloud/empty.ts";
import { belongings as connections } from "../domain/connections/belongings.ts";
import { belongings as events } from "../domain/events/belongings.ts";
import { belongings as files } from "../domain/files/belongings.ts";
import { belongings as groups } from "../domain/groups/belongings.ts";
import type { Belonging, Gone } from "../domain/identity/belongings/belonging.ts";
import { belongings as identity } from "../domain/identity/belongings/belongings.ts";
import { belongings as lists } from "../domain/import/belongings.ts";
import { belongings as invitations } from "../domain/invitations/belongings.ts";
import { belongings as items } from "../domain/items/belongings.ts";
import { forgetPerson } from "../domain/items/posting/forget-person.ts";
import { dropCopies } from "../domain/items/posting/trim.ts";
import { belongings as messages } from "../domain/messages/belongings.ts";
import { belongings as notifications } from "../domain/notifications/belongings.ts";
import { belongings as pages } from "../domain/pages/belongings.ts";
import { belongings as people } from "../domain/people/belongings.ts";
import { belongings as push } from "../domain/push/belongings.ts";
import { belongings as webhooks } from "../domain/webhooks/belongings.ts";
import type { Hub } from "../hub.ts";
import { removeInSteps } from "../storage/in-steps.ts";

/** What goes with a channel, the areas from the last to the first: what leads to other rows goes before these. */
export const allBelongings: readonly Belonging[] = [
  archives,
  lists,
  pages,
  messages,
  events,
  items,
  people,
  files,
  groups,
  invitations,
  connections,
  announcements,
  notifications,
  webhooks,
  push,
  identity,
].flat();

/** Removes what a channel that is gone wrote and stored, and then what is nobody's but its own. A job; may run twice. */
export async function endChannel(hub: Hub, gone: Gone): Promise<void> {
  await forgetPerson(hub, gone.xchan);
  await emptyCloud(hub, gone.channel);
  for (const belonging of allBelongings) if (!belonging.later) await drop(hub, belonging, gone);
}

/**
 * Removes the rest when everybody has been told: what it has of others, whom it knew and what it had chosen, and whatever was still being
 * written when it went. A job; may run twice.
 */
export async function forgetChannel(hub: Hub, gone: Gone): Promise<void> {
  await forgetPerson(hub, gone.xchan);
  await emptyCloud(hub, gone.channel);
  await dropCopies(hub, gone.channel);
  for (const belonging of allBelongings) await drop(hub, belonging, gone);
}

async function drop(hub: Hub, { table, isTheirs }: Belonging, gone: Gone): Promise<void> {
  const row = sql.raw(hub.engine === "sqlite" ? "rowid" : "ctid");
  await removeInSteps(async (most) => {
    const some = sql`select ${row} from ${sql.table(table)} where ${isTheirs(gone)} limit ${most}`;
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (${some})`.execute(hub.db);
    return { numDeletedRows: numAffectedRows ?? 0n };
  });
}
