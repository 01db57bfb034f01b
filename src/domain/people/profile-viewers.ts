import type { Hub } from "../../hub.ts";

/**
 * Who sees which of the channel's assigned profiles, by the profile's guid: the numbers of the identities, longest
 * connected first. Requests are no connections yet, and who is blocked sees nothing.
 */
export async function profileViewers(hub: Hub, uid: number): Promise<Map<string, number[]>> {
  const rows = await hub.db
    .selectFrom("abook")
    .innerJoin("profile", (join) =>
      join.onRef("profile.uid", "=", "abook_channel").onRef("profile_guid", "=", "abook_profile"),
    )
    .innerJoin("xchan", "xchan_hash", "abook_xchan")
    .select(["profile_guid", "xchan_id"])
    .where("abook_channel", "=", uid)
    .where("is_default", "=", 0)
    .where("abook_pending", "=", 0)
    .where("abook_blocked", "=", 0)
    .where("abook_unconnected", "=", 0)
    .where("abook_self", "=", 0)
    .where("xchan_deleted", "=", 0)
    .orderBy("abook_id")
    .execute();
  const viewers = new Map<string, number[]>();
  for (const { profile_guid: guid, xchan_id: id } of rows) {
    const ids = viewers.get(guid);
    if (ids) ids.push(id);
    else viewers.set(guid, [id]);
  }
  return viewers;
}
