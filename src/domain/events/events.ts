/** The verbs of this area; each file has one of its ideas. */
export { addToCalendar, followAttendance } from "./accept.ts";
export { listBirthdays } from "./birthdays.ts";
export type { Birthday } from "./birthdays.ts";
export { ical, importCalendar, wholeCalendar } from "./calendar-files.ts";
export { listEvents, zoneOfChannel } from "./calendar.ts";
export { isShownRule } from "./draft.ts";
export type { EventDraft } from "./draft.ts";
export { entriesAfter, entryOf, findEvent, madeEvent, numberedEntry, ownEvent } from "./find.ts";
export type { EventView } from "./find.ts";
export type { ReadCalendar } from "./ical-read.ts";
export { importEvent } from "./import-event.ts";
export { editItemOrEvent, postItemOrEvent, storeRemote } from "./post-event.ts";
export { deleteEvent, itemOf, saveEvent, setDismissed } from "./save.ts";
export { taskStates } from "./task-states.ts";
export type { TaskState } from "./task-states.ts";
export type { CalendarEvent, Occurrence } from "./types.ts";
export { momentOf, wallClock } from "./zones.ts";
export { isWholeDay } from "./whole-day.ts";
