import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { accountFlags } from "../identity/accounts/accounts.ts";
import { failRun } from "./run.ts";
import { listed, loadRun } from "./run-state.ts";

const day = 24 * 3600 * 1000;
/** Whoever works on an import writes in it long before; what an old hub is told after its end takes hours. */
const silence = 2 * day;
/** So long an import that was cut off can be taken up again. */
const cutOff = 30 * day;

const nobodyGoesOn = "Nobody went on with it; what was imported until then is here.";

/**
 * Ends imports with which nobody goes on, and removes those that are over and that nobody can look at any more: all of accounts that
 * are gone, and of the others what came before the last ones.
 */
export async function trimRuns(hub: Hub): Promise<void> {
  const ofNobody = sql<SqlBool>`account_id in (select account_id from account where account_flags = ${sql.lit(accountFlags.removed)})`;
  const runs = hub.db.selectFrom("import_run").select("id").where("updated", "<", momentIn(hub, -silence));
  const left = await runs
    .where("state", "=", "running")
    .where((eb) => eb.or([eb("updated", "<", momentIn(hub, -cutOff)), ofNobody]))
    .execute();
  for (const { id } of left) await failRun(hub, await loadRun(hub, id), nobodyGoesOn);
  const later = sql`select count(*) from import_run later where later.account_id = import_run.account_id and later.id > import_run.id`;
  const over = runs
    .where("state", "<>", "running")
    .where((eb) => eb.or([ofNobody, sql<SqlBool>`(${later}) >= ${sql.lit(listed)}`]));
  await removeInSteps((most) => hub.db.deleteFrom("import_run").where("id", "in", over.limit(most)).executeTakeFirst());
}
