import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { File } from "../files/types.ts";
import { selectPhotos } from "./find.ts";
import { inAlbum } from "./list.ts";
import { usages } from "./types.ts";
import type { Photo } from "./columns.ts";

/** An image of a channel with all that is stored of it. */
export type PhotoRecord = {
  resource: string;
  /** By scale, at least one. */
  renditions: Photo[];
  /** Pictures that came with an import have none. */
  file: File | undefined;
};

/** An image as lists show it: its largest rendition, and where the smallest one is. */
export type ListedPhoto = Photo & { thumb_scale: number; thumb_type: string };

/** The channel's images with these ids in their order; what it does not have is left out. Two queries. */
export async function photoRecords(hub: Hub, uid: number, resources: readonly string[]): Promise<PhotoRecord[]> {
  if (resources.length === 0) return [];
  const renditions = await selectPhotos(hub, uid)
    .where(isOneOf(hub.engine, sql.ref("photo.resource_id"), resources))
    .where(isOwn)
    .execute();
  const files = await hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("hash"), resources))
    .where("latest", "=", sql.lit(1))
    .execute();
  // Sorted here: for their order SQLite would read all photos of the channel.
  renditions.sort((one, other) => one.imgscale - other.imgscale);
  const byResource = Map.groupBy(renditions, (one) => one.resource_id);
  const fileOf = new Map(files.map((file) => [file.hash, file]));
  return resources.flatMap((resource) => {
    const found = byResource.get(resource);
    return found ? [{ resource, renditions: found, file: fileOf.get(resource) }] : [];
  });
}

type Page = { limit?: number | undefined; offset: number };

/** The channel's images, one entry each, oldest first; all of them without a limit. */
export async function listImages(hub: Hub, uid: number, { limit, offset }: Page): Promise<ListedPhoto[]> {
  const rows = selectPhotos(hub, uid)
    .select([
      sql<number>`(select max(s.imgscale) from photo s where ${sameImage("s")})`.as("thumb_scale"),
      sql<string>`(select s.mimetype from photo s where ${sameImage("s")} order by s.imgscale desc limit 1)`.as(
        "thumb_type",
      ),
    ])
    .where(isOwn)
    .where(isLargest)
    .orderBy("photo.created")
    .orderBy("photo.id");
  return (limit === undefined ? rows : rows.limit(limit).offset(offset)).execute();
}

/** The ids of the images of an album by date; the empty album is the top level. */
export async function imagesInAlbum(
  hub: Hub,
  uid: number,
  album: string,
  { limit, offset, latestFirst }: Required<Page> & { latestFirst: boolean },
): Promise<string[]> {
  const direction = latestFirst ? "desc" : "asc";
  const rows = await selectPhotos(hub, uid)
    .where(isOwn)
    .where(isLargest)
    .where(await inAlbum(hub, uid, album))
    .orderBy("photo.created", direction)
    .orderBy("photo.id", direction)
    .limit(limit ?? 0)
    .offset(offset)
    .execute();
  return rows.map((row) => row.resource_id);
}

/** Avatars of other people that are kept here are none of the channel's images. */
const isOwn = sql<SqlBool>`photo.photo_usage <> ${sql.lit(usages.connection)}`;

const isLargest = sql<SqlBool>`photo.imgscale = (select min(l.imgscale) from photo l where ${sameImage("l")})`;

function sameImage(name: string): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${name}.${column}`);
  return sql<SqlBool>`${of("uid")} = photo.uid and ${of("resource_id")} = photo.resource_id`;
}

/** An album with the date of its directory, of its oldest image at the top level. */
export type AlbumRecord = { name: string; created: string; count: number };

/** The channel's albums that hold images, the top level first, then by name. */
export async function albumRecords(hub: Hub, uid: number): Promise<AlbumRecord[]> {
  const images = hub.db
    .selectFrom("attach")
    .select(["attach.folder", (x) => x.fn.countAll<number>().as("total"), (x) => x.fn.min("created").as("oldest")])
    .where("attach.uid", "=", uid)
    .where("attach.is_photo", "=", sql.lit(1))
    .where("attach.latest", "=", sql.lit(1))
    .groupBy("attach.folder");
  const rows = await hub.db
    .selectFrom(images.as("counted"))
    .leftJoin("attach as dir", (join) => join.on("dir.uid", "=", uid).onRef("dir.hash", "=", "counted.folder"))
    .select([
      "counted.total",
      sql<string>`coalesce(dir.display_path, '')`.as("name"),
      sql<string>`coalesce(dir.created, counted.oldest)`.as("created"),
    ])
    .orderBy("name")
    .execute();
  return rows.map(({ name, created, total }) => ({ name, created, count: Number(total) }));
}
