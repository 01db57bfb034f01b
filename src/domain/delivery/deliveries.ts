import { sql } from "kysely";
import { cache } from "../../caches.ts";
import { Stopping } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf } from "../../storage/sql.ts";
import { takeProbes } from "../peers/circuits.ts";
import { knownScheme } from "../peers/schemes.ts";
import { meaningOf } from "./answers.ts";
import type { End } from "./answers.ts";
import type { Courier, Delivery } from "./delivery.ts";
import { dueDeliveries } from "./due.ts";
import { settleDeliveries } from "./settle-deliveries.ts";
import { doubtful, urgent } from "./states.ts";
import type { Queue } from "./worker.ts";
import { storedJson } from "../../stored-json.ts";

/** Requests under way at once in each process, and at one host (federation contract 12.2). */
const [together, perHost] = [64, 4];
/** Whoever has not answered by then takes no place from others (decision 145). */
const slow = { milliseconds: 300, together: 512 };
/** Of them those that many get, and those to hosts that did not answer the last time: there is always room for others. */
const [mostBulk, mostDoubtful] = [56, 32];
/** Behind one personal inbox there are hardly more. */
const mostMetAgain = 4;

/** What goes out. */
export function deliveries(courier: Courier): Queue<Delivery, End> {
  return {
    name: "outgoing",
    table: "delivery",
    together,
    perHost,
    slow,
    prepare: letProbe,
    due: (hub, room, underWay) =>
      dueDeliveries(hub, room, {
        bulk: Math.max(mostBulk - underWay.filter(({ priority }) => priority !== urgent).length, 0),
        doubtful: Math.max(mostDoubtful - underWay.filter(({ priority }) => priority === doubtful).length, 0),
      }),
    load,
    run: (hub, delivery, signal) => deliver(hub, courier, delivery, signal),
    broken,
    settle: settleDeliveries,
  };
}

/** A fault of ours, of which the host knows nothing. */
function broken(error: unknown): End {
  return { kind: "again", reason: "unusable", after: 0, blames: false, detail: String(error), scheme: "", status: 0 };
}

/** Of what waits for a host that is only probed, the first is tried. */
async function letProbe(hub: Hub): Promise<void> {
  for (const host of await takeProbes(hub)) {
    const waiting = hub.db
      .selectFrom("delivery")
      .where("host", "=", host)
      .where(sql<boolean>`state = 'waiting'`);
    await hub.db
      .updateTable("delivery")
      .set({ next_at: now(hub) })
      .where(
        "id",
        "=",
        waiting.select((eb) => eb.fn.min("id").as("id")),
      )
      .execute();
  }
}

async function load(hub: Hub, ids: readonly number[]): Promise<Delivery[]> {
  const rows = await compiled(hub, "deliveries to make", { ids }, (slots) =>
    hub.db
      .selectFrom("delivery")
      .leftJoin("peer", "peer.host", "delivery.host")
      .select(["delivery.id", "activity", "inbox", "delivery.host", "delivery.object_id", "shared", "recipients"])
      .select(["priority", "attempts", "delivery.created", "delivery.last_error"])
      .select(["scheme", "scheme_since", "circuit"])
      .where(isOneOf(hub.engine, sql.ref("delivery.id"), slots.ids)),
  );
  const activities = await activitiesOf(hub, new Set(rows.map(({ activity }) => activity)));
  return rows.map(({ object_id, last_error, shared, recipients, scheme, scheme_since, circuit, ...row }) => ({
    ...row,
    ...activities.get(row.activity)!,
    objectId: object_id,
    lastError: last_error,
    isShared: shared === 1,
    isProbe: circuit === "open",
    people: storedJson<number[]>(recipients),
    scheme: knownScheme(hub, { scheme: scheme ?? "", scheme_since: scheme_since ?? "" }),
  }));
}

type Activity = Pick<Delivery, "sender" | "bytes">;

/** What goes to many hosts goes to them about the same time. */
const sentLately = cache<number, Activity>(16);

/** They never change, and each is read once for all of its inboxes. */
async function activitiesOf(hub: Hub, ids: ReadonlySet<number>): Promise<Map<number, Activity>> {
  const known = [...ids].flatMap((id) => {
    const activity = sentLately(hub).get(id);
    return activity ? [[id, activity] as const] : [];
  });
  const activities = new Map(known);
  const missing = [...ids].filter((id) => !activities.has(id));
  if (missing.length === 0) return activities;
  const rows = await hub.db
    .selectFrom("outbox_activity")
    .select(["id", "sender", "bytes"])
    .where(isOneOf(hub.engine, sql.ref("id"), missing))
    .execute();
  for (const { id, sender, bytes } of rows) {
    const activity = { sender, bytes: Buffer.from(bytes) };
    activities.set(id, activity);
    sentLately(hub).set(id, activity);
  }
  return activities;
}

async function deliver(hub: Hub, courier: Courier, delivery: Delivery, signal: AbortSignal): Promise<End> {
  const end = meaningOf(await courier.post(hub, delivery));
  if (end.kind === "again" && signal.aborted) throw new Stopping();
  if (end.kind !== "readdress" || (end.reason === "gone" && delivery.isShared)) return end;
  // One of those behind an inbox of all says where it is now.
  const asked = delivery.people.slice(0, delivery.isShared ? 1 : mostMetAgain);
  for (const person of asked) await courier.meetAgain(hub, person);
  return end;
}
