import type { Fetch } from "../fetch/fetch.ts";
import type { Databases } from "../storage/database.ts";
import type { StatementWatch } from "../storage/statement-watch.ts";

/** Ways to name what is being done, and to do what nobody waits for. */
export type WaysToWork = Pick<Databases, "nameWork" | "named">;

/**
 * What a process does, told to a program of the operator's: requests and jobs, each a trace, with their statements and what they ask of
 * other servers. Rows, jobs, statements without parameters and hosts are named; who asked, and for what, is never told.
 */
export type Traces = {
  /** Answers a request. */
  request(request: Request, answer: () => Promise<Response>): Promise<Response>;
  work(ways: WaysToWork): WaysToWork;
  statements(watch: StatementWatch): StatementWatch;
  fetch(fetch: Fetch): Fetch;
  /** Sends what has not been sent, within seconds. */
  close(): Promise<void>;
};
