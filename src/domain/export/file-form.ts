import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { readBlob } from "../files/blobs.ts";
import { folderOf, ownFile } from "../files/find.ts";
import { listFiles } from "../files/list.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { linkedItems } from "../items/linked.ts";
import { renditionsOf } from "../photos/find.ts";
import { scales } from "../photos/scales.ts";
import type { Photo } from "../photos/columns.ts";
import { fileRecord } from "../portable/file.ts";
import { fullItems } from "../portable/item-portable.ts";
import { photoRecord } from "../portable/photo.ts";
import { countFiles } from "./queries.ts";

/** Everything that another hub needs to make the newest revision of a file again. Throws missing. */
export async function exportFile(hub: Hub, channel: Channel, hash: string): Promise<object> {
  return fileForm(hub, channel, await ownFile(hub, channel.channel_id, hash));
}

export type FilesPage = { total: number; file: object | undefined };

/** One file or directory per page, from 0, in the order of `files`, every revision. */
export async function exportFilesPage(hub: Hub, channel: Channel, page: number): Promise<FilesPage> {
  const uid = channel.channel_id;
  const total = await countFiles(hub, uid);
  const [file] = page < total ? await listFiles(hub, uid, { start: page }, 1) : [];
  return { total, file: file && (await fileForm(hub, channel, file)) };
}

/** The form of one revision. Renditions, item and comments belong to the newest one of an image. */
export async function fileForm(hub: Hub, channel: Channel, file: File): Promise<object> {
  const way = await wayTo(hub, file);
  return {
    fetch_url: `${hub.config.baseUrl}/getfile`,
    original_channel: channel.channel_address,
    attach: way.map((one, place) => ({
      ...fileRecord(one, locator(channel, way.slice(0, place + 1))),
      ...(one.is_original === 1 && { is_original: "1" }),
    })),
    ...(file.is_photo === 1 && file.latest === 1 && (await photoParts(hub, file))),
  };
}

/** The directories from the top level down, then the file itself. */
async function wayTo(hub: Hub, file: File): Promise<File[]> {
  const way = [file];
  const seen = new Set([file.hash]);
  for (let above = await folderOf(hub, file); above; above = await folderOf(hub, above)) {
    // Imported rows could lie in a circle.
    if (seen.has(above.hash)) break;
    seen.add(above.hash);
    way.unshift(above);
  }
  return way;
}

/** A name for the bytes that is no path of the server. */
function locator(channel: Channel, way: readonly File[]): string {
  return ["store", channel.channel_address, ...way.map(({ hash }) => hash)].join("/");
}

async function photoParts(hub: Hub, file: File): Promise<object> {
  const renditions = await renditionsOf(hub, file.uid, file.hash);
  const photo = [];
  for (const one of renditions) photo.push(photoRecord(one, await contentOf(hub, file, one)));
  const items = await linkedItems(hub, file.uid, "photo", [file.hash], "with comments");
  return { photo, item: fullItems(items, hub.config.baseUrl) };
}

/** The original is usually the file itself; bytes that are lost are left empty, so that the rest can be carried all the same. */
async function contentOf(hub: Hub, file: File, { imgscale, blob }: Photo): Promise<string> {
  if (imgscale === scales.original.number && blob === file.blob) return "";
  return (await unlessMissing(readBlob(hub, blob)))?.toString("base64") ?? "";
}
