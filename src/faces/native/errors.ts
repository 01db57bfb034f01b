import type { Exchange } from "../../http/exchange.ts";
import { reasons, reasonsOf } from "./reasons.ts";
import type { Reason } from "./reasons.ts";
import type { Failure } from "../../http/exchange.ts";

/** The reason of a failure whose thrower gave none of the contract's. */
const reasonOfKind: Readonly<Record<Failure["kind"], Reason>> = {
  invalid: "bad_parameter",
  unauthenticated: "unauthorized",
  denied: "permission_denied",
  missing: "not_found",
  conflict: "conflict",
  "too-large": "too_large",
  unsupported: "unsupported_media",
  "too-many": "rate_limited",
  unavailable: "server_error",
  method: "method_not_allowed",
  unknown: "not_implemented",
  broken: "server_error",
};

function reasonOf({ reason, kind }: Failure): Reason {
  const own = Object.entries(reasonsOf).find(([code]) => code === reason)?.[1];
  if (own) return own;
  return reason !== undefined && isReason(reason) ? reason : reasonOfKind[kind];
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

/** The error object of native contract 1.8. */
export function nativeFailure(failure: Failure, exchange: Pick<Exchange, "path">): { status: number; body: object } {
  const reason = reasonOf(failure);
  const known: { status: number; text?: string; as?: string } = reasons[reason];
  const text = known.text ?? failure.sentence;
  const named = failure.field && (reason === "bad_parameter" || reason === "missing_parameter");
  const body = {
    success: false,
    error: text,
    message: text,
    reason: known.as ?? reason,
    code: known.status,
    request: exchange.path,
  };
  return { status: known.status, body: named ? { ...body, field: failure.field } : body };
}
