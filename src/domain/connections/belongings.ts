import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

/** The row of the channel itself stays, as its identity does. */
const others: Belonging = {
  table: "abook",
  later: true,
  isTheirs: ({ channel }) => sql<SqlBool>`abook_channel = ${channel} and abook_self = 0`,
};

/** What goes with a channel; the connections that others have to it are archived. */
export const belongings: readonly Belonging[] = [
  rowsOf("abconfig", "chan", { later: true }),
  others,
  rowsOf("host_block", "uid"),
  rowsOf("sent_follow", "uid"),
];
