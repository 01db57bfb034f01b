import type { eventsRefusals } from "../../refusals/events.ts";
import type { Messages } from "../../refusals/messages.ts";

export const eventsWords: Messages<typeof eventsRefusals> = {
  event_title_needed: "An event needs a title.",
  end_before_beginning: "The end is before the beginning.",
  progress_wrong: "Progress is a number from 0 to 100.",
  recurrence_wrong: "This is not a recurrence rule.",
  not_your_event: "Only those who made an event can change it.",
  calendar_takes_too_long: "It takes too long to read this file.",
  events_too_many: ({ most }) => `A file may hold ${most} events.`,
  not_a_calendar: "This is not a calendar file.",
  beginning_needed: "An event needs a beginning.",
  sections_unknown: "None of these sections is known.",
};
