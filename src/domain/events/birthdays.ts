import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";

/** A connection's birthday; it is local to the calendar, nobody is told and nobody comments. */
export type Birthday = { date: string; name: string; url: string };

/** The birthdays of the channel's connections from one day to before another (`YYYY-MM-DD`), by date. */
export async function listBirthdays(hub: Hub, channel: Channel, from: string, to: string): Promise<Birthday[]> {
  const rows = await hub.db
    .selectFrom("abook")
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(["abook_dob", "abook_xchan", "xchan_name", "xchan_url"])
    .where("abook_channel", "=", channel.channel_id)
    .where("abook_self", "=", sql.lit(0))
    .where("abook_pending", "=", sql.lit(0))
    .where("abook_dob", "<>", zeroDate)
    .orderBy("abook_id")
    .execute();
  if (rows.length === 0) return [];
  const recorded = await recordedBirthdays(hub, channel);
  const years = [...new Set([from.slice(0, 4), to.slice(0, 4)])];
  return rows
    .filter((row) => !recorded.has(row.abook_xchan))
    .flatMap((row) =>
      years.map((year) => ({
        date: `${year}-${row.abook_dob.slice(5, 10)}`,
        name: row.xchan_name,
        url: row.xchan_url,
      })),
    )
    .filter(({ date }) => date >= from && date < to)
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
}

/** Whose birthdays the calendar has as events; they came with an import. */
async function recordedBirthdays(hub: Hub, channel: Channel): Promise<Set<string>> {
  const rows = await hub.db
    .selectFrom("event")
    .select("event_xchan")
    .distinct()
    .where("uid", "=", channel.channel_id)
    .where("etype", "=", "birthday")
    .execute();
  return new Set(rows.map((row) => row.event_xchan));
}
