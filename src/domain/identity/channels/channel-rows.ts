import { randomBytes } from "node:crypto";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { KeyPairs } from "../../../keys.ts";
import { hublocAddresses, xchanAddresses } from "../xchans/addresses.ts";
import type { AvatarUrls } from "../xchans/avatar-urls.ts";
import { grantsOf, permissionNames, roles } from "./roles.ts";
import type { RoleName } from "./roles.ts";

/** The rows of other tables that a channel is made with. */

/** A channel that has passed all checks, with its keys: making those takes too long for a transaction. */
export type PreparedChannel = {
  nick: string;
  name: string;
  role: RoleName;
  timezone: string;
  keys: KeyPairs;
  guid: string;
  guidSignature: string;
  hash: string;
  urlSignature: string;
  siteKey: string;
};

/** The identity of a channel of this hub. */
export async function addXchanOf(
  hub: Hub,
  { nick, name, role, ...channel }: PreparedChannel,
  avatar: AvatarUrls,
): Promise<void> {
  const created = now(hub);
  await hub.db
    .insertInto("xchan")
    .values({
      xchan_hash: channel.hash,
      xchan_guid: channel.guid,
      xchan_guid_sig: channel.guidSignature,
      xchan_pubkey: channel.keys.rsa.publicKey,
      ...xchanAddresses(hub, nick, avatar),
      xchan_photo_mimetype: "image/png",
      xchan_name: name,
      xchan_network: "zot",
      xchan_photo_date: created,
      xchan_name_date: created,
      xchan_hidden: roles[role].inDirectory ? 0 : 1,
      xchan_pubforum: roles[role].forum ? 1 : 0,
      xchan_created: created,
    })
    .execute();
}

/** The location of the channel on this hub. */
export async function addHubloc(hub: Hub, { nick, ...channel }: PreparedChannel): Promise<void> {
  const updated = now(hub);
  await hub.db
    .insertInto("hubloc")
    .values({
      hubloc_guid: channel.guid,
      hubloc_guid_sig: channel.guidSignature,
      hubloc_hash: channel.hash,
      ...hublocAddresses(hub, nick),
      hubloc_network: "zot",
      hubloc_url_sig: channel.urlSignature,
      hubloc_sitekey: channel.siteKey,
      hubloc_updated: updated,
      hubloc_connected: updated,
      hubloc_primary: 1,
    })
    .execute();
}

/** The default profile; answers its guid. */
export async function addProfile(
  hub: Hub,
  aid: number,
  uid: number,
  { name, role }: PreparedChannel,
  avatar: AvatarUrls,
): Promise<string> {
  const { profile_guid } = await hub.db
    .insertInto("profile")
    .values({
      aid,
      uid,
      profile_guid: randomBytes(32).toString("hex"),
      profile_name: "Default profile",
      is_default: 1,
      fullname: name,
      photo: avatar.l,
      thumb: avatar.m,
      publish: roles[role].inDirectory ? 1 : 0,
    })
    .returning("profile_guid")
    .executeTakeFirstOrThrow();
  return profile_guid;
}

/** The channel's own connection row, exactly one per channel. */
export async function addSelfConnection(
  hub: Hub,
  aid: number,
  uid: number,
  hash: string,
  profile: string,
): Promise<void> {
  const created = now(hub);
  await hub.db
    .insertInto("abook")
    .values({
      abook_account: aid,
      abook_channel: uid,
      abook_xchan: hash,
      abook_closeness: 0,
      abook_created: created,
      abook_updated: created,
      abook_self: 1,
      abook_profile: profile,
      follow_out: "none",
      follow_in: "none",
    })
    .execute();
}

/** What a custom channel grants connections until its owner decides: rows for the channel's own hash. */
export async function addCustomGrants(hub: Hub, uid: number, hash: string): Promise<void> {
  const grants = grantsOf("custom");
  await hub.db
    .insertInto("abconfig")
    .values(permissionNames.map((k) => ({ chan: uid, xchan: hash, cat: "my_perms", k, v: String(grants[k]) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
