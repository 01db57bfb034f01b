import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { File } from "../../files/types.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { yes } from "../queries.ts";

/** Media that came in pieces have ids of their own, from here on: no file ever gets as many. */
const firstOfPieces = 2 ** 50;

/** The media id of an upload in pieces, before and after it is complete. */
export function mediaIdOfUpload(uploadId: number): number {
  return firstOfPieces + uploadId;
}

/** The upload in pieces that a media id stands for; undefined for the id of a file. */
export function uploadOfMediaId(mediaId: number): number | undefined {
  return mediaId > firstOfPieces ? mediaId - firstOfPieces : undefined;
}

/**
 * The newest revisions of the channel's files with these media ids, in their order, each once. Throws invalid
 * (`unknown_media`), for those of others as for what does not exist.
 */
export async function filesOfMedia(hub: Hub, channel: Channel, ids: readonly number[]): Promise<File[]> {
  const files: File[] = [];
  for (const id of new Set(ids)) files.push(await fileOfMedia(hub, channel, id));
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/** The file with this media id. Throws as `filesOfMedia`. */
export async function fileOfMedia(hub: Hub, channel: Channel, id: number): Promise<File> {
  const file = await findMedia(hub, channel, id);
  if (!file) throw refusal("unknown_media");
  return file;
}

/** The same; undefined for what is not there. */
export async function findMedia(hub: Hub, channel: Channel, id: number): Promise<File | undefined> {
  const hash = await hashOfMedia(hub, channel.channel_id, id);
  if (hash === undefined) return undefined;
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", channel.channel_id)
    .where("hash", "=", hash)
    .where("latest", "=", yes)
    .where("is_dir", "=", 0)
    .executeTakeFirst();
}

async function hashOfMedia(hub: Hub, uid: number, id: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(id) || id <= 0) return undefined;
  const upload = uploadOfMediaId(id);
  const row =
    upload === undefined
      ? await hub.db.selectFrom("attach").select("hash").where("id", "=", id).where("uid", "=", uid).executeTakeFirst()
      : await hub.db
          .selectFrom("upload")
          .select("hash")
          .where("id", "=", upload)
          .where("uid", "=", uid)
          .executeTakeFirst();
  return row?.hash;
}
