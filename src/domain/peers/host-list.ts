import { sql } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { contains, zeroDate } from "../../storage/sql.ts";
import { readHost } from "./hosts.ts";
import type { Peer } from "./peers.ts";
import { treatmentOf } from "./site-blocks.ts";
import type { Treatment } from "./site-blocks.ts";

/** What is shown of hubs in lists, with how they are treated. */
export type Host = Pick<
  Peer,
  | "host"
  | "software"
  | "software_version"
  | "first_contact"
  | "last_contact"
  | "circuit"
  | "failures"
  | "last_ok"
  | "last_failed"
  | "last_error"
> &
  Treatment & {
    /** How many people of it are known. */
    people: number;
    /** How many deliveries wait for it. */
    waiting: number;
  };

/** Hubs by name, those in whose name `text` is; `after` is the last one of the page before. */
export async function listHosts(
  hub: Hub,
  { after = "", text = "", count }: { after?: string; text?: string; count: number },
): Promise<Host[]> {
  const all = hostRows(hub).where("host", ">", after).orderBy("host").limit(count);
  const rows = await (text === "" ? all : all.where(contains(hub.engine, sql.ref("host"), sql`${text}`))).execute();
  return Promise.all(rows.map((row) => withTreatment(hub, row)));
}

/** One of them. Throws missing. */
export async function findHost(hub: Hub, name: string): Promise<Host> {
  const row = await hostRows(hub).where("host", "=", readHost(name)).executeTakeFirst();
  if (!row) throw missing("Host");
  return withTreatment(hub, row);
}

function hostRows(hub: Hub) {
  return hub.db
    .selectFrom("peer")
    .select(["host", "software", "software_version", "first_contact", "last_contact", "circuit", "failures"])
    .select(["last_ok", "last_failed", "last_error"])
    .select((eb) =>
      eb
        .selectFrom("actor")
        .select((inner) => inner.fn.countAll<number>().as("n"))
        .whereRef("actor.host", "=", "peer.host")
        .as("people"),
    )
    .select((eb) =>
      eb
        .selectFrom("delivery")
        .select((inner) => inner.fn.countAll<number>().as("n"))
        .whereRef("delivery.host", "=", "peer.host")
        .where("delivery.state", "=", "waiting")
        .as("waiting"),
    );
}

async function withTreatment<R extends { host: string; people: number | null; waiting: number | null }>(
  hub: Hub,
  row: R,
): Promise<R & Treatment & { people: number; waiting: number }> {
  const counts = { people: Number(row.people), waiting: Number(row.waiting) };
  return { ...row, ...counts, ...(await treatmentOf(hub, row.host)) };
}

/** Forgets how it went with a hub: requests to it are tried again as if it were met for the first time. Throws missing. */
export async function forgetHost(hub: Hub, name: string): Promise<void> {
  const { host } = await findHost(hub, name);
  await hub.db
    .updateTable("peer")
    .set({
      circuit: "",
      failures: 0,
      failing_since: zeroDate,
      next_probe: zeroDate,
      probes: 0,
      dead_since: zeroDate,
      scheme: "",
      scheme_since: zeroDate,
      scheme_failures: 0,
      last_failed: zeroDate,
      last_error: "",
    })
    .where("host", "=", host)
    .execute();
}
