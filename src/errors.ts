import { inspect } from "node:util";
import { refusals } from "./refusals/refusals.ts";
import type { Code, DataOf } from "./refusals/refusals.ts";
import type { ErrorKind } from "./refusals/row.ts";
import type { Thing } from "./refusals/things.ts";

type Details = {
  /** Which of the hub's reasons it is, and what goes with it. */
  code?: Code | undefined;
  data?: object | undefined;

  /** Stable token for programs where the kind alone is too coarse (native contract 1.8). */
  reason?: string | undefined;
  /** Name of the parameter at fault. */
  field?: string | undefined;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number | undefined;
  /** How many bytes were sent, of what is too large. */
  size?: number | undefined;
  /** Further fields of the error object, where an endpoint promises some. */
  more?: Readonly<Record<string, unknown>> | undefined;
  /** What happened underneath; goes to the log, never to the caller. */
  cause?: unknown;
};

/** What is thrown on purpose, with a private cause. What the domain throws has a code (`refusal`), and faces have the words. */
export class HubError extends Error {
  readonly kind: ErrorKind;
  readonly code: Code | undefined;
  readonly data: object;
  readonly reason: string | undefined;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly size: number | undefined;
  readonly more: Readonly<Record<string, unknown>> | undefined;

  constructor(kind: ErrorKind, sentence: string, details: Details = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "HubError";
    this.kind = kind;
    this.code = details.code;
    this.data = details.data ?? {};
    this.reason = details.reason;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.size = details.size;
    this.more = details.more;
  }
}

/**
 * What concerns everybody alike, whatever they ask for, and may be over in a moment: no endpoint has words of its own for
 * it. It is the same at every request meanwhile, so the log has a line for each.
 */
export class OutOfOrder extends HubError {
  /** What it is, for the log. */
  readonly #what: string;

  constructor(code: Code, what: string, details: { cause: unknown; retryAfter: number }) {
    super("unavailable", code, { ...details, code });
    this.#what = what;
  }

  [inspect.custom](): string {
    // Several addresses of one host fail with several errors.
    const cause: unknown = this.cause instanceof AggregateError ? this.cause.errors[0] : this.cause;
    return `${this.#what} (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

/** What is there because it has just been written, or because nothing removes it; without it the hub itself has failed. */
export function certain<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`There is no ${what} where one must be`);
  return value;
}

/** What an error of a library or of the system says beside its message, such as its `code`. */
export function detailOf(error: unknown, name: "code" | "errcode" | "routine" | "severity"): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

/** The database cannot be reached, has ended what was under way, or is too busy. */
export class DatabaseAway extends OutOfOrder {
  constructor(cause: unknown) {
    super("database_away", "the database does not answer", { retryAfter: 5, cause });
    this.name = "DatabaseAway";
  }
}

/** The database has undone a transaction because another one and this stood in each other's way; begun anew, it may succeed. */
export class Collision extends DatabaseAway {}

/** The database has ended a statement that took too long, or that its operator ended. */
export class StatementEnded extends DatabaseAway {}

/** The disk takes nothing: it is full, or can only be read. */
export class DiskRefuses extends OutOfOrder {
  constructor(state: "full" | "read-only", cause: unknown) {
    const code = state === "full" ? "disk_full" : "disk_read_only";
    super(code, `the disk is ${state}`, { retryAfter: 60, cause });
    this.name = "DiskRefuses";
  }
}

/** The server that has the blobs cannot be reached, or refuses the hub. */
export class BlobsAway extends OutOfOrder {
  constructor(cause: unknown) {
    super("blobs_away", "the blob store does not answer", { retryAfter: 5, cause });
    this.name = "BlobsAway";
  }
}

/** More is asked of the hub than it can do: this has not been begun, and others would have had to wait for it. */
export class Overloaded extends OutOfOrder {
  constructor(cause: string) {
    super("overloaded", "too much is asked", { retryAfter: 10, cause });
    this.name = "Overloaded";
  }
}

/** The hub is being stopped: what has not begun yet does not begin any more. */
export class Stopping extends HubError {
  constructor() {
    super("unavailable", "stopping", { retryAfter: 5, code: "stopping" });
    this.name = "Stopping";
  }
}

/** What the work answers, or undefined when it throws missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HubError && error.kind === "missing") return undefined;
    throw error;
  }
}

/** What may go with any refusal. */
type Circumstances = Pick<Details, "reason" | "field" | "retryAfter" | "size" | "cause">;

type Arguments<C extends Code> =
  object extends DataOf<C> ? [circumstances?: Circumstances] : [data: DataOf<C> & Circumstances];

/** The hub's refusal of this code; it is for whoever calls to throw it. */
export function refusal<C extends Code>(code: C, ...[given = {}]: Arguments<C>): HubError {
  const { kind, field } = refusals[code];
  const { reason, cause, retryAfter, size, ...data } = given;
  const told = Object.keys(data).length > 0 ? ` ${JSON.stringify(data)}` : "";
  return new HubError(kind, code + told, { reason, field: data.field ?? field, cause, retryAfter, size, code, data });
}

/** The same answer for what does not exist and for what the caller may not see. */
export function missing(what: Thing): HubError {
  return refusal("missing", { what });
}

/** What was computed in a thread took longer than it may (threads.ts). */
export class TookTooLong extends Error {}
