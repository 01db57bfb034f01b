import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channel.ts";
import { renderDescription } from "./content.ts";
import { entryOf } from "./find.ts";
import type { CalendarEvent } from "./types.ts";

export type ImportedEvent = "added" | "changed" | "known" | "unreadable";

/**
 * Takes an event record (native contract 2.15) into the channel's calendar; a known one changes when the record is newer,
 * so that running it again changes nothing. Its item is no part of it.
 */
export async function importEvent(hub: Hub, channel: Channel, record: unknown): Promise<ImportedEvent> {
  const read = reader(record);
  const hash = read.text("event_hash");
  const etype = read.text("etype") || "event";
  const dtstart = read.date("dtstart");
  if (hash === "" || hash.length > 300 || dtstart === zeroDate || !["event", "task", "birthday"].includes(etype))
    return "unreadable";
  const columns = await columnsOf(hub, read);
  const known = await entryOf(hub, channel.channel_id, hash);
  if (known && known.edited >= columns.edited) return "known";
  if (known) {
    await hub.db.updateTable("event").set(columns).where("id", "=", known.id).execute();
    return "changed";
  }
  const { channel_id: uid, channel_account_id: aid } = channel;
  await hub.db
    .insertInto("event")
    .values({ ...columns, uid, aid, event_hash: hash, event_xchan: read.text("event_xchan") || channel.channel_hash })
    .execute();
  return "added";
}

async function columnsOf(hub: Hub, { text, number, date }: Reader) {
  const description = text("description");
  const created = date("created", now(hub));
  return {
    etype: text("etype") || "event",
    cal_id: number("cal_id"),
    created,
    edited: date("edited", created),
    dtstart: date("dtstart"),
    dtend: date("dtend"),
    summary: text("summary"),
    description,
    html: await renderDescription(hub, description),
    location: text("location"),
    nofinish: number("nofinish", 1) || Number(date("dtend") === zeroDate),
    adjust: number("adjust", 1),
    dismissed: number("dismissed", 1),
    allow_cid: text("allow_cid"),
    allow_gid: text("allow_gid"),
    deny_cid: text("deny_cid"),
    deny_gid: text("deny_gid"),
    event_status: text("event_status"),
    event_status_date: date("event_status_date"),
    event_percent: number("event_percent", 100),
    event_sequence: number("event_sequence"),
    event_priority: number("event_priority", 9),
    event_repeat: text("event_repeat"),
    event_vdata: text("event_vdata"),
  } satisfies Partial<CalendarEvent>;
}

type Reader = ReturnType<typeof reader>;

/** The fields of a record whose numbers may be texts, and whose texts may be missing. */
function reader(record: unknown) {
  const fields = typeof record === "object" && record !== null ? (record as Record<string, unknown>) : {};
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === "number") return String(value);
    return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : "";
  };
  const number = (name: string, most = 2 ** 31 - 1): number => {
    const value = Number(text(name));
    return Number.isInteger(value) && value > 0 ? Math.min(value, most) : 0;
  };
  const date = (name: string, otherwise: string = zeroDate): string => {
    const value = text(name);
    const readable = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) && !Number.isNaN(fromSqlDate(value).getTime());
    return readable && value >= "0100" && value < "9990" ? value : otherwise;
  };
  return { text, number, date };
}
