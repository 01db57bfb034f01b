import { sql } from "kysely";
import type { Updateable } from "kysely";
import { missing, refusal, certain } from "../../../errors.ts";
import { afterCommit, inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { ChannelTable } from "../../../storage/tables/identity.ts";
import { readName, readTimezone } from "./channel-fields.ts";
import type { Channel } from "./channel.ts";
import { findChannelById } from "./find-channel.ts";
import { mirrorName } from "./mirror.ts";
import { setRole } from "./channel-role.ts";
import { changeChannelSettings } from "./channel-settings.ts";
import type { ChannelKind } from "./channel-settings.ts";
import type { RoleName } from "./roles.ts";
import { forgetKey } from "../xchans/signing.ts";
import { compiledQuery } from "../../../storage/compiled-query.ts";
import { pipelined } from "../../../storage/pipelined.ts";

export { createChannel } from "./create-channel.ts";
export type { NewChannel } from "./create-channel.ts";
export {
  findChannelByHash,
  findChannelById,
  findChannelByNick,
  findChannelByXchan,
  findChannelsByXchan,
  listChannels,
} from "./find-channel.ts";
import { emit } from "../../live/emit.ts";
export { limitOf, roleOf, setRole } from "./channel-role.ts";

export type ChannelChanges = {
  /** Brings its own limits and audience with it (native contract 3.6). */
  role?: RoleName | undefined;
  /** What others are told that it is, unless it is a forum. */
  kind?: ChannelKind | undefined;
  name?: string | undefined;
  timezone?: string | undefined;
  /** Default text for the place of a post. */
  location?: string | undefined;
  /** Which notices are also mailed. */
  notifyFlags?: number | undefined;
  expireDays?: number | undefined;
  /** Hash of the group that new connections join, or nothing. */
  defaultGroup?: string | undefined;
  /** Hash of the group for which a post of a program is that says `private`, or nothing for the default audience. */
  privateMeans?: string | undefined;
  /** Default audience of new items; all four lists change together. */
  audience?: { allowCid: string; allowGid: string; denyCid: string; denyGid: string } | undefined;
};

/** Changes what the owner may change; absent fields stay, and a new name reaches xchan and profile. */
export async function updateChannel(hub: Hub, channelId: number, changes: ChannelChanges): Promise<Channel> {
  return inTransaction(hub, async (hub) => {
    const channel = await findChannelById(hub, channelId);
    if (!channel) throw missing("Channel");
    if (changes.role !== undefined) await setRole(hub, channel, changes.role);
    const { kind, privateMeans } = changes;
    if (privateMeans) await checkGroup(hub, channelId, privateMeans);
    await changeChannelSettings(hub, channelId, { kind, privateMeans });
    const columns = await changedColumns(hub, channel, changes);
    if (Object.keys(columns).length > 0) {
      await hub.db.updateTable("channel").set(columns).where("channel_id", "=", channelId).execute();
    }
    if (changes.name !== undefined) await mirrorName(hub, channel, readName(changes.name));
    return certain(await findChannelById(hub, channelId), "channel");
  });
}

async function changedColumns(hub: Hub, channel: Channel, changes: ChannelChanges): Promise<Updateable<ChannelTable>> {
  const { timezone, location, notifyFlags, expireDays, defaultGroup, audience } = changes;
  if (defaultGroup) await checkGroup(hub, channel.channel_id, defaultGroup);
  return {
    ...(timezone !== undefined && { channel_timezone: readTimezone(timezone) }),
    ...(location !== undefined && { channel_location: location.trim() }),
    ...(notifyFlags !== undefined && { channel_notifyflags: notifyFlags }),
    ...(expireDays !== undefined && { channel_expire_days: Math.max(0, expireDays) }),
    ...(defaultGroup !== undefined && { channel_default_group: defaultGroup }),
    ...(audience && {
      channel_allow_cid: audience.allowCid,
      channel_allow_gid: audience.allowGid,
      channel_deny_cid: audience.denyCid,
      channel_deny_gid: audience.denyGid,
    }),
  };
}

async function checkGroup(hub: Hub, uid: number, hash: string): Promise<void> {
  const found = await hub.db
    .selectFrom("pgrp")
    .select("id")
    .where("hash", "=", hash)
    .where("uid", "=", uid)
    .where("deleted", "=", 0)
    .executeTakeFirst();
  if (!found) throw refusal("not_own_group");
}

/** The channel that the account acts as when nothing else is said. */
export async function setDefaultChannel(hub: Hub, accountId: number, channelId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const channel = await findChannelById(hub, channelId);
    if (channel?.channel_account_id !== accountId) throw missing("Channel");
    await hub.db
      .updateTable("account")
      .set({ account_default_channel: channelId })
      .where("account_id", "=", accountId)
      .execute();
  });
}

/**
 * Takes a channel out of service, as part of the transaction that removes it: nobody acts as it any more, and its identity is
 * deleted for everybody.
 */
export async function closeChannel(hub: Hub, channel: Channel): Promise<void> {
  const { channel_id: channelId, channel_hash: hash } = channel;
  await hub.db
    .updateTable("channel")
    .set({ channel_removed: 1, channel_deleted: now(hub) })
    .where("channel_id", "=", channelId)
    .execute();
  await hub.db.updateTable("xchan").set({ xchan_deleted: 1 }).where("xchan_hash", "=", hash).execute();
  await hub.db.updateTable("hubloc").set({ hubloc_deleted: 1 }).where("hubloc_hash", "=", hash).execute();
  await hub.db.deleteFrom("session").where("channel_id", "=", channelId).execute();
  await moveDefaultChannel(hub, channel);
  await emit(hub, { what: "access", account: channel.channel_account_id });
  afterCommit(hub, () => forgetKey(hub, channelId));
}

async function moveDefaultChannel(hub: Hub, { channel_id, channel_account_id }: Channel): Promise<void> {
  await hub.db
    .updateTable("account")
    .set((eb) => ({
      account_default_channel: eb
        .selectFrom("channel")
        .select((eb) => eb.fn.coalesce(eb.fn.min("channel_id"), sql.lit(0)).as("next"))
        .where("channel_account_id", "=", channel_account_id)
        .where("channel_removed", "=", 0)
        .$asScalar()
        .$notNull(),
    }))
    .where("account_id", "=", channel_account_id)
    .where("account_default_channel", "=", channel_id)
    .execute();
}

/** The channel has just posted something. */
export async function recordPosted(hub: Hub, uid: number): Promise<void> {
  await pipelined(
    hub,
    compiledQuery(hub, "note posted", { uid, moment: now(hub) }, (slots) =>
      hub.db.updateTable("channel").set({ channel_lastpost: slots.moment }).where("channel_id", "=", slots.uid),
    ),
  );
}
