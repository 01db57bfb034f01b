import type { Exchange, Rate } from "../../http/exchange.ts";

/** On every answer (Mastodon contract 2.3, 4.1 and 10). */
export function commonHeaders(exchange: Exchange): Record<string, string> {
  return {
    "cache-control": "private, no-store",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key",
    "access-control-expose-headers":
      "ETag, Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate",
    ...rateHeaders(exchange),
  };
}

/** For documents that are the same for everybody. */
export const keptShortly = { "cache-control": "public, max-age=180" } as const;

/** All three or none: clients compute with them together. They tell of the limit that is nearest to its end. */
function rateHeaders({ rate }: Exchange): Record<string, string> {
  const rates = [rate("read"), rate("write"), rate("token")].filter((one) => one !== undefined);
  const [shown] = rates.toSorted((one, other) => left(one) - left(other));
  if (!shown) return {};
  return {
    "x-ratelimit-limit": String(shown.limit),
    "x-ratelimit-remaining": String(Math.max(0, shown.remaining)),
    "x-ratelimit-reset": shown.resetsAt.toISOString().replace("Z", "000Z"),
  };
}

function left({ remaining, limit }: Rate): number {
  return remaining / limit;
}
