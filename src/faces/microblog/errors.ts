import type { Exchange } from "../../http/exchange.ts";
import type { Failure } from "../../http/exchange.ts";

/** Status of each kind of failure; `text` where the thrower's words are not for these clients. */
const kinds: Readonly<Record<Failure["kind"], { status: number; text?: string }>> = {
  invalid: { status: 400 },
  unauthenticated: { status: 401 },
  denied: { status: 403 },
  missing: { status: 404 },
  conflict: { status: 400 },
  "too-large": { status: 413, text: "Payload Too Large" },
  unsupported: { status: 400 },
  "too-many": { status: 429 },
  unavailable: { status: 503 },
  method: { status: 405, text: "Method Not Allowed" },
  unknown: { status: 404 },
  broken: { status: 500, text: "Internal Server Error" },
};

/** The error object of microblog contract 5.1: flat, and never with an array in it (trap 15). */
export function microblogFailure(
  failure: Failure,
  exchange: Pick<Exchange, "method" | "path">,
): { status: number; body: { error: string; code: number; request: string; [more: string]: unknown } } {
  const request = exchange.path.replace(/^\/+/, "");
  const { status, error } = statusAndText(failure, exchange, request);
  return { status, body: { ...failure.more, error, code: status, request } };
}

function statusAndText(
  failure: Failure,
  exchange: Pick<Exchange, "method">,
  request: string,
): { status: number; error: string } {
  // Somebody else's channel is the same refusal everywhere, whatever an endpoint says about its own (microblog contract
  // 3.6).
  if (failure.reason === "wrong_channel") return { status: 403, error: "Forbidden" };
  if (failure.kind === "unknown")
    return { status: 404, error: `API endpoint ${exchange.method} ${request} is not implemented` };
  const known = kinds[failure.kind];
  if (failure.status !== undefined) return { status: failure.status, error: failure.sentence };
  return { status: known.status, error: known.text ?? failure.sentence };
}
