import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { sqlDate, zeroDate } from "../../../storage/sql.ts";

const day = 24 * 3600 * 1000;

/**
 * A date from elsewhere in the stored form; one that is missing, or that cannot be, counts as the date of arrival (federation
 * contract 12.3).
 */
export function believableDate(hub: Hub, date: Date | undefined): string {
  const time = date?.getTime() ?? -1;
  return date && time >= 0 && time <= hub.clock().getTime() + day ? sqlDate(date) : now(hub);
}

/** When something of elsewhere goes by itself, in the stored form. */
export function expiryOf({ expires }: { expires: Date | undefined }): string {
  return expires ? sqlDate(expires) : zeroDate;
}
