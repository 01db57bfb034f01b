import type { Hub } from "../../../hub.ts";
import { isHere } from "../xchans/web-url.ts";

/** Where a channel lives: on this hub, on others beside it, and where it lived before it left. */
export type Location = { address: string; url: string; kind: "here" | "main" | "other" | "former" };

/** The locations of an identity, this hub first, former ones last. */
export async function listLocations(hub: Hub, hash: string): Promise<Location[]> {
  const rows = await hub.db
    .selectFrom("hubloc")
    .select(["hubloc_addr", "hubloc_url", "hubloc_primary", "hubloc_deleted"])
    .where("hubloc_hash", "=", hash)
    .orderBy("hubloc_deleted")
    .orderBy("hubloc_id")
    .execute();
  const all = rows.map((row): Location => {
    const elsewhere = row.hubloc_deleted === 1 ? "former" : row.hubloc_primary === 1 ? "main" : "other";
    const kind = isHere(hub, row.hubloc_url) ? "here" : elsewhere;
    return { address: row.hubloc_addr, url: row.hubloc_url, kind };
  });
  return all.toSorted((one, other) => Number(other.kind === "here") - Number(one.kind === "here"));
}
