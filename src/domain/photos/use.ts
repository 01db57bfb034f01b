import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { isNobody, strangerOf } from "../identity/channels/observer.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { recordAppearance } from "../identity/xchans/appearance.ts";
import { recordAvatar } from "../identity/xchans/show-avatar.ts";
import { photosVisibleTo, selectPhotos } from "./find.ts";
import { insertRenditions } from "./rows.ts";
import type { Use } from "./scales.ts";
import { scales, scalesOf } from "./scales.ts";
import { usages } from "./types.ts";
import type { Photo } from "./columns.ts";
import type { Rendition } from "./types.ts";

/**
 * Makes an image of the channel its profile or cover photo: the renditions are those of that use, the former photo goes
 * back to being an ordinary one. Inside a transaction.
 */
export async function usePhoto(hub: Hub, file: File, use: Use, renditions: readonly Rendition[]): Promise<void> {
  await retire(hub, file.uid, use);
  await insertRenditions(hub, file, renditions, usages[use]);
  if (use === "profile") await recordAvatar(hub, file.uid, renditions[0]!.mimetype);
  else await recordAppearance(hub, file.uid);
}

/** The channel has no such photo any more: the drawn picture, or no cover. The image itself stays in its album. */
export async function stopUsing(hub: Hub, { channel_id: uid }: Pick<Channel, "channel_id">, use: Use): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await retire(hub, uid, use);
    if (use === "profile") await recordAvatar(hub, uid, "image/png");
    else await recordAppearance(hub, uid);
  });
}

/** The channel's cover photo, if it has one that the observer may see. */
export async function coverOf(
  hub: Hub,
  observer: Observer,
  { channel_id: uid }: Pick<Channel, "channel_id">,
): Promise<Photo | undefined> {
  const covers = (uid: RawBuilder<number> | number) =>
    selectPhotos(hub, uid)
      .where("photo.imgscale", "=", sql.lit(scales.coverLarge.number))
      .where("photo.photo_usage", "=", sql.lit(usages.cover))
      .where(photosVisibleTo(hub, observer, uid))
      .orderBy("photo.id", "desc");
  if (!isNobody(observer)) return covers(uid).executeTakeFirst();
  return (await compiled(hub, `cover, for ${strangerOf(observer)}`, { uid }, (slots) => covers(slots.uid)))[0];
}

async function retire(hub: Hub, uid: number, use: Use): Promise<void> {
  await hub.db
    .updateTable("photo")
    .set({ photo_usage: usages.normal, profile: 0 })
    .where("uid", "=", uid)
    .where(
      "imgscale",
      "in",
      scalesOf[use].map((scale) => sql.lit(scales[scale].number)),
    )
    .where("photo_usage", "=", sql.lit(usages[use]))
    .execute();
}
