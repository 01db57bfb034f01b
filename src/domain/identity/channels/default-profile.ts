import { randomBytes } from "node:crypto";
import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "../xchans/avatar-urls.ts";
import type { Channel } from "./channel.ts";

/** Sees to it that the channel has a default profile, and not two: the first one, or a new one. Part of a transaction. */
export async function ensureDefaultProfile(hub: Hub, channel: Channel): Promise<void> {
  const { channel_id: uid, channel_account_id: aid, channel_name: fullname } = channel;
  const rows = await hub.db
    .selectFrom("profile")
    .select(["id", "is_default"])
    .where("uid", "=", uid)
    .orderBy("is_default", "desc")
    .orderBy("id")
    .execute();
  const [first, ...others] = rows;
  if (first) {
    await hub.db.updateTable("profile").set({ is_default: 1 }).where("id", "=", first.id).execute();
    const doubles = others.filter((row) => row.is_default === 1);
    for (const { id } of doubles)
      await hub.db.updateTable("profile").set({ is_default: 0 }).where("id", "=", id).execute();
    return;
  }
  const { l, m } = avatarUrls(hub, uid);
  const profile_guid = randomBytes(32).toString("hex");
  await hub.db
    .insertInto("profile")
    .values({ aid, uid, profile_guid, profile_name: "Default profile", is_default: 1, fullname, photo: l, thumb: m })
    .execute();
}
