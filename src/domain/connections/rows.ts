import type { Updateable } from "kysely";
import { missing } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { AbookTable } from "../../storage/tables/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { channelSetting } from "../identity/channels/channel-settings.ts";
import { emitToChannels } from "../live/emit.ts";
import { planEndOfKeeping } from "./plan-end-of-keeping.ts";
import { leaveGroups } from "./memberships.ts";
import type { Abook } from "./types.ts";

/** The channel's row about an identity. */
export async function findRow(hub: Hub, uid: number, xchan: string): Promise<Abook | undefined> {
  return hub.db
    .selectFrom("abook")
    .selectAll()
    .where("abook_channel", "=", uid)
    .where("abook_xchan", "=", xchan)
    .executeTakeFirst();
}

/** The channel's row with this id; one of somebody else is missing. */
export async function rowById(hub: Hub, uid: number, abookId: number): Promise<Abook> {
  const row = await hub.db
    .selectFrom("abook")
    .selectAll()
    .where("abook_id", "=", abookId)
    .where("abook_channel", "=", uid)
    .executeTakeFirst();
  if (!row) throw missing("Connection");
  return row;
}

type States = Pick<Abook, "abook_pending" | "follow_out" | "follow_in"> &
  Partial<
    Pick<
      Abook,
      | "abook_blocked"
      | "abook_ignored"
      | "mute_ends"
      | "abook_unconnected"
      | "follow_out_id"
      | "follow_out_again"
      | "follow_in_id"
    >
  >;

/** Of a row that is no connection: its channel has blocked or muted somebody, and has nothing else to do with them. */
export const stranger = { abook_pending: 0, abook_unconnected: 1, follow_out: "none", follow_in: "none" } as const;

/** Deletes such a row once it says nothing any more. */
export async function leaveStranger(hub: Hub, uid: number, xchan: string): Promise<void> {
  const row = await findRow(hub, uid, xchan);
  if (row?.abook_unconnected !== 1) return;
  if (row.abook_blocked + row.abook_ignored + row.abook_shut_out === 0) await deleteRow(hub, uid, xchan);
}

/**
 * Neither of the two follows the other any more: nothing is left of the connection but what the channel has said against them, or they
 * against it. Part of a transaction.
 */
export async function endRow(hub: Hub, { abook_channel: uid, abook_xchan: hash }: Abook): Promise<void> {
  await changeRow(hub, uid, hash, { ...stranger, follow_out_id: "", follow_in_id: "" });
  await forgetGrants(hub, uid, hash);
  await leaveGroups(hub, uid, hash);
  await leaveStranger(hub, uid, hash);
}

/** Adds the channel's row about an identity. */
export async function addRow(hub: Hub, owner: Channel, xchan: string, states: States): Promise<void> {
  const created = now(hub);
  await hub.db
    .insertInto("abook")
    .values({
      abook_account: owner.channel_account_id,
      abook_channel: owner.channel_id,
      abook_xchan: xchan,
      abook_closeness: await channelSetting(hub, owner.channel_id, "newCloseness"),
      abook_created: created,
      abook_updated: created,
      abook_profile: await profileOf(hub, owner.channel_id),
      ...states,
    })
    .execute();
  await planEndOfKeeping(hub, owner.channel_id);
  if (states.abook_pending === 1) await emitToChannels(hub, "requests", [owner.channel_id]);
}

/** Changes the channel's row about an identity; it counts as updated. */
export async function changeRow(hub: Hub, uid: number, xchan: string, values: Updateable<AbookTable>): Promise<void> {
  await hub.db
    .updateTable("abook")
    .set({ ...values, abook_updated: now(hub) })
    .where("abook_channel", "=", uid)
    .where("abook_xchan", "=", xchan)
    .execute();
  await planEndOfKeeping(hub, uid);
  if (values.abook_pending !== undefined) await emitToChannels(hub, "requests", [uid]);
}

/** Deletes the row, what is known about it, and its memberships. */
export async function deleteRow(hub: Hub, uid: number, xchan: string): Promise<void> {
  await hub.db.deleteFrom("abook").where("abook_channel", "=", uid).where("abook_xchan", "=", xchan).execute();
  await forgetGrants(hub, uid, xchan);
  await leaveGroups(hub, uid, xchan);
  await emitToChannels(hub, "requests", [uid]);
}

async function forgetGrants(hub: Hub, uid: number, xchan: string): Promise<void> {
  await hub.db.deleteFrom("abconfig").where("chan", "=", uid).where("xchan", "=", xchan).execute();
}

async function profileOf(hub: Hub, uid: number): Promise<string> {
  const profile = await hub.db
    .selectFrom("profile")
    .select("profile_guid")
    .where("uid", "=", uid)
    .where("is_default", "=", 1)
    .executeTakeFirst();
  return profile?.profile_guid ?? "";
}
