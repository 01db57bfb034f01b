import type { HubError } from "../../errors.ts";
import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { addGuestKey, changeGuestKey, deleteGuestKey, newGuestToken } from "../identity/channels/guest-keys.ts";
import { addGuestXchan, removeGuestXchan } from "../identity/xchans/guest-xchans.ts";
import { guestHash } from "../identity/xchans/guest-hash.ts";
import type { GuestKey } from "../identity/xchans/guest-hash.ts";
import { dateIn, textIn } from "../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../identity/records/portable-fields.ts";
import { grantRecord, isPermissionName, isReading, permissionNames } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { grantsFor, writeGrantRows } from "./grants.ts";
import { leaveGroups } from "./memberships.ts";

/** Somebody without an account who looks at the channel's pages with a key. */
export type ChannelGuest = GuestKey & { hash: string; granted: PermissionName[] };

/** The guests of a channel by name. */
export async function listGuests(hub: Hub, channel: Channel): Promise<ChannelGuest[]> {
  const keys = await listGuestKeys(hub, channel.channel_id);
  const hashes = keys.map((key) => guestHash(channel, key));
  const grants = await grantsTo(hub, channel.channel_id, hashes);
  const guests = keys.map((key, index) => ({
    ...key,
    hash: hashes[index]!,
    granted: grants.get(hashes[index]!) ?? [],
  }));
  return guests.toSorted((one, other) => one.atoken_name.localeCompare(other.atoken_name, "en"));
}

/** The keys alone by id, as exports carry them. */
export async function listGuestKeys(hub: Hub, uid: number): Promise<GuestKey[]> {
  return compiled(hub, "guest keys", { uid }, (slots) =>
    hub.db.selectFrom("atoken").selectAll().where("atoken_uid", "=", slots.uid).orderBy("atoken_id"),
  );
}

/** One guest of the channel. Throws missing. */
export async function findGuest(hub: Hub, channel: Channel, id: number): Promise<ChannelGuest> {
  const guest = (await listGuests(hub, channel)).find((one) => one.atoken_id === id);
  if (!guest) throw missing("Guest");
  return guest;
}

export type NewGuest = {
  name: string;
  /** In the stored form of dates; never when left out. */
  expires?: string | undefined;
  /** What the guest may do where the channel's limit asks for a grant; the reading part of what new connections get when left out. */
  granted?: readonly PermissionName[] | undefined;
};

/** Lets a guest in: makes the key and the identity that access lists and groups can name. */
export async function createGuest(hub: Hub, channel: Channel, wanted: NewGuest): Promise<ChannelGuest> {
  const name = readGuestName(wanted.name);
  const expires = wanted.expires ?? zeroDate;
  return inTransaction(hub, async (hub) => {
    const granted = wanted.granted ?? (await usualGrants(hub, channel));
    const hash = guestHash(channel, { atoken_name: name });
    if (await isGuest(hub, channel.channel_id, hash)) throw nameIsTaken();
    const id = await addKey(hub, channel, { name, guid: "", token: newGuestToken(), expires });
    await addGuestXchan(hub, hash, name);
    await writeGrantRows(hub, channel.channel_id, hash, grantRecord(granted));
    return findGuest(hub, channel, id);
  });
}

export type GuestChanges = {
  /** The unset date for never. */
  expires?: string | undefined;
  granted?: readonly PermissionName[] | undefined;
  /** A new key: the link that was handed out does not work any more. */
  renewToken?: boolean | undefined;
};

/** Changes a guest; absent fields stay. The name stays for good, because access lists name the guest by it. */
export async function changeGuest(
  hub: Hub,
  channel: Channel,
  id: number,
  changes: GuestChanges,
): Promise<ChannelGuest> {
  return inTransaction(hub, async (hub) => {
    const guest = await findGuest(hub, channel, id);
    await changeGuestKey(hub, id, {
      atoken_expires: changes.expires ?? guest.atoken_expires,
      atoken_token: changes.renewToken ? newGuestToken() : guest.atoken_token,
    });
    if (changes.granted) await writeGrantRows(hub, channel.channel_id, guest.hash, grantRecord(changes.granted));
    return findGuest(hub, channel, id);
  });
}

/** The guest is nobody from now on: key, grants and memberships are gone. */
export async function deleteGuest(hub: Hub, channel: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { hash } = await findGuest(hub, channel, id);
    await deleteGuestKey(hub, id);
    await hub.db.deleteFrom("abconfig").where("chan", "=", channel.channel_id).where("xchan", "=", hash).execute();
    await leaveGroups(hub, channel.channel_id, hash);
    await removeGuestXchan(hub, hash);
  });
}

/**
 * Takes a guest over from an export; one of the same name who is here already stays, with the key. A key that lets somebody
 * in at another channel already is replaced by a new one. A record that names nobody is unreadable.
 */
