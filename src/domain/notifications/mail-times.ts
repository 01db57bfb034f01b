import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isOneOf, sqlDate } from "../../storage/sql.ts";
import type { Ways } from "./choices.ts";

/** When what somebody is told goes out by mail. */

/** How a notice goes out, as its row says it: not, soon, or with the next digest. */
const mailNumbers = { never: 0, once: 1, digest: 2 } as const satisfies Record<Ways["mail"], number>;

/** What goes out at once or in a digest. */
export type MailWay = Exclude<Ways["mail"], "never">;

export function mailNumber(way: Ways["mail"]): number {
  return mailNumbers[way];
}

const minute = 60_000;
/** Digests come in the morning, on the clock of who reads them. */
const morning = 7;

/**
 * Has notices mailed that have just been written; part of their transaction. What comes within two minutes is one mail, as is what
 * comes within the day of a digest. The moment is part of the job's key, so that a job which runs just now stands in the way of none.
 */
export async function planMails(hub: Hub, notices: readonly { uid: number; mail: number }[]): Promise<void> {
  for (const way of ["once", "digest"] as const) {
    const uids = [...new Set(notices.filter(({ mail }) => mail === mailNumbers[way]).map(({ uid }) => uid))];
    const zones = way === "digest" && uids.length > 0 ? await zonesOf(hub, uids) : undefined;
    for (const uid of uids) {
      const at = zones ? nextMorning(hub.clock(), zones.get(uid) ?? "") : soon(hub.clock());
      await addJob(hub, "mail-notices", { uid, way }, { at, key: `mail-notices ${uid} ${way} ${at}` });
    }
  }
}

/** The notices that wait to be mailed, as far as they are not seen; none of them waits any more. Part of a transaction. */
export async function takeToMail(hub: Hub, uid: number, way: MailWay): Promise<number[]> {
  const rows = await hub.db
    .updateTable("notify")
    .set({ mail: 0 })
    .where("uid", "=", uid)
    .where("mail", "=", mailNumbers[way])
    .where("mail", ">", sql.lit(0))
    .returning(["id", "seen", "listed"])
    .execute();
  return rows.filter(({ seen, listed }) => seen === 0 || listed === 0).map(({ id }) => id);
}

async function zonesOf(hub: Hub, uids: readonly number[]): Promise<Map<number, string>> {
  const rows = await hub.db
    .selectFrom("channel")
    .select(["channel_id", "channel_timezone"])
    .where(isOneOf(hub.engine, sql.ref("channel_id"), uids))
    .execute();
  return new Map(rows.map((row) => [row.channel_id, row.channel_timezone]));
}

function soon(now: Date): string {
  return sqlDate(new Date((Math.floor(now.getTime() / minute) + 2) * minute));
}

function nextMorning(now: Date, zone: string): string {
  const passed = minutesOfDay(now, zone);
  const left = (morning * 60 - passed + 24 * 60) % (24 * 60) || 24 * 60;
  const thisMinute = Math.floor(now.getTime() / minute) * minute;
  return sqlDate(new Date(thisMinute + left * minute));
}

function minutesOfDay(now: Date, zone: string): number {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone || "UTC",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const [hours, minutes] = clock.format(now).split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
