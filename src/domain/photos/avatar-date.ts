import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";

/** Notes that the channel shows another picture from now on, so that whoever keeps it fetches it again. */
export async function noteAvatar(hub: Hub, uid: number, mimetype: string): Promise<void> {
  const hash = hub.db.selectFrom("channel").select("channel_hash").where("channel_id", "=", uid);
  await hub.db
    .updateTable("xchan")
    .set({ xchan_photo_mimetype: mimetype, xchan_photo_date: now(hub) })
    .where("xchan_hash", "=", hash)
    .execute();
}
