import { row } from "./row.ts";

/** Complaints to those who run the hub. */
export const reportsRefusals = {
  report_of_oneself: row("invalid"),
  report_too_long: row<{ most: number }>("too-large", "body"),
  report_of_another: row("invalid", "items"),
  note_needed: row("invalid", "note"),
  beyond_moderation: row("denied"),
  report_needs_rules: row("invalid", "rule_ids"),
  report_rule_unknown: row("invalid", "rule_ids"),
  reports_too_many: row<{ most: number }>("too-many"),
};
