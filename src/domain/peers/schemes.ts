import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

/** Which way of signing a host takes is known for so long, and forgotten after so many refusals (federation contract 8). */
const knownForSeconds = 7 * 24 * 3600;
const mostRefusals = 3;

/** The way of signing that the host is known to take; empty when nobody knows. */
export function knownScheme(hub: Hub, { scheme, scheme_since }: { scheme: string; scheme_since: string }): string {
  if (scheme === "") return "";
  return scheme_since > momentIn(hub, -knownForSeconds * 1000) ? scheme : "";
}

/** The host takes this way of signing, or signs so itself. */
export async function recordScheme(hub: Hub, host: string, scheme: string): Promise<void> {
  await hub.db
    .updateTable("peer")
    .set({ scheme, scheme_since: now(hub), scheme_failures: 0 })
    .where("host", "=", host)
    .execute();
}

/** The host has refused so many more signatures of the way that it is known to take. */
export async function recordRefusals(hub: Hub, host: string, count: number): Promise<void> {
  await hub.db
    .updateTable("peer")
    .set((eb) => ({
      scheme_failures: eb("scheme_failures", "+", count),
      scheme: eb
        .case()
        .when("scheme_failures", ">=", mostRefusals - count)
        .then("")
        .else(eb.ref("scheme"))
        .end(),
    }))
    .where("host", "=", host)
    .execute();
}
