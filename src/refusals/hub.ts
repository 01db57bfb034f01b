import { row } from "./row.ts";
import type { Thing } from "./things.ts";

/** The hub itself, and what may happen anywhere. */
export const hubRefusals = {
  busy: row("too-many"),
  stopping: row("unavailable"),
  /** More is asked than can be done. */
  overloaded: row("unavailable"),
  /** Another hub does not answer now. */
  not_fetched: row("unavailable"),
  database_away: row("unavailable"),
  blobs_away: row("unavailable"),
  disk_full: row("unavailable"),
  disk_read_only: row("unavailable"),
  file_too_large: row<{ most: number }>("too-large"),
  permission_denied: row("denied"),
  /** A form of another site, of another browser or of long ago. */
  form_strange: row("denied"),
  /** A form that was opened as another channel of the account. */
  form_of_other_channel: row("denied"),
  /** What a form asks for is not what was shown. */
  form_changed: row("denied"),
  name_needed: row("invalid", "name"),
  date_wrong: row("invalid"),
  longer_than: row<{ most: number }>("invalid"),
  value_too_long: row("invalid"),
  /** The addresses that the hub has and is asked to have. */
  address_is_settled: row<{ former: string; asked: string }>("conflict"),
  strange_folder: row<{ folder: string }>("conflict"),
  strange_store: row<{ store: string }>("conflict"),
  database_is_newer: row("conflict"),
  restore_under_way: row("conflict"),
  announcement_empty: row("invalid", "body"),
  announcement_too_long: row<{ most: number }>("invalid", "body"),
  announcement_ends_before: row("invalid", "ends"),
  reactions_too_many: row("invalid"),
  missing: row<{ what: Thing }>("missing"),
};
