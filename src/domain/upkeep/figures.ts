import { sql } from "kysely";
import { oncePerHub } from "../../caches.ts";
import { bounds } from "../../counters.ts";
import type { RowRequests } from "../../counters.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { countJobs } from "../../jobs/queue.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { fromSqlDate, inPieces, sqlDate } from "../../storage/sql.ts";
import { backlogOf } from "../delivery/backlog.ts";
import { usageFigures } from "../identity/site/site-figures.ts";
import { mediaUsage } from "../proxy/usage.ts";

/**
 * What the hub was like, hour by hour, for those who run it. Each process adds what its counters have counted since the last time; a
 * job measures what all of them share (decision 89).
 */

/** What is measured: its value is the mean of the hour. */
export const gauges = ["people", "active", "posts", "storage", "copies", "jobs", "deliveries"] as const;
export type Gauge = (typeof gauges)[number];

const hour = 3600 * 1000;
const day = 24 * hour;
const keptFor = 31 * day;
const ofRow = "request ";

type Added = { name: string; n: number; total: number; most: number };

/** What this process has added already, by the name of the figure. */
const added = oncePerHub((): { byName: Map<string, { count: number; seconds: number; within: number[] }> } => ({
  byName: new Map(),
}));

/** Adds what this process has answered since the last time to the figures of the hour; nothing is written where that is nothing. */
export async function flushFigures(hub: Hub): Promise<void> {
  const known = added(hub).byName;
  const fresh: Added[] = [];
  for (const request of hub.counters.requests) {
    const name = nameOf(request);
    const { count, seconds, within } = request.durations;
    const before = known.get(name) ?? { count: 0, seconds: 0, within: [] };
    if (count === before.count) continue;
    const last = within.findLastIndex((number, place) => number > (before.within[place] ?? 0));
    const total = Math.round((seconds - before.seconds) * 1000);
    fresh.push({ name, n: count - before.count, total, most: Math.round((bounds[last] ?? 2 * bounds.at(-1)!) * 1000) });
    known.set(name, { count, seconds, within: [...within] });
  }
  if (fresh.length === 0) return;
  const all = fresh.reduce(
    (sum, { n, total, most }) => ({ n: sum.n + n, total: sum.total + total, most: Math.max(sum.most, most) }),
    { n: 0, total: 0, most: 0 },
  );
  await addFigures(hub, [{ name: "requests", ...all }, ...fresh]);
}

/** Of what nobody has a row for nothing is said by itself. */
function nameOf({ face, method, row }: RowRequests): string {
  return `${ofRow}${face} ${method} ${row}`;
}

/** Measures what all processes share; a scheduled job. */
export async function takeFigures(hub: Hub): Promise<void> {
  const [usage, stored, media, jobs, out] = await Promise.all([
    usageFigures(hub),
    hub.db
      .selectFrom("attach")
      .select((eb) => eb.fn.sum<number>("filesize").as("bytes"))
      .executeTakeFirstOrThrow(),
    mediaUsage(hub),
    countJobs(hub),
    backlogOf(hub, "delivery"),
  ]);
  const values: Record<Gauge, number> = {
    people: usage.channels,
    active: usage.activeMonth,
    posts: usage.posts,
    storage: Number(stored.bytes ?? 0),
    copies: media.copies,
    jobs: jobs.waiting,
    deliveries: out.due,
  };
  const measured = gauges.map((name) => ({ name, n: 1, total: values[name], most: values[name] }));
  await addFigures(hub, measured);
}

async function addFigures(hub: Hub, figures: readonly Added[]): Promise<void> {
  const moment = `${now(hub).slice(0, 13)}:00:00`;
  // One order, so that two processes never wait for each other.
  const rows = figures.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map((one) => ({ ...one, moment }));
  await inTransaction(hub, async (hub) => {
    for (const some of inPieces(rows))
      await hub.db
        .insertInto("figure")
        .values(some)
        .onConflict((conflict) =>
          conflict.columns(["name", "moment"]).doUpdateSet({
            n: sql`figure.n + excluded.n`,
            total: sql`figure.total + excluded.total`,
            most: sql`case when figure.most > excluded.most then figure.most else excluded.most end`,
          }),
        )
        .execute();
  });
}

