import type { Selectable } from "kysely";
import type { HublocTable } from "../../storage/tables/identity.ts";

/** The record of a location. */
export function hublocRecord(hubloc: Selectable<HublocTable>): Record<keyof HublocTable, string> {
  return {
    hubloc_id: String(hubloc.hubloc_id),
    hubloc_guid: hubloc.hubloc_guid,
    hubloc_guid_sig: hubloc.hubloc_guid_sig,
    hubloc_hash: hubloc.hubloc_hash,
    hubloc_addr: hubloc.hubloc_addr,
    hubloc_network: hubloc.hubloc_network,
    hubloc_flags: String(hubloc.hubloc_flags),
    hubloc_status: String(hubloc.hubloc_status),
    hubloc_url: hubloc.hubloc_url,
    hubloc_url_sig: hubloc.hubloc_url_sig,
    hubloc_host: hubloc.hubloc_host,
    hubloc_callback: hubloc.hubloc_callback,
    hubloc_connect: hubloc.hubloc_connect,
    hubloc_sitekey: hubloc.hubloc_sitekey,
    hubloc_updated: hubloc.hubloc_updated,
    hubloc_connected: hubloc.hubloc_connected,
    hubloc_primary: String(hubloc.hubloc_primary),
    hubloc_orphancheck: String(hubloc.hubloc_orphancheck),
    hubloc_error: String(hubloc.hubloc_error),
    hubloc_deleted: String(hubloc.hubloc_deleted),
  };
}
