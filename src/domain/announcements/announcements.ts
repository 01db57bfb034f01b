import { sql } from "kysely";
import type { Selectable } from "kysely";
import { oncePerHub } from "../../caches.ts";
import { missing } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { AnnouncementTable } from "../../storage/tables/announcements.ts";

/** What those who run the hub say to all members, as these read it. */

export type Announcement = Selectable<AnnouncementTable>;

/** What people say to one: with which emoji, how many, and whether the reader is among them. */
export type AnnouncementReaction = { name: string; count: number; me: boolean };

/** One as somebody reads it. */
export type ReadAnnouncement = Announcement & { dismissed: boolean; reactions: readonly AnnouncementReaction[] };

/** So many are shown at once. */
const most = 20;

/** What is shown to a channel now on its pages, the newest first. Every page asks, and mostly there is nothing: that is remembered. */
export async function currentAnnouncements(hub: Hub, uid: number): Promise<Announcement[]> {
  return now(hub) < (await nextShown(hub)) ? [] : shownTo(hub, uid, false);
}

/** For so long, in milliseconds, it may go unnoticed that another process has changed something. */
const trustedFor = 5000;

const memory = oncePerHub((): { next: string; until: number; changes: number } => ({ next: "", until: 0, changes: 0 }));

/** Since when, or from when on, there is something to show to anybody, as far as that is known today. */
async function nextShown(hub: Hub): Promise<string> {
  const known = memory(hub);
  if (performance.now() < known.until) return known.next;
  const [until, { changes }] = [performance.now() + trustedFor, known];
  const [row] = await compiled(hub, "next announcement", { now: now(hub) }, (slots) =>
    hub.db
      .selectFrom("announcement")
      .select((eb) => eb.fn.min("published").as("next"))
      .where("published", ">", sql.lit(zeroDate))
      .where(sql<boolean>`(ends = ${sql.lit(zeroDate)} or ends > ${slots.now})`),
  );
  const next = (row!.next as string | null) ?? never;
  // What has changed meanwhile may not be in it.
  if (known.changes === changes) Object.assign(known, { next, until });
  return next;
}

const never = "9999-12-31 23:59:59";

/** Something is different: it is looked at again. */
export function forgetAnnouncements(hub: Hub): void {
  const { changes } = memory(hub);
  Object.assign(memory(hub), { until: 0, changes: changes + 1 });
}

/** What is shown to a channel now; `dismissed`: also what it does not want to see any more. */
async function shownTo(hub: Hub, uid: number, dismissed: boolean): Promise<Announcement[]> {
  const given = { uid, now: now(hub), most: dismissed ? 1 : 0 };
  return compiled(hub, "current announcements", given, (slots) =>
    hub.db
      .selectFrom("announcement")
      .selectAll()
      .where("published", ">", sql.lit(zeroDate))
      .where("published", "<=", slots.now)
      .where(sql<boolean>`(ends = ${sql.lit(zeroDate)} or ends > ${slots.now})`)
      .where(sql<boolean>`(${slots.most} = 1 or not exists (select 1 from dismissed_announcement d
        where d.uid = ${slots.uid} and d.announcement_id = announcement.id))`)
      .orderBy("published", "desc")
      .orderBy("id", "desc")
      .limit(sql.lit(most)),
  );
}

/** The same with what is said to them. */
export async function readAnnouncements(hub: Hub, uid: number, dismissed: boolean): Promise<ReadAnnouncement[]> {
  return withReactions(hub, uid, await shownTo(hub, uid, dismissed));
}

/** One that is shown now, whether the channel has dismissed it or not. Throws missing. */
export async function readAnnouncement(hub: Hub, uid: number, id: number): Promise<ReadAnnouncement> {
  const found = (await shownTo(hub, uid, true)).filter((one) => one.id === id);
  const [read] = await withReactions(hub, uid, found);
  if (!read) throw missing("Announcement");
  return read;
}

/** The channel is not shown it any more. Throws missing for one that is not shown. */
export async function dismissAnnouncement(hub: Hub, uid: number, id: number): Promise<void> {
  await readAnnouncement(hub, uid, id);
  await hub.db
    .insertInto("dismissed_announcement")
    .values({ uid, announcement_id: id })
    .onConflict((conflict) => conflict.columns(["uid", "announcement_id"]).doNothing())
    .execute();
}

async function withReactions(hub: Hub, uid: number, found: readonly Announcement[]): Promise<ReadAnnouncement[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const [said, dismissed] = await Promise.all([
    hub.db
      .selectFrom("announcement_reaction")
      .select(["announcement_id as id", "name"])
      .select((x) => [
        x.fn.countAll().as("count"),
        x.fn.min("created").as("first"),
        sql<number>`max(case when uid = ${uid} then 1 else 0 end)`.as("me"),
      ])
      .where(isOneOf(hub.engine, sql.ref("announcement_id"), ids))
      .groupBy(["announcement_id", "name"])
      .orderBy("first")
      .orderBy("name")
      .execute(),
    hub.db
      .selectFrom("dismissed_announcement")
      .select("announcement_id as id")
      .where("uid", "=", uid)
      .where(isOneOf(hub.engine, sql.ref("announcement_id"), ids))
      .execute(),
  ]);
  const gone = new Set(dismissed.map(({ id }) => id));
  return found.map((one) => ({
    ...one,
    dismissed: gone.has(one.id),
    reactions: said
      .filter(({ id }) => id === one.id)
      .map(({ name, count, me }) => ({ name, count: Number(count), me: Number(me) === 1 })),
  }));
}
