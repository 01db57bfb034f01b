import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { recordAppearance } from "./appearance.ts";
import { avatarUrls } from "./avatar-urls.ts";
import type { AvatarUrls } from "./avatar-urls.ts";

/** Notes that the channel shows another picture from now on, so that whoever keeps it fetches it again. */
export async function recordAvatar(hub: Hub, uid: number, mimetype: string): Promise<void> {
  const hash = hub.db.selectFrom("channel").select("channel_hash").where("channel_id", "=", uid);
  await hub.db
    .updateTable("xchan")
    .set({ xchan_photo_mimetype: mimetype, xchan_photo_date: now(hub) })
    .where("xchan_hash", "=", hash)
    .execute();
  await recordAppearance(hub, uid);
}

/** Somebody from elsewhere is shown with these pictures from now on. Answers the hash of who it is, if they are known. */
export async function showAvatar(
  hub: Hub,
  xchanId: number,
  { l, m, s }: AvatarUrls,
  mimetype: string,
): Promise<string | undefined> {
  const xchan = await hub.db
    .updateTable("xchan")
    .set({
      xchan_photo_mimetype: mimetype,
      xchan_photo_l: l,
      xchan_photo_m: m,
      xchan_photo_s: s,
      xchan_photo_date: now(hub),
    })
    .where("xchan_id", "=", xchanId)
    .returning("xchan_hash")
    .executeTakeFirst();
  return xchan?.xchan_hash;
}

/** There are no copies of somebody's pictures any more; what their document names is new when it is read again. */
export async function forgetPictures(hub: Hub, hash: string): Promise<void> {
  const { l, m, s } = avatarUrls(hub, 0);
  const xchan = await hub.db
    .updateTable("xchan")
    .set({
      xchan_photo_mimetype: "image/png",
      xchan_photo_l: l,
      xchan_photo_m: m,
      xchan_photo_s: s,
      xchan_photo_date: now(hub),
    })
    .where("xchan_hash", "=", hash)
    .returning("xchan_id")
    .executeTakeFirst();
  if (xchan)
    await hub.db.updateTable("actor").set({ picture: "", cover: "" }).where("xchan_id", "=", xchan.xchan_id).execute();
}
