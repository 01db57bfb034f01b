import { sql } from "kysely";
import { cache } from "../../../caches.ts";
import type { HubError } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { TallyTable } from "../../../storage/tables/throttles.ts";
import { keyOf } from "./tallies.ts";

/**
 * What is rare enough to be counted in the database at once, so that several processes let through exactly as much as one: wrong
 * passwords and codes, sign-ups, mails.
 */

/** How often something has happened since it counts, until when it does, and when it last did (milliseconds). */
export type Count = { count: number; endsAt: number; lastAt: number };

export type Bound = {
  name: string;
  /** After so many seconds it counts from nothing again. */
  seconds: number;
  /** Until when another one is refused; undefined: it is not. */
  refusedUntil: (count: Count) => number | undefined;
};

/** Makes the refusal; `retryAfter` in seconds. */
export type Refuse = (retryAfter: number) => HubError;

/** What was counted turns out not to count. */
export type Counted = { takeBack(): Promise<void> };

/** What this process has seen of the counts, and when: it need not ask again whether something is refused. */
const seen = cache<string, Count & { at: number }>(100_000);
/** So long (milliseconds) what was seen refuses without being looked at again: others may have taken back what they counted. */
const believed = 1000;

/** Counts one of all of these, or of none: throws when one of them refuses it. */
export async function countAtOnce(hub: Hub, bounds: readonly Bound[], refuse: Refuse): Promise<Counted> {
  const keyed = bounds
    .map((bound) => ({ ...bound, key: keyOf(hub, bound.name) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const now = hub.clock().getTime();
  const counted = await inTransaction(hub, async (hub) => {
    const known = await hold(hub, keyed);
    const before = keyed.map((bound) => ({ ...bound, count: current(known.get(bound.key), bound, now) }));
    for (const { name, count } of before) seen(hub).set(name, { ...count, at: now });
    refuseBy(before, now, refuse);
    await write(
      hub,
      before.map(({ key, count }) => ({ key, count: count.count + 1, ends_at: count.endsAt, last_at: now })),
    );
    return before;
  });
  for (const { name, count } of counted)
    seen(hub).set(name, { ...count, count: count.count + 1, lastAt: now, at: now });
  return { takeBack: () => takeBack(hub, counted) };
}

/** Throws where this process knows that another one would be refused; others may know more. */
export async function refuseKnown(hub: Hub, bounds: readonly Bound[], refuse: Refuse): Promise<void> {
  const now = hub.clock().getTime();
  const refused = bounds.filter((bound) => isRefused(current(seen(hub).get(bound.name), bound, now), bound, now));
  if (refused.length === 0) return;
  const old = refused.filter(({ name }) => now - seen(hub).get(name)!.at >= believed);
  if (old.length > 0) await look(hub, old, now);
  refuseBy(
    refused.map((bound) => ({ ...bound, count: current(seen(hub).get(bound.name), bound, now) })),
    now,
    refuse,
  );
}

async function look(hub: Hub, bounds: readonly Bound[], now: number): Promise<void> {
  const keys = bounds.map(({ name }) => keyOf(hub, name));
  const rows = await hub.db.selectFrom("tally").selectAll().where("key", "in", keys).execute();
  for (const [at, bound] of bounds.entries()) {
    const row = rows.find(({ key }) => key === keys[at]);
    seen(hub).set(bound.name, { ...current(row && countOf(row), bound, now), at: now });
  }
}

function refuseBy(bounds: readonly (Bound & { count: Count })[], now: number, refuse: Refuse): void {
  for (const { refusedUntil, count } of bounds) {
    const until = refusedUntil(count);
    if (until !== undefined && until > now) throw refuse(Math.max(1, Math.ceil((until - now) / 1000)));
  }
}

function isRefused(count: Count, { refusedUntil }: Bound, now: number): boolean {
  return (refusedUntil(count) ?? now) > now;
}

function current(count: Count | undefined, { seconds }: Bound, now: number): Count {
  return count && count.endsAt > now ? count : { count: 0, endsAt: now + seconds * 1000, lastAt: 0 };
}

function countOf({ count, ends_at, last_at }: TallyTable): Count {
  return { count, endsAt: ends_at, lastAt: last_at };
}

/** What was counted so far, which nobody else changes until the transaction ends. */
async function hold(hub: Hub, bounds: readonly { key: string }[]): Promise<Map<string, Count>> {
  const rows = await hub.db
    .insertInto("tally")
    .values(bounds.map(({ key }) => ({ key, count: 0, ends_at: 0, last_at: 0 })))
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ count: sql`tally.count` }))
    .returningAll()
    .execute();
  return new Map(rows.map((row) => [row.key, countOf(row)]));
}

async function write(hub: Hub, rows: readonly TallyTable[]): Promise<void> {
  await hub.db
    .insertInto("tally")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({
        count: eb.ref("excluded.count"),
        ends_at: eb.ref("excluded.ends_at"),
        last_at: eb.ref("excluded.last_at"),
      })),
    )
    .execute();
}

/** Whoever has counted meanwhile keeps that. */
async function takeBack(hub: Hub, counted: readonly (Bound & { key: string; count: Count })[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const known = await hold(hub, counted);
    const rows = counted.flatMap(({ key, name, count: { endsAt, lastAt } }) => {
      const now = known.get(key);
      if (!now || now.endsAt !== endsAt) return [];
      const left = { count: now.count - 1, endsAt, lastAt };
      seen(hub).set(name, { ...left, at: hub.clock().getTime() });
      return [{ key, count: left.count, ends_at: endsAt, last_at: lastAt }];
    });
    if (rows.length > 0) await write(hub, rows);
  });
}
