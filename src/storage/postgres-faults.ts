import { Collision, DatabaseAway, DiskRefuses, StatementEnded, detailOf } from "../errors.ts";

const noRoom = "53100";
const readOnly = "25006";
const ended = "57014";
/** Two transactions wait for each other, or cannot both have come first. */
const collisions = ["40P01", "40001"];

/**
 * Classes of SQLSTATE that say nothing about the statement: connection, rolled back for the sake of others, resources,
 * intervention of the operator, the system underneath. Besides, a lock that is not given.
 */
const passing = /^(?:08|40|53|57|58|55P03)/;

/** Has the server ended the connection with this error? */
export function isFatal(error: unknown): boolean {
  const severity = detailOf(error, "severity");
  return severity === "FATAL" || severity === "PANIC";
}

/** Have the tables got other columns since the statement was prepared? A program of the next version may add some at any moment. */
export function isOutdated(error: unknown): boolean {
  return detailOf(error, "code") === "0A000" && detailOf(error, "routine") === "RevalidateCachedQuery";
}

/** What an error of a statement means to callers: a disk that takes nothing or a server that went away is no fault of the program. */
export function faultOf(error: unknown, isGone: boolean): unknown {
  const code = String(detailOf(error, "code"));
  if (code === noRoom) return new DiskRefuses("full", error);
  if (code === readOnly) return new DiskRefuses("read-only", error);
  if (collisions.includes(code) || isOutdated(error)) return new Collision(error);
  if (code === ended) return new StatementEnded(error);
  return isGone || isFatal(error) || passing.test(code) ? new DatabaseAway(error) : error;
}
