import type { CalendarEvent } from "../events/types.ts";

/** The event record. */
export function eventRecord(event: CalendarEvent): Record<string, string> {
  return {
    id: String(event.id),
    aid: String(event.aid),
    uid: String(event.uid),
    cal_id: String(event.cal_id),
    event_xchan: event.event_xchan,
    event_hash: event.event_hash,
    created: event.created,
    edited: event.edited,
    dtstart: event.dtstart,
    dtend: event.dtend,
    summary: event.summary,
    description: event.description,
    location: event.location,
    etype: event.etype,
    nofinish: String(event.nofinish),
    adjust: String(event.adjust),
    dismissed: String(event.dismissed),
    allow_cid: event.allow_cid,
    allow_gid: event.allow_gid,
    deny_cid: event.deny_cid,
    deny_gid: event.deny_gid,
    event_status: event.event_status,
    event_status_date: event.event_status_date,
    event_percent: String(event.event_percent),
    event_sequence: String(event.event_sequence),
    event_priority: String(event.event_priority),
    event_repeat: event.event_repeat,
    event_vdata: event.event_vdata,
  };
}
