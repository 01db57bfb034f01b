import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder, SqlBool } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { filesVisibleTo, staysPublic } from "../permissions/visible-files.ts";
import { photoColumns } from "./columns.ts";
import { usages } from "./types.ts";
import type { Photo } from "./columns.ts";

/** Rows of photos joined with their files, where they have any. */
export type PhotoQuery = SelectQueryBuilder<Tables, "photo" | "attach", Photo>;

export type PhotoRef = { resource: string; scale: number };

/**
 * A rendition, on one channel or wherever it is, if the observer may see its file, or a public post that it has become;
 * pictures of people without a file are everybody's to see. Throws missing, for what is hidden as for what does not exist.
 */
export async function findPhoto(
  hub: Hub,
  observer: Observer,
  { resource, scale }: PhotoRef,
  uid?: number,
): Promise<Photo> {
  for (const owner of uid === undefined ? await ownersOf(hub, resource, scale) : [uid]) {
    const rendition = selectPhotos(hub, owner)
      .where("photo.resource_id", "=", resource)
      .where("photo.imgscale", "=", scale);
    const found = await rendition.where(photosVisibleTo(hub, observer, owner)).executeTakeFirst();
    if (found) return found;
    const posted = await rendition.where(staysPublic(hub, observer, owner)).executeTakeFirst();
    if (posted) return posted;
  }
  throw missing("Photo");
}

/** The renditions of one of the channel's images, by scale. */
export async function renditionsOf(hub: Hub, uid: number, resource: string): Promise<Photo[]> {
  return selectPhotos(hub, uid).where("photo.resource_id", "=", resource).orderBy("photo.imgscale").execute();
}

/** The channel's photos with what their files say of them. */
export function selectPhotos(hub: Hub, uid: RawBuilder<number> | number): PhotoQuery {
  return hub.db
    .selectFrom("photo")
    .leftJoin("attach", (join) =>
      join
        .onRef("attach.uid", "=", "photo.uid")
        .onRef("attach.hash", "=", "photo.resource_id")
        .on("attach.latest", "=", sql.lit(1)),
    )
    .where("photo.uid", "=", uid)
    .select(photoColumns);
}

/** Which rows of `photo`, joined with their files, may the observer see? */
export function photosVisibleTo(hub: Hub, observer: Observer, uid: RawBuilder<number> | number): RawBuilder<SqlBool> {
  if (observer.channelId === uid) return sql<SqlBool>`photo.uid = ${uid}`;
  const files = filesVisibleTo(hub, observer, uid);
  const faces = sql`photo.photo_usage in (${sql.lit(usages.profile)}, ${sql.lit(usages.connection)})`;
  return sql<SqlBool>`((attach.id is not null and ${files}) or (attach.id is null and ${faces}))`;
}

async function ownersOf(hub: Hub, resource: string, scale: number): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("photo")
    .select("uid")
    .where("resource_id", "=", resource)
    .where("imgscale", "=", scale)
    .orderBy("uid")
    .execute();
  return rows.map((row) => row.uid);
}

/** The bytes of a rendition, or of a part of it. */
export async function readPhoto(hub: Hub, photo: Photo, start?: number, length?: number): Promise<Readable> {
  return hub.blobs.read(photo.blob, start, length);
}
