import { sql } from "kysely";
import type { Kysely } from "kysely";
import { zeroDate } from "../sql.ts";

/** Whether what shares a message adds nothing to it; -1 of shares so far, until a job has read them (decision 200). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column shares_purely integer not null default -1`.execute(db);
  await sql`insert into job (name, payload, run_at, created)
    select 'take-long-step', '{"step":"old-shares"}', ${sql.lit(zeroDate)}, ${sql.lit(zeroDate)}
    where exists (select 1 from message where shared_id > 0)`.execute(db);
}
