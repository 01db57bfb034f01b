import type { Messages } from "../../refusals/messages.ts";
import type { reportsRefusals } from "../../refusals/reports.ts";

export const reportsWords: Messages<typeof reportsRefusals> = {
  report_of_oneself: "You can't report yourself.",
  report_too_long: ({ most }) => `A report has at most ${most} characters.`,
  report_of_another: "This post is by somebody else.",
  note_needed: "This needs some words.",
  beyond_moderation: "This does not reach them from here.",
  report_needs_rules: "Say which rule it is against.",
  report_rule_unknown: "The hub has no such rule.",
  reports_too_many: ({ most }) => `You can report ${most} times a day.`,
};
