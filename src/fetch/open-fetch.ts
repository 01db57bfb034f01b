import { version } from "../version.ts";
import { bareAnswer, copyOf, readAnswer } from "./answer.ts";
import type { Read } from "./answer.ts";
import { Connections } from "./connections.ts";
import type { Resolve } from "./connections.ts";
import { Failures } from "./failures.ts";
import type { Failure } from "./failures.ts";
import type { Fetch, FetchOptions } from "./fetch.ts";
import { follow } from "./follow.ts";
import type { Way } from "./follow.ts";
import { limitsOf } from "./purposes.ts";
import { Merging } from "./merging.ts";
import { reachOf } from "./reach.ts";

export type FetchSettings = {
  /** Names the hub to those whom it asks. */
  baseUrl: string;
  /** Asks hosts of private networks too, by any address. */
  allowPrivate: boolean;
  clock: () => Date;
  /** Looks up names; the machine's own way unless it is said. */
  resolve?: Resolve;
};

/** The one way out of the hub (federation contract 10), with the connections that it keeps and what it remembers. */
export function openFetch({ baseUrl, allowPrivate, clock, resolve }: FetchSettings): { fetch: Fetch; close(): void } {
  const connections = new Connections(clock, resolve);
  const memory = { failures: new Failures(clock), merging: new Merging<Read>() };
  const userAgent = `Hubbub/${version} (+${baseUrl})`;
  return {
    async fetch(url, options = {}) {
      const reach = reachOf(allowPrivate, options.within);
      const way = { connections, reach, userAgent };
      return isRead(options) ? read(memory, way, url, options) : follow(way, url, options);
    },
    close: () => connections.close(),
  };
}

/** What others publish. What is sent, and what the operator's own hosts have, is for whoever asks to try again. */
function isRead({ method = "GET", purpose, within = [] }: FetchOptions): boolean {
  return (
    method === "GET" && purpose !== "delivery" && purpose !== "import" && purpose !== "archive" && within.length === 0
  );
}

type Memory = { failures: Failures; merging: Merging<Read> };

/** What failed lately is not asked for again, and what several want at once is asked for once. */
async function read({ failures, merging }: Memory, way: Way, url: string, options: FetchOptions): Promise<Response> {
  const { headers, inNameOf = "", byHand = false, purpose = "document", signal } = options;
  const name = `${inNameOf} ${url}`;
  way.reach.checkUrl(url);
  const known = failures.of(name, byHand);
  if (known) return repeated(known, url);
  const go = async (signal?: AbortSignal): Promise<Response> => {
    try {
      const answer = await follow(way, url, { ...options, ...(signal && { signal }) });
      failures.record(name, answer.status >= 400 ? { status: answer.status } : undefined);
      return answer;
    } catch (error) {
      if (!signal?.aborted) failures.record(name, { error: error as Error });
      throw error;
    }
  };
  if (!limitsOf[purpose].whole) return go(signal);
  const same = JSON.stringify([purpose, name, headers]);
  return copyOf(await merging.join(same, signal, async (signal) => readAnswer(await go(signal))));
}

function repeated(failure: Failure, url: string): Response {
  if ("error" in failure) throw failure.error;
  return bareAnswer(failure.status, url);
}
