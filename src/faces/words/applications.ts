import type { applicationsRefusals } from "../../refusals/applications.ts";
import type { Messages } from "../../refusals/messages.ts";

export const applicationsWords: Messages<typeof applicationsRefusals> = {
  callback_wrong: "The callback is an address such as https://app.example/callback or myapp://login.",
  application_unknown: "This application cannot be edited.",
  application_name_needed: "Name is required",
  key_and_secret_needed: "Key and Secret are required",
  application_name_too_long: ({ most }) => `A name has at most ${most} characters.`,
  key_wrong: "A key has 1 to 64 letters, digits, dots, dashes and underscores.",
  secret_too_long: "The secret is too long.",
  icon_wrong: "The icon is the address of a picture on the web.",
  key_taken: "There is an application with this key already.",
};
