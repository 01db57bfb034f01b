import type { Hub } from "./hub.ts";
import { sqlDate, zeroDate } from "./storage/sql.ts";

/** Rows are leased, not removed, by whoever works on them: what a process that dies had taken comes to others. */

/** Whoever does not say again that it is at work loses what it has taken after so many seconds. */
export const leaseSeconds = 12;
/** How often it says so (milliseconds). */
export const renewalMilliseconds = 4000;
/** Who could not say so while the database was away has so many milliseconds for it afterwards. */
const grace = 5000;

/** What one worker knows of the leases of all. */
export class Leases {
  #away = -Infinity;

  /** The database has not answered this worker. */
  noteAway(): void {
    this.#away = performance.now();
  }

  /** Leases until then are over. */
  over(hub: Pick<Hub, "clock">): string {
    return performance.now() - this.#away < grace ? zeroDate : sqlDate(hub.clock());
  }
}
