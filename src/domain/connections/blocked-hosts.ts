import { sql } from "kysely";
import type { Expression, RawBuilder, Selectable, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { asFlag, isOneOf } from "../../storage/sql.ts";
import type { HostBlockTable } from "../../storage/tables/connections.ts";

/**
 * A channel wants nothing of a whole host (federation contract 13). `mute`: what people there write is not shown to it. `block`: besides,
 * they see nothing of its that is not public, and those who followed it do so no more. Without a port a host stands for all its ports.
 */
export const hostBlockKinds = ["block", "mute"] as const;
export type HostBlockKind = (typeof hostBlockKinds)[number];
export type HostBlock = Pick<Selectable<HostBlockTable>, "id" | "host" | "created"> & { kind: HostBlockKind };

/** The hosts that the channel has blocked or muted, by name. */
export async function listHostBlocks(hub: Hub, uid: number): Promise<HostBlock[]> {
  const rows = await hub.db
    .selectFrom("host_block")
    .select(["id", "host", "kind", "created"])
    .where("uid", "=", uid)
    .orderBy("host")
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind === "mute" ? "mute" : "block" }));
}

/** The people of hosts that the channel has blocked, or muted: a query for their ids (`id`). */
export function peopleOfHosts(
  uid: RawBuilder<unknown> | number,
  which: "both" | "blocked",
): RawBuilder<{ id: number }> {
  const kind = which === "blocked" ? sql` and hb.kind = 'block'` : sql``;
  // Two ranges of one index: the name itself, and the name with any port.
  return sql<{ id: number }>`select ha.xchan_id as id from host_block hb join actor ha on ha.host = hb.host
    where hb.uid = ${uid}${kind}
    union all select ha.xchan_id as id from host_block hb join actor ha on ha.host > hb.host || ':' and ha.host < hb.host || ';'
    where hb.uid = ${uid}${kind}`;
}

/** Those of these people, by xchan_id, whose host the channel has blocked. */
export async function withBlockedHost(hub: Hub, uid: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const people = peopleOfHosts(uid, "blocked");
  const rows = await hub.db
    .selectFrom(sql<{ id: number }>`(${people})`.as("found"))
    .select("id")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Of an identity: has the channel not blocked its host? */
export function isNotAtBlockedHost(uid: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`xchan.xchan_id not in (${peopleOfHosts(uid, "blocked")})`;
}

/** Has the channel blocked the host of this actor, by their id? */
export function blocksHostOf(uid: Expression<unknown> | number, id: string): RawBuilder<SqlBool> {
  return blocksHost(uid, new URL(id));
}

/** The same for values that may come when the statement runs. */
export function blocksHost(
  uid: Expression<unknown> | number,
  { host, hostname }: { host: Expression<string> | string; hostname: Expression<string> | string },
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from host_block hb
    where hb.uid = ${uid} and hb.kind = 'block' and hb.host in (${host}, ${hostname}))`;
}

/** The same as an answer. */
export async function hasBlockedHostOf(hub: Hub, uid: number, id: string): Promise<boolean> {
  const row = await hub.db.selectNoFrom(asFlag(blocksHostOf(uid, id)).as("yes")).executeTakeFirstOrThrow();
  return row.yes === 1;
}
