import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { listHolds } from "../../storage/sql.ts";
import { forgetActors } from "../identity/xchans/actors.ts";
import { dropPictures } from "../photos/foreign-avatar.ts";

const keptFor = 90 * 24 * 3600 * 1000;
const together = 100;

/**
 * Forgets where people of elsewhere are reached, with their keys and the copies of their pictures, once nothing here has to do with them:
 * no connection, no text of theirs, and no message, and their document was not read for 90 days, as it is when they do anything. A mere name
 * stays, because access lists may have it; whoever comes again is met again. Groups stay, as threads of others belong to
 * them. A scheduled job.
 */
export async function trimActors(hub: Hub): Promise<void> {
  for (;;) if ((await trimSome(hub)) < together) return;
}

async function trimSome(hub: Hub): Promise<number> {
  const some = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["actor.id", "actor_id", "xchan_hash as hash"])
    .where("fetched", "<", momentIn(hub, -keptFor))
    .where("xchan_pubforum", "=", 0)
    .where(
      sql<SqlBool>`not exists (select 1 from abook where abook_xchan = xchan.xchan_hash)
        and not exists (select 1 from message where message.author_id = xchan.xchan_id and message.shared_id = 0)
        and not exists (select 1 from channel c where exists (select 1 from mail m where m.channel_id = c.channel_id
          and m.mail_deleted = 0 and m.from_xchan = xchan.xchan_hash))
        and not exists (select 1 from channel c where exists (select 1 from mail m where m.channel_id = c.channel_id
          and m.mail_deleted = 0 and m.to_xchan = xchan.xchan_hash))
        and not exists (select 1 from channel c where exists (select 1 from mail m where m.channel_id = c.channel_id
          and m.mail_deleted = 0 and m.also_to <> '' and ${listHolds(hub.engine, sql.ref("m.also_to"), sql.ref("xchan.xchan_hash"))}))`,
    )
    .limit(together)
    .execute();
  await inTransaction(hub, async (hub) => {
    for (const { hash } of some) await dropPictures(hub, hash);
    await forgetActors(hub, some);
  });
  return some.length;
}
