import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

const told: Belonging = {
  table: "webhook_delivery",
  isTheirs: ({ channel }) => sql<SqlBool>`webhook_id in (select id from webhook where uid = ${channel})`,
};

/** What goes with a channel, what was told before the addresses that it was told. */
export const belongings: readonly Belonging[] = [told, rowsOf("webhook", "uid")];
