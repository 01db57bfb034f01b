import { sql } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { guestHash, prefixLength } from "../xchans/guest-hash.ts";
import { guestObserver } from "./observer.ts";
import type { Observer, SitePolicy } from "./observer.ts";

/** The guest whom this token lets in, as the one who looks. A token that is expired or means several lets nobody in. */
export async function guestByToken(hub: Hub, token: string, policy: SitePolicy): Promise<Guest | undefined> {
  if (token === "" || token.length > 255 || token.includes("\0")) return undefined;
  const rows = await validKeys(hub).where("atoken_token", "=", token).limit(2).execute();
  const [row] = rows;
  if (!row || rows.length > 1) return undefined;
  const hash = guestHash(row, row);
  const xchan = await hub.db
    .selectFrom("xchan")
    .select(["xchan_id", "xchan_hash"])
    .where("xchan_hash", "=", hash)
    .where("xchan_network", "=", "token")
    .executeTakeFirst();
  if (!xchan) return undefined;
  const observer = guestObserver(xchan, row.channel_id, policy);
  return { name: row.atoken_name, host: row.channel_name, observer };
}

/** Somebody let in by a token: its name, the channel's, and how it looks. */
export type Guest = { name: string; host: string; observer: Observer };

/** The channel whose guest has this identity; 0 when its key has expired or is gone. */
export async function hostOfGuest(hub: Hub, hash: string): Promise<number> {
  const name = hash.slice(prefixLength + 1);
  const row = await validKeys(hub)
    .where((eb) => eb.or([eb("atoken_name", "=", name), eb("atoken_guid", "=", name)]))
    .where(
      sql`substr(channel_hash, 1, ${sql.lit(prefixLength)}) || '.'
        || case atoken_guid when '' then atoken_name else atoken_guid end`,
      "=",
      hash,
    )
    .executeTakeFirst();
  return row?.channel_id ?? 0;
}

function validKeys(hub: Hub) {
  return hub.db
    .selectFrom("atoken")
    .innerJoin("channel", "channel_id", "atoken_uid")
    .select(["atoken_name", "atoken_guid", "channel_id", "channel_name", "channel_hash"])
    .where("channel_removed", "=", sql.lit(0))
    .where((eb) => eb.or([eb("atoken_expires", "=", zeroDate), eb("atoken_expires", ">", now(hub))]));
}
