import type { Code } from "../../../../refusals/refusals.ts";

/** Refusals of which people are told in other words than programs; of all others both get the same (faces/words). */
export const refusals = {
  file_too_large: "The file is larger than {most}, and more is not taken here.",
  image_too_large: "The picture {name} is larger than {most}, and more is not taken here.",
  list_file_too_large: "A list has at most {most}.",
  list_too_long: "A list has at most {most}.",
  request_too_large: "This is too long: at most {most} can be sent at once.",
  form_unreadable: "The form did not arrive as it was sent. Go back and send it once more.",
  body_broken_off: "The form did not arrive completely. Go back and send it once more.",
  requests_too_many:
    "Too many requests have come from you or from your network in a short time. Wait a moment, then try again.",
} satisfies Partial<Record<Code, string>>;
