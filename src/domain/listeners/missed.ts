import type { Hub } from "../../hub.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import { firstTold, lastToldBefore, toldAfter } from "../live/log.ts";
import type { Told } from "../live/log.ts";
import type { Heard } from "./heard.ts";
import type { Listener } from "./listener.ts";
import { resolve } from "./resolve.ts";

/** Of more transactions it is only said that they were. */
const most = 1000;
/** On PostgreSQL a transaction that ended a moment later may have a smaller number: so many are looked at again ... */
const overlap = 20;
/** ... if they are not older than so many milliseconds. */
const aMoment = 2000;

/** What this one hears of all that was told after the one number, or since a moment, up to the other number. */
export async function missedBy(
  hub: Hub,
  listener: Listener,
  { after: from, last }: { after: number | Date; last: number },
): Promise<Heard[]> {
  const after = typeof from === "number" ? from : await lastToldBefore(hub, from);
  if (after > last || after + 1 < (await firstTold(hub))) return [{ what: "missed" }];
  const told = await toldAfter(hub, hub.engine === "postgres" ? after - overlap : after, most + overlap);
  const missed = told.filter(({ id }) => id > after);
  if (missed.length > most) return [{ what: "missed" }];
  const events = [...lateOnes(told, after), ...missed].filter(({ id }) => id <= last).flatMap((one) => one.events);
  return (await resolve(hub, events, [listener])).get(listener) ?? [];
}

/** Those that may have ended after the one with this number. */
function lateOnes(told: readonly Told[], after: number): Told[] {
  const before = told.filter(({ id }) => id <= after);
  const known = before.find(({ id }) => id === after);
  if (!known) return before;
  const oldest = fromSqlDate(known.created).getTime() - aMoment;
  return before.filter(({ id, created }) => id < after && fromSqlDate(created).getTime() >= oldest);
}
