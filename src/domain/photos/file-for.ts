import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { File } from "../files/types.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { scales } from "./scales.ts";

/**
 * A file with the bytes that are meant for this observer: of an image that came from elsewhere as it was, others get
 * what is shown of it, drawn as with uploads. Throws missing for a former revision of such an image.
 */
export async function fileFor(hub: Hub, observer: Observer, file: File): Promise<File> {
  if (file.is_original === 0 || observer.channelId === file.uid) return file;
  const shown = await hub.db
    .selectFrom("photo")
    .select(["blob", "filesize", "mimetype as filetype"])
    .where("uid", "=", file.uid)
    .where("resource_id", "=", file.hash)
    .where("imgscale", "=", scales.original.number)
    .executeTakeFirst();
  if (!shown || shown.blob === file.blob || file.latest === 0) throw missing("File");
  return { ...file, ...shown };
}
