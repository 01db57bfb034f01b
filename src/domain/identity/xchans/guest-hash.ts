import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { AtokenTable } from "../../../storage/tables/records.ts";

/** A guest's key: whoever has it looks at the pages of one channel as this guest. */
export type GuestKey = Selectable<AtokenTable>;

/** How much of the host's hash the identity of a guest begins with. */
export const prefixLength = 16;

/** Identities of these networks are guests: known to the channel whose guests they are alone. */
export const guestNetworks: readonly string[] = ["token", "anon"];

/** Is this the network of guests? */
export function isGuestNetwork(network: string): boolean {
  return guestNetworks.includes(network);
}

/**
 * The identity of a guest in access lists and groups: by its guid where it came with one from another program, else by
 * its name.
 */
export function guestHash(
  { channel_hash: hash }: { channel_hash: string },
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
