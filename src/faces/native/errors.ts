import type { Exchange } from "../../http/exchange.ts";
import type { Failure } from "../../http/exchange.ts";

/** Status of each reason of native contract 1.8; `text` where the contract fixes it, `as` for one that it has no word for. */
export const reasons: Readonly<Record<string, { status: number; text?: string; as?: string }>> = {
  unauthorized: { status: 401 },
  missing_parameter: { status: 400 },
  bad_parameter: { status: 400 },
  no_content: { status: 400, text: "no content" },
  forbidden_content_type: { status: 403, text: "forbidden content type" },
  permission_denied: { status: 403, text: "permission denied" },
  wrong_channel: { status: 403 },
  not_found: { status: 404 },
  not_implemented: { status: 404, text: "not implemented" },
  method_not_allowed: { status: 405 },
  conflict: { status: 409 },
  comments_closed: { status: 403 },
  too_large: { status: 413 },
  unsupported_media: { status: 415 },
  limit_reached: { status: 403 },
  rate_limited: { status: 429 },
  server_error: { status: 500, text: "system error" },
  disk_refuses: { status: 503, as: "server_error" },
};

/** The reason of a failure whose thrower gave none of the contract's. */
const reasonOf: Readonly<Record<Failure["kind"], string>> = {
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

/** The error object of native contract 1.8. */
export function nativeFailure(failure: Failure, exchange: Pick<Exchange, "path">): { status: number; body: object } {
  const reason = failure.reason && Object.hasOwn(reasons, failure.reason) ? failure.reason : reasonOf[failure.kind];
  const known = reasons[reason]!;
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
