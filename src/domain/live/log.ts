import { momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf, sqlDate } from "../../storage/sql.ts";
import { storedJson } from "../../stored-json.ts";
import { sql } from "kysely";
import type { LiveEvent } from "./event.ts";

/** What one transaction told. */
export type Told = { id: number; created: string; events: LiveEvent[] };

type Row = { id: number; created: string; told: string };

/** The number of what was told last; 0 where nothing was. */
export async function lastTold(hub: Hub): Promise<number> {
  const [row] = await compiled(hub, "last live event", {}, () =>
    hub.db.selectFrom("live_event").select("id").orderBy("id", "desc").limit(sql.lit(1)),
  );
  return row?.id ?? 0;
}

/** The number of what was told last before this moment, to the second; 0 where nothing was. */
export async function lastToldBefore(hub: Hub, moment: Date): Promise<number> {
  const [row] = await compiled(hub, "last live event before", { moment: sqlDate(moment) }, (slots) =>
    hub.db
      .selectFrom("live_event")
      .select("id")
      .where("created", "<", slots.moment)
      .orderBy("id", "desc")
      .limit(sql.lit(1)),
  );
  return row?.id ?? 0;
}

/** The number of the oldest that is still known; 0 where there is none. */
export async function firstTold(hub: Hub): Promise<number> {
  const [row] = await compiled(hub, "first live event", {}, () =>
    hub.db.selectFrom("live_event").select("id").orderBy("id").limit(sql.lit(1)),
  );
  return row?.id ?? 0;
}

/** At most `most` of what was told after that, and what was told by these numbers, in their order. */
export async function toldAfter(hub: Hub, after: number, most: number, also: readonly number[] = []): Promise<Told[]> {
  const rows = await compiled(hub, `live events, ${most}`, { after }, (slots) =>
    selectTold(hub).where("id", ">", slots.after).orderBy("id").limit(sql.lit(most)),
  );
  if (also.length === 0) return rows.map(read);
  const late = await selectTold(hub)
    .where(isOneOf(hub.engine, sql.ref("id"), also))
    .orderBy("id")
    .execute();
  return [...late, ...rows].map(read);
}

function selectTold(hub: Hub) {
  return hub.db.selectFrom("live_event").select(["id", "created", "told"]);
}

function read({ id, created, told }: Row): Told {
  return { id, created, events: storedJson<LiveEvent[]>(told) };
}

/** Milliseconds for which what was told is kept: who comes back later looks at everything anew. */
const keptFor = 3600_000;

/** Forgets what was told long ago; a scheduled job does this. The last one stays, so that numbers only grow. */
export async function trimLive(hub: Hub): Promise<void> {
  const [oldest, last] = [momentIn(hub, -keptFor), await lastTold(hub)];
  await removeInSteps((most) => {
    const first = hub.db.selectFrom("live_event").select(["id", "created"]).orderBy("id").limit(most).as("first");
    const old = hub.db.selectFrom(first).select("first.id").where("first.created", "<", oldest);
    return hub.db.deleteFrom("live_event").where("id", "in", old).where("id", "<", last).executeTakeFirst();
  });
}
