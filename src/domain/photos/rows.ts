import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { releaseBlobs } from "../files/blobs.ts";
import type { File } from "../files/types.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { recordAppearance } from "../identity/xchans/appearance.ts";
import { recordAvatar } from "../identity/xchans/show-avatar.ts";
import { usages } from "./types.ts";
import type { PreparedPhoto, Rendition } from "./types.ts";
import type { Listed } from "../identity/records/name-successor.ts";

/** Writes the photo rows of a file, in place of those that it had; inside the transaction that writes the file's row. */
export async function insertPhoto(hub: Hub, file: File, prepared: PreparedPhoto): Promise<void> {
  await deletePhotos(hub, file.uid, [file.hash]);
  await insertRenditions(hub, file, prepared.renditions);
}

/** Adds renditions to those that the file has, in place of earlier ones of the same scales. Inside a transaction. */
export async function insertRenditions(
  hub: Hub,
  file: Pick<File, "uid" | "aid" | "hash" | "creator" | "created">,
  renditions: readonly Rendition[],
  usage: number = usages.normal,
): Promise<void> {
  const owner = await findChannelById(hub, file.uid);
  await dropRows(hub, file.uid, [file.hash], (scale) => renditions.some(({ imgscale }) => imgscale === scale));
  await hub.db
    .insertInto("photo")
    .values(
      renditions.map((one) => ({
        ...one,
        aid: file.aid,
        uid: file.uid,
        xchan: file.creator === owner?.channel_hash ? "" : file.creator,
        resource_id: file.hash,
        created: file.created,
        edited: now(hub),
        photo_usage: usage,
        profile: usage === usages.profile ? 1 : 0,
      })),
    )
    .execute();
}

/**
 * Removes the photo rows of files that go, or are no images any more, and lets their bytes go; a profile photo among them
 * gives its place to the drawn picture. Inside a transaction.
 */
export async function deletePhotos(hub: Hub, uid: number, resources: readonly string[]): Promise<void> {
  const gone = await dropRows(hub, uid, resources, () => true);
  if (gone.some((row) => row.photo_usage === usages.profile)) await recordAvatar(hub, uid, "image/png");
  if (gone.some((row) => row.photo_usage === usages.cover)) await recordAppearance(hub, uid);
}

async function dropRows(hub: Hub, uid: number, resources: readonly string[], chosen: (scale: number) => boolean) {
  const rows = await hub.db
    .selectFrom("photo")
    .select(["id", "blob", "imgscale", "photo_usage"])
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("resource_id"), resources))
    .execute();
  const gone = rows.filter((row) => chosen(row.imgscale));
  if (gone.length === 0) return gone;
  const ids = gone.map((row) => row.id);
  await hub.db
    .deleteFrom("photo")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  await releaseBlobs(hub, [...new Set(gone.map((row) => row.blob))]);
  return gone;
}

/** Gives all renditions of an image these words. */
export async function renamePhoto(
  hub: Hub,
  { uid, hash }: Pick<File, "uid" | "hash">,
  { title, description }: { title: string; description: string },
): Promise<void> {
  await hub.db
    .updateTable("photo")
    .set({ title, description, edited: now(hub) })
    .where("uid", "=", uid)
    .where("resource_id", "=", hash)
    .execute();
}

/** Gives all renditions of an image the point that stays in sight. */
export async function setFocus(hub: Hub, { uid, hash }: Pick<File, "uid" | "hash">, focus: string): Promise<void> {
  await hub.db
    .updateTable("photo")
    .set({ focus, edited: now(hub) })
    .where("uid", "=", uid)
    .where("resource_id", "=", hash)
    .execute();
}

/** Puts pictures of a channel that have no file into another album. */
export async function nameAlbum(hub: Hub, uid: number, resources: readonly string[], album: string): Promise<void> {
  await hub.db
    .updateTable("photo")
    .set({ album })
    .where("uid", "=", uid)
    .where(isOneOf(hub.engine, sql.ref("resource_id"), resources))
    .execute();
}

/** Who sees photos. */
export const listedPhotos: Listed = { table: "photo", id: "id", uid: "uid", date: "created" };
