import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { isOneOf } from "../../storage/sql.ts";
import { momentIn, now } from "../../hub.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import type { Hub } from "../../hub.ts";

/** What a server runs, as it says itself, and the id of the actor that reads for all of it, where it names one. */
export type Software = { name: string; version: string; application?: string };

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
        ...(said.name !== "" && {
          software: said.name.toLowerCase().slice(0, longest),
          software_version: said.version.slice(0, longest),
        }),
        application: comparableId(said.application ?? ""),
      }),
    })
    .where("host", "=", host)
    .execute();
}

/** Software that hides what is for some people alone from whomever it does not mention (federation contract 5). */
const hidesUnmentioned = ["gotosocial"] as const;

/** Those of these hosts that run such software, as far as is known. */
export async function hostsThatHideUnmentioned(hub: Hub, hosts: readonly string[]): Promise<Set<string>> {
  if (hosts.length === 0) return new Set();
  const rows = await hub.db
    .selectFrom("peer")
    .select("host")
    .where(isOneOf(hub.engine, sql.ref("host"), hosts))
    .where("software", "in", hidesUnmentioned)
    .execute();
  return new Set(rows.map(({ host }) => host));
}

/** Does the host of this actor name it as the one that reads for all of it? */
export async function readsForHost(hub: Hub, actorId: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("peer")
    .select("id")
    .where("host", "=", new URL(actorId).host)
    .where("application", "=", comparableId(actorId))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Software that shows an answer in a private thread to all who have the thread: it understands what the thread's owner hands on
 * (federation contract 6.2). Elsewhere an answer is between its writer, the owner and those whom it mentions.
 */
export const keepsGroupsTogether = ["hubbub", "hubzilla", "streams", "forte"] as const;
