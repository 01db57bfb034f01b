import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

/** What a server runs, as it says itself. */
export type Software = { name: string; version: string };

const askedEvery = 24 * 3600 * 1000;
const longest = 100;

/** Hosts of people who are known, which answer, and have not been asked for a day; those first that were asked longest ago. */
export async function hostsToAsk(hub: Hub, count: number): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("peer")
    .select("host")
    .where("software_asked", "<=", momentIn(hub, -askedEvery))
    .where("circuit", "=", "")
    .where(sql<SqlBool>`exists (select 1 from actor where actor.host = peer.host)`)
    .orderBy("software_asked")
    .limit(count)
    .execute();
  return rows.map(({ host }) => host);
}

/** A host has been asked; what was known stays where it says nothing. */
export async function recordSoftware(hub: Hub, host: string, said: Software | undefined): Promise<void> {
  await hub.db
    .updateTable("peer")
    .set({
      software_asked: now(hub),
      ...(said && {
        software: said.name.toLowerCase().slice(0, longest),
        software_version: said.version.slice(0, longest),
      }),
    })
    .where("host", "=", host)
    .execute();
}

/**
 * Software that shows an answer in a private thread to all who have the thread: it understands what the thread's owner hands on
 * (federation contract 6.2). Elsewhere an answer is between its writer, the owner and those whom it mentions.
 */
export const keepsGroupsTogether = ["hubbub", "hubzilla", "streams", "forte"] as const;
