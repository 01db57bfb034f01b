import type { ConfigRow } from "../identity/channels/channel-config.ts";

/** A setting of the channel. */
export function configRecord(row: ConfigRow): Record<string, string> {
  return { id: String(row.id), uid: String(row.uid), cat: row.cat, k: row.k, v: row.v, updated: row.updated };
}
