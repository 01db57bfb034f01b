import type { mailRefusals } from "../../refusals/mail.ts";
import type { Messages } from "../../refusals/messages.ts";

export const mailWords: Messages<typeof mailRefusals> = {
  not_the_sender: "Only the sender can take it back.",
  line_empty: "Nothing was written.",
  line_too_long: ({ most }) => `A line has at most ${most} characters.`,
  room_needs_name: "A room needs a name.",
  room_name_too_long: ({ most }) => `The name of a room has at most ${most} characters.`,
  room_name_taken: "There is a room of that name already.",
  room_time_wrong: "This is no time after which what is said goes.",
  rooms_too_many: ({ most }) => `A channel has at most ${most} rooms. Delete one first.`,
  not_to_yourself: "You cannot write to yourself.",
  recipient_unreachable: "Nobody knows how messages reach this person.",
  takes_no_messages: ({ name }) => `${name} takes messages from connections only. Connect first.`,
  you_have_blocked: ({ name }) => `You have blocked ${name}.`,
  unknown_answered: "Message not found.",
};
