import type { Messages } from "../../refusals/messages.ts";
import type { requestRefusals } from "../../refusals/requests.ts";

export const requestWords: Messages<typeof requestRefusals> = {
  request_too_large: ({ most }) => `The request is larger than ${most} bytes.`,
  parameters_too_many: "The request has too many parameters.",
  form_unreadable: "The form cannot be read.",
  body_broken_off: "The body is not complete.",
  not_a_form: "This page takes forms only.",
  requests_too_many: "Too many requests.",
};
