import type { Config } from "../../config/config.ts";
import { targetOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";
import type { Received } from "./signatures/received.ts";

/** A request as signatures see it: letter by letter as it came, from a socket or in memory. */
export function receivedFrom(arrival: Arrival, config: Config, body: Uint8Array = new Uint8Array()): Received {
  const { request, incoming } = arrival;
  const { path, query } = targetOf(arrival);
  const forwarded = config.trustProxy ? request.headers.get("x-forwarded-host") : null;
  return {
    method: request.method,
    target: incoming?.url ?? path + (query && `?${query}`),
    rawHeaders: incoming?.rawHeaders ?? [...request.headers].flat(),
    host: forwarded?.split(",")[0]!.trim() ?? request.headers.get("host") ?? new URL(request.url).host,
    base: new URL(config.baseUrl).origin,
    body,
  };
}
