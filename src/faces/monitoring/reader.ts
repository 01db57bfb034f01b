import { isSameSecret } from "../../domain/identity/same-secret.ts";
import { isWithin } from "../../fetch/private-hosts.ts";
import type { Hub } from "../../hub.ts";
import { addressOf } from "../../http/arrival.ts";
import type { Arrival } from "../../http/arrival.ts";

/** May whoever sends this read what the hub measures? By the operator's token, or from an address of theirs. */
export function mayReadMetrics({ config }: Hub, arrival: Arrival): boolean {
  const { token, from } = config.metrics;
  const { headers } = arrival.request;
  const said = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (token !== "" && said !== undefined && isSameSecret(token, said)) return true;
  // What a proxy passes on comes from its own address, unless it is believed what it says of others.
  if (!config.trustProxy && headers.has("x-forwarded-for")) return false;
  return isWithin(addressOf(arrival, config).replace(/^::ffff:/, ""), from);
}
