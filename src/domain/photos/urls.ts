import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { albumKey } from "./albums.ts";
import { imageExtension } from "./images.ts";
import type { Scale } from "./scales.ts";
import { scales } from "./scales.ts";
import type { Photo } from "./columns.ts";

/** The address of a rendition on the hub itself. */
export function renditionPath(resource: string, scale: Scale): string {
  return photoUrl("", { resource_id: resource, imgscale: scales[scale].number });
}

/** Where the bytes of a rendition are. */
export function photoUrl(baseUrl: string, photo: Pick<Photo, "resource_id" | "imgscale">): string {
  return `${baseUrl}/photo/${photo.resource_id}-${photo.imgscale}`;
}

/** The same with the extension that players and old clients go by. */
export function photoFileUrl(baseUrl: string, photo: Pick<Photo, "resource_id" | "imgscale" | "mimetype">): string {
  return `${photoUrl(baseUrl, photo)}.${imageExtension(photo.mimetype)}`;
}

/** The page of an image. */
export function photoPageUrl(
  { config }: Hub,
  { channel_address }: Pick<Channel, "channel_address">,
  resource: string,
): string {
  return `${config.baseUrl}/photos/${channel_address}/image/${resource}`;
}

/** The page of an album. */
export function albumUrl(baseUrl: string, nick: string, name: string): string {
  return `${baseUrl}/photos/${nick}/album/${albumKey(name)}`;
}
