/** What came of a request to an inbox. */
export type Answer = {
  /** The way of signing that was used last; empty when nothing was sent. */
  scheme: string;
} & (
  | { status: number; retryAfter?: number | undefined }
  /** Nobody answered in time; or nothing can be sent to such an address, or signed by such a sender. */
  | { fault: "unreachable" | "unusable"; detail: string }
);

/** How a delivery ends, or goes on. */
export type End = { scheme: string; status: number } & (
  | { kind: "done" }
  | { kind: "failed"; reason: Reason }
  /** It is tried again after some time; `after` is in seconds. */
  | { kind: "again"; reason: Reason; after: number; blames: boolean; detail: string }
  /** The signature was not taken. */
  | { kind: "refused" }
  /** Those behind the inbox may have another one by now. */
  | { kind: "readdress"; reason: "moved" | "gone" }
);

/** Why a delivery has not ended well, as it is stored; faces have the words. */
export type Reason =
  | "unreachable"
  | "unusable"
  | "status"
  | "refused"
  | "refused_again"
  | "moved"
  | "gone"
  | "too_late"
  | "host_dead"
  | "dropped"
  | "withdrawn";

const longestRetryAfter = 24 * 3600;
const temporary = new Set([302, 303, 307, 408, 425, 429]);

/** What an answer means (the table of federation contract 12.2). */
export function meaningOf(answer: Answer): End {
  const { scheme } = answer;
  if ("fault" in answer) {
    const { fault: reason, detail } = answer;
    if (reason === "unusable") return { kind: "failed", reason, scheme, status: 0 };
    return { kind: "again", reason, after: 0, blames: true, detail, scheme, status: 0 };
  }
  const { status, retryAfter = 0 } = answer;
  const all = { scheme, status };
  if (status >= 200 && status < 300) return { kind: "done", ...all };
  if (status === 401 || status === 403) return { kind: "refused", ...all };
  if (status === 404 || status === 410) return { kind: "readdress", reason: "gone", ...all };
  if (status === 301 || status === 308) return { kind: "readdress", reason: "moved", ...all };
  if (temporary.has(status) || status < 200 || status >= 500) {
    const after = Math.min(Math.max(retryAfter, 0), longestRetryAfter);
    return { kind: "again", reason: "status", after, blames: status >= 500, detail: String(status), ...all };
  }
  return { kind: "failed", reason: "status", ...all };
}

const firstWait = 60;
const longestWait = 12 * 3600;
const jitter = 0.2;

/** Seconds until a delivery is tried again that has been tried so often. */
export function waitAfter(attempts: number, random = Math.random()): number {
  const wait = Math.min(firstWait * 3 ** (attempts - 1), longestWait);
  return Math.round(wait * (1 - jitter + 2 * jitter * random));
}
