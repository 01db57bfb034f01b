import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

/** Those of messages, which are for all, have no channel; the condition leads to an index without them. */
const terms: Belonging = {
  table: "term",
  isTheirs: ({ channel }) => sql<SqlBool>`uid = ${channel} and uid > 0`,
};

/** What goes with a channel besides its items. */
export const belongings: readonly Belonging[] = [
  rowsOf("filter_status", "uid"),
  rowsOf("filter", "uid"),
  rowsOf("word_filter", "uid"),
  rowsOf("followed_tag", "uid"),
  rowsOf("first_contact", "uid"),
  rowsOf("sketch", "uid"),
  rowsOf("posted_sketch", "uid"),
  rowsOf("marker", "uid"),
  rowsOf("unattached", "uid"),
  terms,
  rowsOf("iconfig", "uid"),
];
