import { sql } from "kysely";
import type { Kysely, RawBuilder } from "kysely";
import { sqlDate, zeroDate } from "../sql.ts";

/**
 * What earlier versions left behind goes as it does since: rows of channels that were removed (decision 167), a day later what tells
 * other hubs of that, and the words of deleted posts in what shares them (decision 168).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tomorrow = sqlDate(new Date(Date.now() + 24 * 3600 * 1000));
  const removed = sql`channel join xchan on xchan_hash = channel_hash where channel_removed = 1`;
  const gone = sql`'{"channel":' || channel_id || ',"xchan":' || xchan_id || '}'`;
  await addJobs(db, "end-channel", gone, removed, zeroDate);
  await addJobs(db, "forget-channel", gone, removed, tomorrow);
  // After some weeks nothing is left of a message that is deleted.
  const shares = sql`(select distinct share.shared_id from message share
    left join message shared on shared.id = share.shared_id
    where share.shared_id > 0
      and (shared.id is null or exists (select 1 from deleted_id where deleted_id.id = shared.mid))) as ended`;
  await addJobs(db, "end-shares", sql`'{"message":' || shared_id || '}'`, shares, zeroDate);
}

async function addJobs(
  db: Kysely<unknown>,
  name: string,
  payload: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  at: string,
): Promise<void> {
  await sql`insert into job (name, payload, run_at, created)
    select ${sql.lit(name)}, ${payload}, ${sql.lit(at)}, ${sql.lit(zeroDate)} from ${from}`.execute(db);
}
