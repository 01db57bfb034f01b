import { sql } from "kysely";
import type { Hub } from "../../hub.ts";

/** New connections join the group that the channel has chosen for them, if it has one; harmless when repeated. */
export async function joinDefaultGroup(hub: Hub, uid: number, xchan: string): Promise<void> {
  await hub.db
    .insertInto("pgrp_member")
    .columns(["uid", "gid", "xchan"])
    .expression((eb) =>
      eb
        .selectFrom("channel")
        .innerJoin("pgrp", "pgrp.hash", "channel.channel_default_group")
        .select(["pgrp.uid", "pgrp.id", sql<string>`cast(${xchan} as text)`.as("xchan")])
        .where("channel_id", "=", uid)
        .where("pgrp.uid", "=", uid)
        .where("pgrp.deleted", "=", 0),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Who takes somebody's place is in all their groups as well; harmless when repeated. */
export async function copyMemberships(hub: Hub, uid: number, from: string, to: string): Promise<void> {
  await hub.db
    .insertInto("pgrp_member")
    .columns(["uid", "gid", "xchan"])
    .expression((eb) =>
      eb
        .selectFrom("pgrp_member as former")
        .select(["former.uid", "former.gid", sql<string>`cast(${to} as text)`.as("xchan")])
        .where("former.uid", "=", uid)
        .where("former.xchan", "=", from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Somebody who is no connection any more is in no group either. */
export async function leaveGroups(hub: Hub, uid: number, xchan: string): Promise<void> {
  await hub.db.deleteFrom("pgrp_member").where("uid", "=", uid).where("xchan", "=", xchan).execute();
}
