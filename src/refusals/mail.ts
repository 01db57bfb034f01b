import { row } from "./row.ts";

/** Messages and chatrooms. */
export const mailRefusals = {
  not_the_sender: row("denied"),
  line_empty: row("invalid", "body"),
  line_too_long: row<{ most: number }>("too-large", "body"),
  room_needs_name: row("invalid", "name"),
  room_name_too_long: row<{ most: number }>("invalid", "name"),
  room_name_taken: row("conflict", "name"),
  room_time_wrong: row("invalid", "minutes"),
  rooms_too_many: row<{ most: number }>("denied"),
  not_to_yourself: row("invalid", "to"),
  recipient_unreachable: row("denied", "to"),
  takes_no_messages: row<{ name: string }>("invalid"),
  you_have_blocked: row<{ name: string }>("denied", "to"),
  unknown_answered: row("missing", "replyTo"),
};
