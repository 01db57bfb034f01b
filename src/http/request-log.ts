import { randomBytes } from "node:crypto";
import type { Hub } from "../hub.ts";

/** Names for requests, unlike those of other processes and of earlier runs. */
export function requestIds(): () => string {
  const run = randomBytes(5).toString("hex");
  let count = 0;
  return () => `${run}-${(++count).toString(36)}`;
}

/** One line for each request, without the query: that may hold secrets. */
export function logRequest(
  hub: Hub,
  request: { id: string; method: string; path: string },
  status: number,
  took: number,
): void {
  if (!hub.log.isEnabledFor("info")) return;
  const { id, method, path } = request;
  hub.log.info("{method} {path} {status} {ms} ms {id}", { method, path, status, ms: Math.round(took * 10) / 10, id });
}
