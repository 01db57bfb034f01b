/** What kind of failure it is; every face has one table from kind to status and body. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "denied"
  | "missing"
  | "conflict"
  | "too-large"
  | "unsupported"
  | "too-many"
  | "unavailable";

type Details = {
  /** Stable token for programs where the kind alone is too coarse (native contract 1.8). */
  reason?: string;
  /** Name of the parameter at fault. */
  field?: string;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
  /** How many bytes were sent, of what is too large. */
  size?: number;
  /** Further fields of the error object, where an endpoint promises some. */
  more?: Readonly<Record<string, string>>;
  /** What happened underneath; goes to the log, never to the caller. */
  cause?: unknown;
};

/** The one error that the domain throws on purpose: a kind, a sentence that anybody may read, and a private cause. */
export class HubError extends Error {
  readonly kind: ErrorKind;
  readonly reason: string | undefined;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly size: number | undefined;
  readonly more: Readonly<Record<string, string>> | undefined;

  constructor(kind: ErrorKind, sentence: string, details: Details = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "HubError";
    this.kind = kind;
    this.reason = details.reason;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.size = details.size;
    this.more = details.more;
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

/** The same answer for what does not exist and for what the caller may not see. */
export function missing(what: string): HubError {
  return new HubError("missing", `${what} not found.`);
}