export async function importGuest(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const name = textIn(record, "atoken_name").trim();
  if (!isGuestName(name)) return "unreadable";
  return inTransaction(hub, async (hub) => {
    if (await hasGuest(hub, channel.channel_id, name)) return "there";
    const guid = await freeGuid(hub, channel, name, textIn(record, "atoken_guid").trim());
    const hash = guestHash(channel, { atoken_name: name, atoken_guid: guid });
    const token = await freeToken(hub, channel.channel_id, textIn(record, "atoken_token"));
    await addKey(hub, channel, { name, guid, token, expires: dateIn(record, "atoken_expires") });
    await addGuestXchan(hub, hash, name);
    const known = await grantsTo(hub, channel.channel_id, [hash]);
    if (known.size === 0)
      await writeGrantRows(hub, channel.channel_id, hash, grantRecord(await usualGrants(hub, channel)));
    return "imported";
  });
}

/** Those of these hashes that are guests of the channel. */
export async function guestsAmong(hub: Hub, uid: number, hashes: readonly string[]): Promise<string[]> {
  const candidates = hashes.filter((hash) => hash.includes("."));
  if (candidates.length === 0) return [];
  const rows = await hub.db
    .selectFrom("atoken")
    .innerJoin("channel", "channel_id", "atoken_uid")
    .select(["channel_hash", "atoken_name", "atoken_guid"])
    .where("atoken_uid", "=", uid)
    .execute();
  const own = new Set(rows.map((row) => guestHash(row, row)));
  return candidates.filter((hash) => own.has(hash));
}

const longestName = 64;

/** Commas and brackets separate the entries of lists. */
function isGuestName(name: string): boolean {
  return name !== "" && [...name].length <= longestName && !/[\p{Cc}<>[\],]/u.test(name);
}

function readGuestName(text: string): string {
  const name = text.trim().replace(/\s+/g, " ");
  if (isGuestName(name)) return name;
  throw name === "" ? refusal("guest_name_needed") : refusal("guest_name_wrong", { most: longestName });
}

async function usualGrants(hub: Hub, channel: Channel): Promise<PermissionName[]> {
  const grants = await grantsFor(hub, channel);
  return permissionNames.filter((name) => isReading(name) && grants[name] === 1);
}

async function addKey(
  hub: Hub,
  channel: Channel,
  { name, guid, token, expires }: { name: string; guid: string; token: string; expires: string },
): Promise<number> {
  const id = await addGuestKey(hub, {
    atoken_aid: channel.channel_account_id,
    atoken_uid: channel.channel_id,
    atoken_name: name,
    atoken_guid: guid,
    atoken_token: token,
    atoken_expires: expires,
  });
  if (id === undefined) throw nameIsTaken();
  return id;
}

function nameIsTaken(): HubError {
  return refusal("guest_name_taken");
}

async function isGuest(hub: Hub, uid: number, hash: string): Promise<boolean> {
  return (await guestsAmong(hub, uid, [hash])).length > 0;
}

async function hasGuest(hub: Hub, uid: number, name: string): Promise<boolean> {
  const known = await hub.db
    .selectFrom("atoken")
    .select("atoken_id")
    .where("atoken_uid", "=", uid)
    .where("atoken_name", "=", name)
    .executeTakeFirst();
  return known !== undefined;
}

/** The guid of a guest who comes from elsewhere: nobody comes as somebody else. */
async function freeGuid(hub: Hub, channel: Channel, name: string, guid: string): Promise<string> {
  if (await isGuest(hub, channel.channel_id, guestHash(channel, { atoken_name: name, atoken_guid: guid })))
    throw refusal("guest_identity_taken");
  return isGuestName(guid) ? guid : "";
}

async function freeToken(hub: Hub, uid: number, token: string): Promise<string> {
  if (token === "" || token.length > 255) return newGuestToken();
  const taken = await hub.db
    .selectFrom("atoken")
    .select("atoken_id")
    .where("atoken_token", "=", token)
    .where("atoken_uid", "!=", uid)
    .executeTakeFirst();
  return taken ? newGuestToken() : token;
}

async function grantsTo(hub: Hub, uid: number, hashes: readonly string[]): Promise<Map<string, PermissionName[]>> {
  if (hashes.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("abconfig")
    .select(["xchan", "k", "v"])
    .where("chan", "=", uid)
    .where((eb) => isOneOf(hub.engine, eb.ref("xchan"), hashes))
    .where("cat", "=", "my_perms")
    .orderBy("id")
    .execute();
  const grants = new Map<string, PermissionName[]>();
  for (const { xchan, k, v } of rows) {
    const list = grants.get(xchan) ?? [];
    grants.set(xchan, v === "1" && isPermissionName(k) ? [...list, k] : list);
  }
  return grants;
}
