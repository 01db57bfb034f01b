import { randomBytes } from "node:crypto";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";

/**
 * The hash of a new group: it never changes, whatever the group is called later. The characters that mark hashes in
 * access lists are left out of it.
 */
export function newGroupHash(name: string): string {
  return randomBytes(32).toString("hex") + name.replace(/[<>[\]]/g, "");
}

/** The hash of the channel's group `Friends`, which is made with the channel itself as member where it is absent. */
export async function friendsGroup(hub: Hub, uid: number, channelHash: string): Promise<string> {
  const found = await hub.db
    .selectFrom("pgrp")
    .select("hash")
    .where("uid", "=", uid)
    .where("gname", "=", "Friends")
    .where("deleted", "=", 0)
    .executeTakeFirst();
  return found?.hash ?? makeFriendsGroup(hub, uid, channelHash);
}

async function makeFriendsGroup(hub: Hub, uid: number, channelHash: string): Promise<string> {
  const { id, hash } = await hub.db
    .insertInto("pgrp")
    .values({ hash: newGroupHash("Friends"), uid, gname: "Friends", created: now(hub) })
    .returning(["id", "hash"])
    .executeTakeFirstOrThrow();
  await hub.db.insertInto("pgrp_member").values({ uid, gid: id, xchan: channelHash }).execute();
  return hash;
}
