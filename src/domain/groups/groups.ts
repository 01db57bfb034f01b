import { sql } from "kysely";
import type { Selectable } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { PgrpTable } from "../../storage/tables/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { updateChannel } from "../identity/channels/channels.ts";
import { newGroupHash } from "../identity/channels/friends-group.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { leaveDefaults } from "../identity/channels/leave-defaults.ts";
import { groupNameKey, readGroupName } from "./group-names.ts";

export { addMembers, listMembers, removeMembers } from "./members.ts";
export { membersAmong, membersByName, peopleOutside } from "./members-by-name.ts";
export type { NamedMember } from "./members-by-name.ts";
export type { Member } from "./members.ts";

/** A privacy group. */
export type Group = Selectable<PgrpTable>;

export type GroupChanges = {
  name: string;
  /** May the members see who is in it? */
  visible: boolean;
  /** Do new connections join it? The choice of another group stays. */
  joined: boolean;
};

/** Changes all that a group has, together. Throws missing, conflict, invalid. */
export async function changeGroup(
  hub: Hub,
  channel: Channel,
  groupId: number,
  { name, visible, joined }: GroupChanges,
): Promise<void> {
  const uid = channel.channel_id;
  await inTransaction(hub, async (hub) => {
    const { hash } = await renameGroup(hub, uid, groupId, name);
    await setGroupVisible(hub, uid, groupId, visible);
    if (joined !== (channel.channel_default_group === hash))
      await updateChannel(hub, uid, { defaultGroup: joined ? hash : "" });
  });
}

/** Makes a group. The name must be free; that of a deleted group is, and brings a new hash (native contract 2.7). */
export async function createGroup(
  hub: Hub,
  uid: number,
  name: string,
  options: { visible?: boolean } = {},
): Promise<Group> {
  const gname = readGroupName(name);
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    await refuseTakenName(hub, uid, gname);
    return hub.db
      .insertInto("pgrp")
      .values({ hash: newGroupHash(gname), uid, gname, visible: options.visible ? 1 : 0, created: now(hub) })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Gives a group another name; its hash stays. What it is called already is never taken. */
export async function renameGroup(hub: Hub, uid: number, groupId: number, name: string): Promise<Group> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    const group = await activeGroup(hub, uid, groupId);
    if (name.trim() === group.gname) return group;
    const gname = readGroupName(name);
    await refuseTakenName(hub, uid, gname, groupId);
    await hub.db.updateTable("pgrp").set({ gname }).where("id", "=", groupId).execute();
    return { ...group, gname };
  });
}

/** May the members see who is in the group? */
export async function setGroupVisible(hub: Hub, uid: number, groupId: number, visible: boolean): Promise<Group> {
  return inTransaction(hub, async (hub) => {
    const group = await activeGroup(hub, uid, groupId);
    await hub.db
      .updateTable("pgrp")
      .set({ visible: visible ? 1 : 0 })
      .where("id", "=", groupId)
      .execute();
    return { ...group, visible: visible ? 1 : 0 };
  });
}

/** Removes members and default uses of the group; the row stays, so that its hash never means another group. */
export async function deleteGroup(hub: Hub, uid: number, groupId: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    // The channel's default audience, which names it, is read and written again.
    await lockChannels(hub, [uid]);
    const group = await activeGroup(hub, uid, groupId);
    await hub.db.updateTable("pgrp").set({ deleted: 1 }).where("id", "=", groupId).execute();
    await hub.db.deleteFrom("pgrp_member").where("gid", "=", groupId).execute();
    await leaveDefaults(hub, uid, group.hash);
  });
}

/** The groups of a channel by id, deleted ones included. */
export async function listGroups(hub: Hub, uid: number): Promise<Group[]> {
  return compiled(hub, "groups of a channel", { uid }, (slots) =>
    hub.db.selectFrom("pgrp").selectAll().where("uid", "=", slots.uid).orderBy("id"),
  );
}

/** The same without the deleted ones, which are there for programs alone. */
export async function activeGroups(hub: Hub, uid: number): Promise<Group[]> {
  return (await listGroups(hub, uid)).filter((group) => group.deleted === 0);
}

/** One group of the channel, deleted or not; of several with a name, in either form of Unicode, a group that is not deleted. */
export async function findGroup(
  hub: Hub,
  uid: number,
  key: { id: number } | { name: string } | { hash: string },
): Promise<Group | undefined> {
  const values: { uid: number; id?: number; name?: string; composed?: string; hash?: string } = {
    uid,
    ...key,
    ...("name" in key && { composed: key.name.normalize("NFC") }),
  };
  const [group] = await compiled(hub, "group", values, (slots) => {
    const own = hub.db.selectFrom("pgrp").selectAll().where("uid", "=", slots.uid);
    if (slots.id) return own.where("id", "=", slots.id);
    if (slots.hash) return own.where("hash", "=", slots.hash);
    // What was named before, or came with an import, may be stored in the other form.
    return own
      .where((x) => x.or([x("gname", "=", slots.name!), x("gname", "=", slots.composed!)]))
      .orderBy("deleted")
      .orderBy("id", "desc")
      .limit(sql.lit(1));
  });
  return group;
}

/** A group that can be used and changed. Throws missing, also for a deleted one. */
export async function activeGroup(hub: Hub, uid: number, groupId: number): Promise<Group> {
  const group = await findGroup(hub, uid, { id: groupId });
  if (!group || group.deleted === 1) throw missing("Group");
  return group;
}

/** Groups of one channel do not have names that may be taken for each other, save those that had them before or came so. */
async function refuseTakenName(hub: Hub, uid: number, gname: string, ownId?: number): Promise<void> {
  const key = groupNameKey(gname);
  const others = (await activeGroups(hub, uid)).filter(({ id }) => id !== ownId);
  if (others.some((group) => groupNameKey(group.gname) === key)) throw refusal("group_name_taken");
}
