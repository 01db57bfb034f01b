import type { Hub } from "./hub.ts";
import { fromSqlDate, sqlDate } from "./storage/sql.ts";

const watch = Symbol("watch");

/** Who is told until when something holds, and the clock that nobody watches. */
type Watch = Pick<Hub, "clock"> & { lasts: (until: number) => void };

/**
 * The hub for making something that is kept: `lasts` is told until when (in milliseconds) what is made with it holds, as far as
 * that follows from the time. Whoever asks for the very moment makes something that holds no longer than that.
 */
export function watched(hub: Hub, lasts: Watch["lasts"]): Hub {
  const clock = (): Date => {
    lasts(0);
    return hub.clock();
  };
  return Object.assign({ ...hub, clock }, { [watch]: { clock: hub.clock, lasts } });
}

/** Has this date, in the stored form, come? What follows from the answer holds until it does. */
export function hasCome(hub: Hub & { [watch]?: Watch }, date: string): boolean {
  const { clock, lasts } = hub[watch] ?? { clock: hub.clock, lasts: undefined };
  const come = date <= sqlDate(clock());
  if (!come) lasts?.(fromSqlDate(date).getTime());
  return come;
}
