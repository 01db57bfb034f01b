import type { Selectable } from "kysely";
import type { AtokenTable } from "../../storage/tables/records.ts";

/** A guest's key. */
export function atokenRecord(guest: Selectable<AtokenTable>): Record<string, string> {
  return {
    atoken_id: String(guest.atoken_id),
    atoken_aid: String(guest.atoken_aid),
    atoken_uid: String(guest.atoken_uid),
    atoken_name: guest.atoken_name,
    atoken_token: guest.atoken_token,
    atoken_expires: guest.atoken_expires,
    ...(guest.atoken_guid !== "" && { atoken_guid: guest.atoken_guid }),
  };
}