/** The last 24 hours by the hour, or the last 30 days by the day. */
export const spans = { day: { slot: hour, slots: 24 }, month: { slot: day, slots: 30 } } as const;
export type Span = keyof typeof spans;

/** What there was in an hour or on a day; undefined where nobody has measured. */
export type Slot = { moment: string; mean: number | undefined; times: number; most: number };

/** The figures of these names over a span, each with its slots in order; those of days are in UTC. */
export async function figuresOver<N extends string>(
  hub: Hub,
  names: readonly N[],
  span: Span,
): Promise<Record<N, Slot[]>> {
  const { slot, slots } = spans[span];
  const end = Math.floor(hub.clock().getTime() / slot) * slot;
  const begin = end - (slots - 1) * slot;
  const rows = await hub.db
    .selectFrom("figure")
    .selectAll()
    .where("name", "in", names)
    .where("moment", ">=", sqlDate(new Date(begin)))
    .execute();
  const found = names.map((name) => {
    const series = Array.from({ length: slots }, (_, at): Slot & { total: number } => ({
      moment: sqlDate(new Date(begin + at * slot)),
      mean: undefined,
      times: 0,
      total: 0,
      most: 0,
    }));
    for (const row of rows) {
      const place =
        row.name === name ? series[Math.floor((fromSqlDate(row.moment).getTime() - begin) / slot)] : undefined;
      if (!place) continue;
      place.times += Number(row.n);
      place.total += Number(row.total);
      place.most = Math.max(place.most, Number(row.most));
      place.mean = place.total / place.times;
    }
    return [name, series] as const;
  });
  return Object.fromEntries(found) as unknown as Record<N, Slot[]>;
}

/** A row of an API or a page, how often it was asked, and how long (milliseconds) that took on average and at most. */
export type SlowRow = { row: string; times: number; mean: number; most: number };

/** The rows whose requests took longest on average over a span. */
export async function slowestRows(hub: Hub, span: Span, count: number): Promise<SlowRow[]> {
  const { slot, slots } = spans[span];
  const rows = await hub.db
    .selectFrom("figure")
    .select(["name"])
    .select([
      sql<number>`sum(n)`.as("times"),
      sql<number>`sum(total) * 1.0 / sum(n)`.as("mean"),
      sql<number>`max(most)`.as("most"),
    ])
    .where("moment", ">=", momentIn(hub, -slot * slots))
    .where("name", ">=", ofRow)
    .where("name", "<", `${ofRow}\u{10ffff}`)
    .groupBy("name")
    .orderBy("mean", "desc")
    .limit(count)
    .execute();
  return rows.map(({ name, times, mean, most }) => ({
    row: name.slice(ofRow.length),
    times: Number(times),
    mean: Number(mean),
    most: Number(most),
  }));
}

/** Removes what is older than a month; a scheduled job. */
export async function trimFigures(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  await removeInSteps((most) =>
    hub.db
      .deleteFrom("figure")
      .where(sql<boolean>`(name, moment) in (select name, moment from figure where moment < ${oldest} limit ${most})`)
      .executeTakeFirst(),
  );
}

const flushedEvery = 5 * 60 * 1000;

/** Adds what this process counts to the figures, again and again; answers what stops that, with the rest of it. */
export function startFlushing(hub: Hub): () => Promise<void> {
  const flush = async (): Promise<void> => {
    try {
      await flushFigures(hub);
    } catch (error) {
      hub.log.warning("The figures could not be written: {error}", { error });
    }
  };
  const timer = setInterval(() => void flush(), flushedEvery);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await flush();
  };
}
