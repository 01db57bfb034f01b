import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import type { AtokenTable } from "../../../storage/tables/records.ts";
import type { Channel, Observer } from "./channel.ts";

/** A guest's key: whoever has it looks at the pages of one channel as this guest (native contract 2.15). */
export type GuestKey = Selectable<AtokenTable>;

const prefixLength = 16;

/** Identities of these networks are guests: known to the channel whose guests they are alone (native contract 6.14). */
export const guestNetworks: readonly string[] = ["token", "anon"];

/** Is this the network of guests? */
export function isGuestNetwork(network: string): boolean {
  return guestNetworks.includes(network);
}

/** A new key for a guest. */
export function newGuestToken(): string {
  return randomBytes(18).toString("base64url");
}

/**
 * The identity of a guest in access lists and groups (native contract 2.15): by its guid where it came with one from another
 * program, else by its name.
 */
export function guestHash(
  { channel_hash: hash }: Pick<Channel, "channel_hash">,
  guest: Pick<GuestKey, "atoken_name"> & Partial<Pick<GuestKey, "atoken_guid">>,
): string {
  return `${hash.slice(0, prefixLength)}.${guest.atoken_guid || guest.atoken_name}`;
}

/** Is this the identity that a guest of some channel here has, or would have? */
export async function isHashOfGuest(hub: Hub, hash: string): Promise<boolean> {
  if (hash[prefixLength] !== ".") return false;
  const prefix = hash.slice(0, prefixLength);
  const owner = await hub.db
    .selectFrom("channel")
    .select("channel_id")
    .where("channel_hash", ">", prefix)
    .where("channel_hash", "<", `${prefix}\u{7f}`)
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

/** The guest whom this token lets in, as the one who looks. A token that is expired or means several lets nobody in. */
export async function guestByToken(hub: Hub, token: string): Promise<Guest | undefined> {
  if (token === "" || token.length > 255 || token.includes("\0")) return undefined;
  const rows = await validKeys(hub).where("atoken_token", "=", token).limit(2).execute();
  const [row] = rows;
  if (!row || rows.length > 1) return undefined;
  const hash = guestHash(row, row);
  const xchan = await hub.db
    .selectFrom("xchan")
    .select("xchan_id")
    .where("xchan_hash", "=", hash)
    .where("xchan_network", "=", "token")
    .executeTakeFirst();
  if (!xchan) return undefined;
  const observer = { xchanId: xchan.xchan_id, hash, native: false, channelId: 0, guestOf: row.channel_id };
  return { name: row.atoken_name, host: row.channel_name, observer };
}

/** Somebody let in by a token: its name, the channel's, and how it looks. */
export type Guest = { name: string; host: string; observer: NonNullable<Observer> };

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
