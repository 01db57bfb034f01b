import { row } from "./row.ts";

/** Applications that act for a channel. */
export const applicationsRefusals = {
  callback_wrong: row("invalid", "redirect"),
  application_unknown: row("missing"),
  application_name_needed: row("invalid", "name"),
  key_and_secret_needed: row("invalid", "key"),
  application_name_too_long: row<{ most: number }>("invalid", "name"),
  key_wrong: row("invalid", "key"),
  secret_too_long: row("invalid", "secret"),
  icon_wrong: row("invalid", "icon"),
  key_taken: row("conflict", "key"),
};
