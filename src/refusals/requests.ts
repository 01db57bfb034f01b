import { row } from "./row.ts";

/** Requests that are not taken as they come, whatever they ask for. */
export const requestRefusals = {
  request_too_large: row<{ most: number }>("too-large"),
  parameters_too_many: row("too-large"),
  form_unreadable: row("invalid"),
  body_broken_off: row("invalid"),
  /** A page was sent something else than a form. */
  not_a_form: row("unsupported"),
  requests_too_many: row("too-many"),
};
