import { randomBytes } from "node:crypto";
import type { HubError } from "../../../errors.ts";
import { refusal, certain, missing } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import { isRemoved } from "./account-flags.ts";
import type { Channel } from "./channel.ts";
import { applyRole } from "./channel-role.ts";
import { addCustomGrants, addHubloc, addProfile, addSelfConnection, addXchanOf } from "./channel-rows.ts";
import type { PreparedChannel } from "./channel-rows.ts";
import { findChannelById } from "./find-channel.ts";
import { friendsGroup } from "./friends-group.ts";
import { holdAccount } from "./hold.ts";
import { readName, readRole, readTimezone } from "./channel-fields.ts";
import { applyLimit } from "./limited.ts";
import { readNick } from "./nicks.ts";
import type { RoleName } from "./roles.ts";
import { identityHash, signWith } from "../xchans/signing.ts";
import { siteKeys } from "../site/site-settings.ts";

export type NewChannel = {
  nick: string;
  name: string;
  role?: RoleName | undefined;
  timezone?: string | undefined;
};

/** Makes a channel with its identity, location, self connection, group, profile and limits. */
export async function createChannel(hub: Hub, account: { account_id: number }, fields: NewChannel): Promise<Channel> {
  const prepared = await prepareChannel(hub, fields);
  return inTransaction(hub, (hub) => insertChannel(hub, account.account_id, prepared));
}

/** Throws whatever speaks against a new channel; answers its fields in the stored form. */
export async function checkChannel(
  hub: Hub,
  { nick, name, role = "social", timezone = "UTC" }: NewChannel,
): Promise<Pick<PreparedChannel, "nick" | "name" | "role" | "timezone">> {
  const checked = {
    nick: readNick(nick),
    name: readName(name),
    role: readRole(role),
    timezone: readTimezone(timezone),
  };
  const same = hub.db.selectFrom("channel").select("channel_id").where("channel_address", "=", checked.nick);
  if (await same.executeTakeFirst()) throw nickTaken();
  return checked;
}

/** Checks the fields of a new channel and makes its keys and signatures. */
export async function prepareChannel(hub: Hub, fields: NewChannel): Promise<PreparedChannel> {
  const checked = await checkChannel(hub, fields);
  const [keys, site] = await Promise.all([hub.makeKeys(), siteKeys(hub)]);
  const guid = randomBytes(64).toString("base64url");
  return {
    ...checked,
    keys,
    guid,
    guidSignature: await signWith(keys.rsa.privateKey, guid),
    hash: identityHash(guid, keys.rsa.publicKey),
    urlSignature: await signWith(keys.rsa.privateKey, hub.config.baseUrl),
    siteKey: site.publicKey,
  };
}

/** Writes a prepared channel with all that belongs to it; part of a transaction. */
export async function insertChannel(hub: Hub, accountId: number, prepared: PreparedChannel): Promise<Channel> {
  const account = await holdAccount(hub, accountId);
  if (!account || isRemoved(account)) throw missing("Account");
  const id = await addChannel(hub, accountId, prepared);
  const urls = avatarUrls(hub, id);
  await addXchanOf(hub, prepared, urls);
  await addHubloc(hub, prepared);
  const profile = await addProfile(hub, accountId, id, prepared, urls);
  await addSelfConnection(hub, accountId, id, prepared.hash, profile);
  const friends = await friendsGroup(hub, id, prepared.hash);
  await hub.db.updateTable("channel").set({ channel_default_group: friends }).where("channel_id", "=", id).execute();
  await applyRole(hub, { channel_id: id, channel_hash: prepared.hash }, prepared.role);
  if (prepared.role === "custom") await addCustomGrants(hub, id, prepared.hash);
  await applyLimit(hub, accountId);
  await hub.db
    .updateTable("account")
    .set({ account_default_channel: id })
    .where("account_id", "=", accountId)
    .where("account_default_channel", "=", 0)
    .execute();
  return certain(await findChannelById(hub, id), "channel");
}

async function addChannel(hub: Hub, accountId: number, prepared: PreparedChannel): Promise<number> {
  const { keys } = prepared;
  const written = await hub.db
    .insertInto("channel")
    .values({
      channel_account_id: accountId,
      channel_primary: 1,
      channel_name: prepared.name,
      channel_address: prepared.nick,
      channel_guid: prepared.guid,
      channel_guid_sig: prepared.guidSignature,
      channel_hash: prepared.hash,
      channel_timezone: prepared.timezone,
      channel_pubkey: keys.rsa.publicKey,
      channel_prvkey: keys.rsa.privateKey,
      channel_ed25519_pubkey: keys.ed25519.publicKey,
      channel_ed25519_prvkey: keys.ed25519.privateKey,
      channel_notifyflags: 65_535,
      channel_max_anon_mail: 10,
      channel_max_friend_req: 10,
      channel_created: now(hub),
      channel_updated: now(hub),
    })
    .onConflict((conflict) => conflict.column("channel_address").doNothing())
    .returning("channel_id")
    .executeTakeFirst();
  if (!written) throw nickTaken();
  return written.channel_id;
}

function nickTaken(): HubError {
  return refusal("nick_taken");
}
