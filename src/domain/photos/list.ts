import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { findFolder } from "../files/find.ts";
import { photosVisibleTo, selectPhotos } from "./find.ts";
import { usages } from "./types.ts";
import type { Photo } from "./columns.ts";

/** What native contract 6.10 lists; the empty album is the top level, and all of them are meant when it is left out. */
export type PhotoList = { album?: string | undefined; scale?: number | undefined; start: number; records: number };

const together = 500;

/**
 * Renditions of the channel's photos that the observer may see, by date, resource and scale, a few hundred at a time;
 * `records` 0 is all of them.
 */
export async function* listPhotos(
  hub: Hub,
  observer: Observer,
  { channel_id: uid }: Pick<Channel, "channel_id">,
  query: PhotoList,
): AsyncGenerator<Photo[]> {
  let last: Photo | undefined;
  for (let left = query.records === 0 ? Infinity : query.records; left > 0;) {
    const limit = Math.min(left, together);
    const rows: Photo[] = await somePhotos(hub, observer, uid, query, limit, last);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    left -= rows.length;
  }
}

async function somePhotos(
  hub: Hub,
  observer: Observer,
  uid: number,
  { album, scale, start }: PhotoList,
  limit: number,
  last?: Photo,
): Promise<Photo[]> {
  let q = selectPhotos(hub, uid)
    .where("photo.photo_usage", "in", [sql.lit(usages.normal), sql.lit(usages.profile)])
    .where(photosVisibleTo(hub, observer, uid));
  if (album !== undefined) q = q.where(await inAlbum(hub, uid, album));
  if (scale !== undefined) q = q.where("photo.imgscale", "=", scale);
  if (last)
    q = q.where(
      sql<SqlBool>`(photo.created, photo.resource_id, photo.imgscale) > (${last.created}, ${last.resource_id}, ${last.imgscale})`,
    );
  return q
    .orderBy("photo.created")
    .orderBy("photo.resource_id")
    .orderBy("photo.imgscale")
    .limit(limit)
    .offset(last ? 0 : start)
    .execute();
}

/** Which rows of photos, joined with their files, are in the album? Pictures without a file carry its name themselves. */
export async function inAlbum(hub: Hub, uid: number, album: string): Promise<RawBuilder<SqlBool>> {
  const name = album === "/" ? "" : album;
  const folder = name === "" ? "" : ((await findFolder(hub, uid, name.split("/")))?.hash ?? "none");
  return sql<SqlBool>`(attach.folder = ${folder} or (attach.id is null and photo.album = ${name}))`;
}
