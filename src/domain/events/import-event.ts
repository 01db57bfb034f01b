import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { layOutAnyhow } from "../bodies/texts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dateIn, flagIn, numberIn, recordOf, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { entryOf } from "./find.ts";
import type { CalendarEvent } from "./types.ts";

/**
 * Takes an event record into the channel's calendar; a known one changes when the record is newer, so that running it
 * again changes nothing. Its item is no part of it.
 */
export async function importEvent(hub: Hub, channel: Channel, given: unknown): Promise<Taken> {
  const record = recordOf(given);
  const { taken, known } = await compareEvent(hub, channel.channel_id, record);
  if (taken !== "imported") return taken;
  const columns = await columnsOf(hub, record);
  if (known) {
    await hub.db.updateTable("event").set(columns).where("id", "=", known.id).execute();
    return taken;
  }
  const { channel_id: uid, channel_account_id: aid } = channel;
  await hub.db
    .insertInto("event")
    .values({
      ...columns,
      uid,
      aid,
      event_hash: textIn(record, "event_hash"),
      event_xchan: textIn(record, "event_xchan") || channel.channel_hash,
    })
    .execute();
  return taken;
}

/** What `importEvent` would answer for the channel; nothing is written. */
export async function previewEvent(hub: Hub, uid: number, given: unknown): Promise<Taken> {
  return (await compareEvent(hub, uid, recordOf(given))).taken;
}

async function compareEvent(
  hub: Hub,
  uid: number,
  record: PortableRecord,
): Promise<{ taken: Taken; known?: CalendarEvent | undefined }> {
  const hash = textIn(record, "event_hash");
  const etype = textIn(record, "etype") || "event";
  const dtstart = dateIn(record, "dtstart");
  if (hash === "" || hash.length > 300 || dtstart === zeroDate || !["event", "task", "birthday"].includes(etype))
    return { taken: "unreadable" };
  const known = await entryOf(hub, uid, hash);
  return { taken: known && known.edited >= datesOf(hub, record).edited ? "there" : "imported", known };
}

function datesOf(hub: Hub, record: PortableRecord): Pick<CalendarEvent, "created" | "edited"> {
  const created = dateIn(record, "created", now(hub));
  return { created, edited: dateIn(record, "edited", created) };
}

async function columnsOf(hub: Hub, record: PortableRecord) {
  const description = textIn(record, "description");
  return {
    etype: textIn(record, "etype") || "event",
    cal_id: Math.max(0, numberIn(record, "cal_id")),
    ...datesOf(hub, record),
    dtstart: dateIn(record, "dtstart"),
    dtend: dateIn(record, "dtend"),
    summary: textIn(record, "summary"),
    description,
    html: (await layOutAnyhow(hub, description, "text/bbcode")).html,
    location: textIn(record, "location"),
    nofinish: flagIn(record, "nofinish") || Number(dateIn(record, "dtend") === zeroDate),
    adjust: flagIn(record, "adjust"),
    dismissed: flagIn(record, "dismissed"),
    allow_cid: textIn(record, "allow_cid"),
    allow_gid: textIn(record, "allow_gid"),
    deny_cid: textIn(record, "deny_cid"),
    deny_gid: textIn(record, "deny_gid"),
    event_status: textIn(record, "event_status"),
    event_status_date: dateIn(record, "event_status_date"),
    event_percent: upTo(100, record, "event_percent"),
    event_sequence: Math.max(0, numberIn(record, "event_sequence")),
    event_priority: upTo(9, record, "event_priority"),
    event_repeat: textIn(record, "event_repeat"),
    event_vdata: textIn(record, "event_vdata"),
  } satisfies Partial<CalendarEvent>;
}

/** A number of a record, from 0 to `most`. */
function upTo(most: number, record: PortableRecord, name: string): number {
  return Math.max(0, Math.min(most, numberIn(record, name)));
}
