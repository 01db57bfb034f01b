import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { clearKeysOf } from "../identity/channels/senders.ts";

const keptFor = 30 * 24 * 3600 * 1000;
/** How many rows one statement takes. */
const together = 400;

/** Removes what was sent or took effect 30 days ago, and the keys of removed channels that have nothing more to sign; a scheduled job. */
export async function trimQueues(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  for (;;) if ((await trimOutgoing(hub, oldest)) < together) break;
  for (;;) if ((await trimArrivals(hub, oldest)) < together) break;
  await clearKeysOf(hub, (eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom("outbox_activity")
          .innerJoin("delivery", "delivery.activity", "outbox_activity.id")
          .select("delivery.id")
          .whereRef("outbox_activity.sender", "=", "channel.channel_id")
          .where(sql<SqlBool>`delivery.state in ('waiting', 'held')`),
      ),
    ),
  );
}

/** An activity goes when the last of its deliveries has ended so long ago. */
async function trimOutgoing(hub: Hub, oldest: string): Promise<number> {
  const rows = await hub.db
    .selectFrom("outbox_activity")
    .select("id")
    .where("created", "<", oldest)
    .where(
      sql<SqlBool>`not exists (select 1 from delivery where delivery.activity = outbox_activity.id
        and (state in ('waiting', 'held') or ended >= ${oldest}))`,
    )
    .limit(together)
    .execute();
  const ids = rows.map(({ id }) => id);
  for (;;) {
    const some = hub.db
      .selectFrom("delivery")
      .select("id")
      .where(isOneOf(hub.engine, sql.ref("activity"), ids));
    const { numDeletedRows } = await hub.db
      .deleteFrom("delivery")
      .where("id", "in", some.limit(together))
      .executeTakeFirst();
    if (numDeletedRows < together) break;
  }
  await hub.db
    .deleteFrom("outbox_activity")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return ids.length;
}

/** Whatever it came to. */
async function trimArrivals(hub: Hub, oldest: string): Promise<number> {
  const rows = await hub.db
    .selectFrom("inbox_activity")
    .select("id")
    .where("ended", ">", zeroDate)
    .where("ended", "<", oldest)
    .limit(together)
    .execute();
  const ids = rows.map(({ id }) => id);
  await inTransaction(hub, async (hub) => {
    await hub.db
      .deleteFrom("inbox_recipient")
      .where(isOneOf(hub.engine, sql.ref("inbox_activity"), ids))
      .execute();
    await hub.db
      .deleteFrom("inbox_activity")
      .where(isOneOf(hub.engine, sql.ref("id"), ids))
      .execute();
  });
  return ids.length;
}
