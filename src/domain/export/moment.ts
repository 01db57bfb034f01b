import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";

const keys = {
  abook: "abook_id",
  pgrp_member: "id",
  event: "id",
  conv: "id",
  mail: "id",
  item: "id",
  notify: "id",
} as const;

/**
 * The last ids of the tables that grow, at the moment when an export begins. Whatever is added later is not in it, so
 * that its lists fit together; and nobody who writes has to wait, as long as it may take the client to read.
 */
export type Moment = Record<keyof typeof keys, number>;

/** What the sections of an export are read from. */
export type Source = { hub: Hub; channel: Channel; moment: Moment };

/** Begins an export: one statement looks at all tables at the same time. */
export async function beginExport(hub: Hub, channel: Channel): Promise<Source> {
  const columns = Object.entries(keys).map(
    ([table, key]) =>
      sql`(select coalesce(max(${sql.ref(key)}), 0) from ${sql.table(table)}) as ${sql.ref(`last_${table}`)}`,
  );
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(hub.db);
  const moment = Object.fromEntries(Object.keys(keys).map((table) => [table, Number(rows[0]![`last_${table}`])]));
  return { hub, channel, moment: moment as Moment };
}
