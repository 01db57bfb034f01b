import { sql } from "kysely";
import type { SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { scales } from "../photos/scales.ts";
import { usages } from "../photos/types.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { channelsAllowing } from "../permissions/may.ts";
import { listsOpen } from "../permissions/visible.ts";
import { renditionPath } from "../photos/urls.ts";

/**
 * The addresses of the channels' cover photos: the observer's own, and of others those that everybody may see who may
 * see the channel's files at all.
 */
export async function coversOf(hub: Hub, observer: Observer, uids: readonly number[]): Promise<Map<number, string>> {
  if (uids.length === 0) return new Map();
  const me = observer.channelId;
  const rows = await hub.db
    .selectFrom("photo")
    .innerJoin("attach", (join) =>
      join
        .onRef("attach.uid", "=", "photo.uid")
        .onRef("attach.hash", "=", "photo.resource_id")
        .on("attach.latest", "=", sql.lit(1)),
    )
    .leftJoin("attach as dir", (join) =>
      join
        .onRef("dir.uid", "=", "attach.uid")
        .onRef("dir.hash", "=", "attach.folder")
        .on("dir.is_dir", "=", sql.lit(1))
        .on("dir.latest", "=", sql.lit(1)),
    )
    .select(["photo.uid", "photo.resource_id"])
    .where(isOneOf(hub.engine, sql.ref("photo.uid"), uids))
    .where("photo.imgscale", "=", sql.lit(scales.coverLarge.number))
    .where("photo.photo_usage", "=", sql.lit(usages.cover))
    .where(
      sql<SqlBool>`(photo.uid = ${me} or (${listsOpen("attach")} and (attach.folder = '' or ${listsOpen("dir")})))`,
    )
    .orderBy("photo.id")
    .execute();
  const { view_storage: allowing } = await channelsAllowing(hub, observer, ["view_storage"], uids);
  const url = (resource: string): string => hub.config.baseUrl + renditionPath(resource, "coverLarge");
  return new Map(rows.filter(({ uid }) => allowing.has(uid)).map((row) => [row.uid, url(row.resource_id)]));
}
