import { rowsOf } from "../identity/belongings/belonging.ts";
import type { Belonging } from "../identity/belongings/belonging.ts";

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
  rowsOf("term", "uid"),
  rowsOf("iconfig", "uid"),
];
