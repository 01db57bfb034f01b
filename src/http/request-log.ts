import { randomBytes } from "node:crypto";
import type { RequestRow } from "../counters.ts";
import type { Hub } from "../hub.ts";

/** What a proxy may name a request; anything else could break a line of the log, or fill it. */
const givenName = /^[\w.:/+=@-]{1,128}$/;

/**
 * Names requests, unlike those of other processes and of earlier runs. The operator's own proxy may have named one already (`given`, its
 * header `X-Request-Id`), so that its log and ours speak of the same.
 */
export function requestIds({ config: { trustProxy } }: Hub): (given: string | null | undefined) => string {
  const run = randomBytes(5).toString("hex");
  let count = 0;
  return (given) => (trustProxy && given && givenName.test(given) ? given : `${run}-${(++count).toString(36)}`);
}

/** What a row answers for; of no row where there is none for a request. */
export type Answering = { face: string; row: string | undefined };

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The row under which a request is counted: what nobody has written down could be anything. */
function countedAs(method: string, { face, row = "none" }: Answering): RequestRow {
  return { face, method: methods.has(method) ? method : "other", row };
}

/** Counts a request that has been answered, and writes one line for it without the query: that may hold secrets. */
export function endRequest(
  hub: Hub,
  request: { id: string; method: string; path: string },
  answering: Answering,
  status: number,
  took: number,
): void {
  const { id, method, path } = request;
  hub.counters.countRequest(countedAs(method, answering), status, took / 1000);
  if (!hub.log.isEnabledFor("info")) return;
  hub.log.info("{method} {path} {status} {ms} ms {id}", { method, path, status, ms: Math.round(took * 10) / 10, id });
}
