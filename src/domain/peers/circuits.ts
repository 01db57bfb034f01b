import { sql } from "kysely";
import type { Selectable } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { PeerTable } from "../../storage/tables/elsewhere.ts";

/**
 * How it is with a host: whether requests to it are tried at all (federation contract 12.2). `good` ones answered the last
 * request, `doubtful` ones did not, `open` ones are only probed, and `dead` ones have been given up.
 */
export type HostState = "good" | "doubtful" | "open" | "dead";

type Circuit = Pick<Selectable<PeerTable>, "circuit" | "failures" | "failing_since" | "probes">;

/** So many failures in a row within so much time open the circuit. */
const mostFailures = 5;
const withinSeconds = 600;
const firstProbeSeconds = 1800;
const longestProbeSeconds = 24 * 3600;
const deadAfterSeconds = 14 * 24 * 3600;
/** Whoever probes a host has so long for it, before others try. */
const probeLeaseSeconds = 60;
const probesAtOnce = 16;

/** What a host is after it has answered. */
const closed = {
  circuit: "",
  failures: 0,
  failing_since: zeroDate,
  probes: 0,
  next_probe: zeroDate,
  dead_since: zeroDate,
};

/**
 * How it is with these hosts, until the end of the transaction; those of whom nothing is known are noted down. Part of a
 * transaction.
 */
export async function hostStates(hub: Hub, hosts: readonly string[]): Promise<Map<string, HostState>> {
  let known = hub.db
    .selectFrom("peer")
    .select(["host", "circuit", "failures"])
    .where(isOneOf(hub.engine, sql.ref("host"), hosts, "text"))
    .orderBy("host");
  if (hub.engine === "postgres") known = known.forShare();
  const found = new Map((await known.execute()).map((row) => [row.host, hostStateOf(row)]));
  await addPeers(
    hub,
    hosts.filter((host) => !found.has(host)),
  );
  return found;
}

function hostStateOf({ circuit, failures }: { circuit: string; failures: number }): HostState {
  if (circuit === "open" || circuit === "dead") return circuit;
  return failures === 0 ? "good" : "doubtful";
}

async function addPeers(hub: Hub, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return;
  const moment = now(hub);
  const rows = hosts.toSorted().map((host) => ({ host, first_contact: moment, last_contact: moment }));
  for (let at = 0; at < rows.length; at += 500)
    await hub.db
      .insertInto("peer")
      .values(rows.slice(at, at + 500))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** These hosts have answered. Answers those to whom nothing was tried before, for whom things may wait. Part of a transaction. */
export async function recordAnswers(hub: Hub, hosts: readonly string[]): Promise<string[]> {
  const moment = now(hub);
  const lately = momentIn(hub, -3600 * 1000);
  const rows = await compiled(hub, "answers that are news", { hosts, lately }, (slots) =>
    hub.db
      .selectFrom("peer")
      .select(["host", "circuit"])
      .where(isOneOf(hub.engine, sql.ref("host"), slots.hosts, "text"))
      .where(sql<boolean>`(circuit <> '' or failures > 0 or last_ok < ${slots.lately})`)
      .orderBy("host"),
  );
  for (const { host } of rows)
    await hub.db
      .updateTable("peer")
      .set({ ...closed, last_ok: moment, last_contact: moment })
      .where("host", "=", host)
      .execute();
  return rows.filter(({ circuit }) => circuit !== "").map(({ host }) => host);
}

/**
 * A request to this host has failed, which was made although the circuit was open (`isProbe`) or before. Answers how it is with
 * the host now. Part of a transaction.
 */
export async function recordFailure(hub: Hub, host: string, reason: string, isProbe: boolean): Promise<HostState> {
  await addPeers(hub, [host]);
  let known = hub.db.selectFrom("peer").selectAll().where("host", "=", host);
  if (hub.engine === "postgres") known = known.forUpdate();
  const before = await known.executeTakeFirstOrThrow();
  const changes = failedOnce(hub, before, isProbe);
  await hub.db
    .updateTable("peer")
    .set({ ...changes, last_failed: now(hub), last_error: reason.slice(0, 200) })
    .where("host", "=", host)
    .execute();
  return hostStateOf({ ...before, ...changes });
}

/**
 * This host answers, and does not take what it is sent: that shows where hosts are listed (federation contract 18.3). Part of a
 * transaction.
 */
export async function recordRefusal(hub: Hub, host: string, status: number): Promise<void> {
  await hub.db
    .updateTable("peer")
    .set({ last_failed: now(hub), last_error: String(status) })
    .where("host", "=", host)
    .execute();
}

function failedOnce(hub: Hub, before: Circuit, isProbe: boolean): Partial<Selectable<PeerTable>> {
  const { circuit, failures, failing_since, probes } = before;
  if (circuit === "dead" || (circuit === "open" && !isProbe)) return {};
  const moment = now(hub);
  if (circuit === "open") {
    if (failing_since <= momentIn(hub, -deadAfterSeconds * 1000)) return { circuit: "dead", dead_since: moment };
    const wait = Math.min(firstProbeSeconds * 2 ** (probes + 1), longestProbeSeconds);
    return { failures: failures + 1, probes: probes + 1, next_probe: momentIn(hub, wait * 1000) };
  }
  const isLong = failures === 0 || failing_since < momentIn(hub, -withinSeconds * 1000);
  const row = isLong ? { failures: 1, failing_since: moment } : { failures: failures + 1, failing_since };
  if (row.failures < mostFailures) return row;
  return { ...row, circuit: "open", probes: 0, next_probe: momentIn(hub, firstProbeSeconds * 1000) };
}

/** Takes over the probing of hosts of which that is due and for which something waits. Part of a transaction. */
export async function takeProbes(hub: Hub): Promise<string[]> {
  const moment = now(hub);
  const due = await hub.db
    .selectFrom("peer")
    .select("host")
    .where(sql<boolean>`circuit = 'open'`)
    .where("next_probe", "<=", moment)
    .where(sql<boolean>`exists (select 1 from delivery where delivery.host = peer.host and state = 'waiting')`)
    .orderBy("host")
    .limit(probesAtOnce)
    .execute();
  const taken: string[] = [];
  for (const { host } of due) {
    const { numUpdatedRows } = await hub.db
      .updateTable("peer")
      .set({ next_probe: momentIn(hub, probeLeaseSeconds * 1000) })
      .where("host", "=", host)
      .where("next_probe", "<=", moment)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) taken.push(host);
  }
  return taken;
}

/** A host of which it is only probed whether it answers is probed at once. */
export async function probeSoon(hub: Hub, host: string): Promise<void> {
  await hub.db
    .updateTable("peer")
    .set({ next_probe: now(hub) })
    .where("host", "=", host)
    .where("circuit", "=", "open")
    .execute();
}

/** A host that had been given up, or was only probed, is there again. Answers whether that is news. Part of a transaction. */
export async function revive(hub: Hub, host: string): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("peer")
    .set({ ...closed, last_contact: now(hub) })
    .where("host", "=", host)
    .where("circuit", "<>", "")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
