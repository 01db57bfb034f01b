/** Seconds within which something may have been done, for those who ask how long most of it takes. */
export const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** How often something was done and how long it took, all in all and by the bounds. */
export class Durations {
  count = 0;
  seconds = 0;
  longest = 0;
  /** How many were done within each bound and not within the one before; the last ones took longer than all. */
  readonly within = Array.from({ length: bounds.length + 1 }, () => 0);

  add(seconds: number): void {
    this.count++;
    this.seconds += seconds;
    if (seconds > this.longest) this.longest = seconds;
    let place = 0;
    while (place < bounds.length && seconds > bounds[place]!) place++;
    this.within[place]!++;
  }
}

/** A row of a table that answers requests: the face whose table it is, the method, and its path in there. */
export type RequestRow = { face: string; method: string; row: string };

/** The requests that one row has answered. */
export type RowRequests = RequestRow & { durations: Durations; statuses: Map<number, number> };

/** What is asked of a process: what other hubs deliver, and everything else. */
export type Asked = "requests" | "deliveries";

/** How jobs of one kind ended: done, to be tried again, or given up. */
export type JobEnd = "done" | "failed" | "dead";

/**
 * What one process has done since it began. Whoever wants to know how much that is for some time looks twice: nothing here is ever
 * set back.
 */
export class Counters {
  readonly #requests = new Map<string, RowRequests>();
  /** Statements on the database, as long as they took there. */
  readonly statements = new Durations();
  slowStatements = 0;
  /** Requests that were refused because more was asked than the process could do. */
  readonly refused: Record<Asked, number> = { requests: 0, deliveries: 0 };
  /** What might have been a second old, by where it was read in the end. */
  readonly replicaReads = { replica: 0, primary: 0 };
  readonly #jobs = new Map<string, { durations: Durations; ends: Record<JobEnd, number> }>();
  /** What went to other hubs and what came from them, by queue and how it ended. */
  readonly #queues = new Map<string, Map<string, number>>();

  /** Requests to S3 servers, by what they were for. */
  readonly #s3 = new Map<string, { durations: Durations; failures: number }>();

  get requests(): Iterable<RowRequests> {
    return this.#requests.values();
  }

  get jobs(): Iterable<[kind: string, of: { durations: Durations; ends: Record<JobEnd, number> }]> {
    return this.#jobs;
  }

  get queues(): Iterable<[queue: string, ends: ReadonlyMap<string, number>]> {
    return this.#queues;
  }

  get s3(): Iterable<[use: string, of: { durations: Durations; failures: number }]> {
    return this.#s3;
  }

  countRequest({ face, method, row }: RequestRow, status: number, seconds: number): void {
    const key = `${face} ${method} ${row}`;
    let of = this.#requests.get(key);
    if (!of) this.#requests.set(key, (of = { face, method, row, durations: new Durations(), statuses: new Map() }));
    of.durations.add(seconds);
    of.statuses.set(status, (of.statuses.get(status) ?? 0) + 1);
  }

  countJob(kind: string, end: JobEnd, seconds: number): void {
    let of = this.#jobs.get(kind);
    if (!of) this.#jobs.set(kind, (of = { durations: new Durations(), ends: { done: 0, failed: 0, dead: 0 } }));
    of.durations.add(seconds);
    of.ends[end]++;
  }

  countQueued(queue: string, end: string): void {
    let of = this.#queues.get(queue);
    if (!of) this.#queues.set(queue, (of = new Map<string, number>()));
    of.set(end, (of.get(end) ?? 0) + 1);
  }

  /** Counts requests to an S3 server for one use: the seconds until each was answered, and those that failed. */
  ofS3(use: string): (seconds: number, failed: boolean) => void {
    return (seconds, failed) => {
      let of = this.#s3.get(use);
      if (!of) this.#s3.set(use, (of = { durations: new Durations(), failures: 0 }));
      of.durations.add(seconds);
      if (failed) of.failures++;
    };
  }
}
