import type { mailRefusals } from "../../refusals/mail.ts";
import type { Messages } from "../../refusals/messages.ts";

export const mailWords: Messages<typeof mailRefusals> = {
  not_the_sender: "Only the sender can take it back.",
  line_empty: "Nothing was written.",
  line_too_long: ({ most }) => `A line has at most ${most} characters.`,
  not_to_yourself: "You cannot write to yourself.",
  recipient_unreachable: "Nobody knows how messages reach this person.",
  you_have_blocked: "You have blocked this person.",
  unknown_answered: "Message not found.",
};
