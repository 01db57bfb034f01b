import type { ErrorKind } from "../../refusals/row.ts";
import type { Endpoint, Method, OwnText } from "../endpoint.ts";
import type { Face } from "../face.ts";
import type { Failure } from "../exchange.ts";

/** What each status means, where an endpoint does not say it in its own words. */
export const meanings: Readonly<Record<number, string>> = {
  400: "A parameter is missing, or cannot be what it is.",
  401: "It needs credentials, or these are wrong.",
  403: "The caller may not do this.",
  404: "There is no such thing, or the caller may not see it.",
  409: "It is there already.",
  413: "It is too large.",
  415: "The body is of a type that cannot be read.",
  417: "The other network does not know this.",
  429: "Too many requests; `Retry-After` says how many seconds to wait.",
};

/** The statuses below 500 that an endpoint may answer in place of what was asked for, with its own words for them if it has any. */
export function failuresOf(face: Face, row: Endpoint, method: Method): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const kind of kindsOf(face, row, method)) found.set(statusOf(face, row, kind), []);
  for (const [reason, own] of Object.entries(row.errors ?? {}) as [string, OwnText][]) {
    const [status, words] = typeof own === "object" ? own : [statusOfReason(face, row, reason), own];
    if (status === undefined || status >= 500) continue;
    const known = found.get(status) ?? [];
    found.set(status, [...new Set([...known, words])]);
  }
  return new Map([...found].toSorted(([one], [other]) => one - other));
}

/** What can go wrong follows from what an endpoint takes and does. */
function kindsOf(face: Face, row: Endpoint, method: Method): ErrorKind[] {
  const takes = Object.keys(row.input.shape).length > 0;
  const hasBody = method !== "GET" && method !== "DELETE";
  return [
    "unauthenticated",
    ...(takes ? (["invalid", "missing"] as const) : []),
    ...(row.access === "channel" ? (["denied"] as const) : []),
    ...(row.writes ? (["conflict"] as const) : []),
    ...(hasBody ? (["too-large"] as const) : []),
    ...(hasBody && face.unknownBody === "refuse" ? (["unsupported"] as const) : []),
    "too-many",
  ];
}

function statusOf(face: Face, row: Endpoint, kind: ErrorKind): number {
  const own = row.errors?.[kind];
  return typeof own === "object" ? own[0] : sample(face, kind).status;
}

/** Reasons that are none of the domain's kinds belong to some kind that only whoever throws them knows. */
function statusOfReason(face: Face, row: Endpoint, reason: string): number | undefined {
  return isKind(reason) ? statusOf(face, row, reason) : undefined;
}

const kinds: Readonly<Record<ErrorKind, true>> = {
  invalid: true,
  unauthenticated: true,
  denied: true,
  missing: true,
  conflict: true,
  "too-large": true,
  unsupported: true,
  "too-many": true,
  unavailable: true,
};

function isKind(reason: string): reason is ErrorKind {
  return Object.hasOwn(kinds, reason);
}

/** The face's answer to a failure of this kind. */
export function sample(face: Face, kind: Failure["kind"], sentence = ""): { status: number; body: unknown } {
  const failure = { kind, reason: undefined, sentence, field: undefined, status: undefined };
  return face.failure(failure, { method: "GET", path: face.prefixes[0]! });
}
