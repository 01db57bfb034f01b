import { sql } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { checkWriting } from "../files/check-writing.ts";
import { placeFile } from "../files/change.ts";
import { deleteFiles, filesBelow } from "../files/delete.ts";
import { findFolder, readPath } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { openLists } from "../files/lists.ts";
import { lockFiles } from "../files/lock.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dropPhotos, refreshPhotos } from "../items/media/photo-parts.ts";
import { deletePhotos, nameAlbum } from "../photos/rows.ts";
import { usages } from "../photos/types.ts";
import { moveToAlbum } from "./photos.ts";

/** The images of an album: files of its directory, and pictures without a file that carry its name. */
type Album = { directory: File | undefined; images: File[]; bare: string[] };

/** Deletes all images of an album with their items. Throws denied, missing. */
export async function deleteAlbum(hub: Hub, channel: Channel, name: string): Promise<void> {
  await change(hub, channel, async (hub) => {
    const { images, bare } = await findAlbum(hub, channel, readPath(name));
    await dropPhotos(hub, images);
    await deleteFiles(hub, images);
    if (bare.length > 0) await deletePhotos(hub, channel.channel_id, bare);
  });
}

/** Deletes one image of the channel with its items. Throws denied, missing. */
export async function deletePhoto(hub: Hub, channel: Channel, resource: string): Promise<void> {
  await change(hub, channel, async (hub) => {
    const file = await imagesWhere(hub, channel).where("hash", "=", resource).executeTakeFirst();
    if (file) {
      await dropPhotos(hub, [file]);
      return deleteFiles(hub, [file]);
    }
    const [bare] = await barePictures(hub, channel).where("photo.resource_id", "=", resource).execute();
    if (!bare) throw missing("Photo");
    await deletePhotos(hub, channel.channel_id, [resource]);
  });
}

/**
 * Gives an album another name; where there is an album of that name, the images join it. Throws denied, missing,
 * invalid.
 */
export async function renameAlbum(hub: Hub, channel: Channel, name: string, newName: string): Promise<void> {
  const [from, to] = [readPath(name), readPath(newName)];
  await change(hub, channel, async (hub) => {
    const album = await findAlbum(hub, channel, from);
    if (from.join("/") === to.join("/")) return;
    const takes = to.length > 0 && (await findFolder(hub, channel.channel_id, to));
    const isBeneath = from.every((part, at) => to[at] === part);
    if (album.directory && !takes && to.length > 0 && !isBeneath)
      await renameDirectory(hub, channel, album.directory, to);
    else await moveImages(hub, channel, album, to.length === 0 ? "/" : to.join("/"));
    if (album.bare.length === 0) return;
    await nameAlbum(hub, channel.channel_id, album.bare, to.join("/"));
  });
}

async function renameDirectory(hub: Hub, channel: Channel, directory: File, to: string[]): Promise<void> {
  const above = await ensureFolder(hub, channel, to.slice(0, -1).join("/"), channel.channel_hash, openLists);
  const placed = await placeFile(hub, directory, above, to.at(-1)!);
  await refreshPhotos(hub, channel, await filesBelow(hub, placed));
}

/** The directory goes once it is empty. */
async function moveImages(hub: Hub, channel: Channel, { directory, images }: Album, to: string): Promise<void> {
  for (const image of images) await moveToAlbum(hub, channel, image, to);
  await refreshPhotos(hub, channel, images);
  if (directory && (await filesBelow(hub, directory)).length === 1) await deleteFiles(hub, [directory]);
}

async function findAlbum(hub: Hub, channel: Channel, path: string[]): Promise<Album> {
  const directory = path.length === 0 ? undefined : await findFolder(hub, channel.channel_id, path);
  const images =
    path.length > 0 && !directory
      ? []
      : await imagesWhere(hub, channel)
          .where("folder", "=", directory?.hash ?? "")
          .execute();
  const bare = await barePictures(hub, channel).where("photo.album", "=", path.join("/")).execute();
  if (images.length === 0 && bare.length === 0) throw missing("Album");
  return { directory, images, bare: [...new Set(bare.map((row) => row.resource_id))] };
}

function imagesWhere(hub: Hub, channel: Channel) {
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", channel.channel_id)
    .where("is_photo", "=", sql.lit(1))
    .where("latest", "=", sql.lit(1))
    .orderBy("id");
}

/** Pictures that came without a file. */
function barePictures(hub: Hub, channel: Channel) {
  return hub.db
    .selectFrom("photo")
    .leftJoin("attach", (join) =>
      join.onRef("attach.uid", "=", "photo.uid").onRef("attach.hash", "=", "photo.resource_id"),
    )
    .select("photo.resource_id")
    .where("photo.uid", "=", channel.channel_id)
    .where("photo.photo_usage", "<>", usages.connection)
    .where("attach.id", "is", null);
}

async function change(hub: Hub, channel: Channel, work: (hub: Hub) => Promise<void>): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await checkWriting(hub, channel, channel);
    await lockFiles(hub, channel.channel_account_id);
    await work(hub);
  });
}
