import type { CalendarEvent } from "../../../domain/events/events.ts";

/** An entry of a calendar as Friendica's clients know it; the lists are hashes of people and groups, in angle brackets. */
export function presentEvent(event: CalendarEvent, xchanId: number): object {
  return {
    id: event.id,
    uid: event.uid,
    cid: xchanId,
    uri: event.event_hash,
    name: event.summary,
    desc: event.html,
    startTime: event.dtstart,
    endTime: event.dtend,
    type: event.etype,
    nofinish: event.nofinish,
    place: event.location,
    adjust: event.adjust,
    ignore: event.dismissed,
    allow_cid: event.allow_cid,
    allow_gid: event.allow_gid,
    deny_cid: event.deny_cid,
    deny_gid: event.deny_gid,
  };
}
