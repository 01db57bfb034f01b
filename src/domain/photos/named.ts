import { missing, unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { isRaster } from "../files/decide-type.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Photo } from "./columns.ts";
import { findPhoto } from "./find.ts";
import type { PhotoRef } from "./find.ts";
import { scales } from "./scales.ts";

/**
 * The name of an image at its address, `<resource>-<scale>.<ext>`; the extension is there for old clients, and no scale is the
 * original. What clients of other services add for a size says nothing here (microblog contract 7.4.1). Throws missing.
 */
export function readPhotoName(name: string): PhotoRef {
  const [, resource, scale = scales.original.number] =
    /^([0-9A-Za-z-]{1,64}?)(?:-(\d))?(?:\.[0-9A-Za-z]{1,5})?(?::(?:thumb|small|medium|large|orig))?$/.exec(name) ?? [];
  if (resource === undefined) throw missing("Photo");
  return { resource, scale: Number(scale) };
}

/**
 * The rendition with that name, for whoever may see it; where there is no thumbnail, the next larger one is it (microblog contract
 * 7.11). Throws missing.
 */
export async function findNamedPhoto(hub: Hub, observer: Observer, ref: PhotoRef): Promise<Photo> {
  const photo = await findThumbnail(hub, observer, ref);
  if (!isRaster(photo.mimetype)) throw missing("Photo");
  return photo;
}

async function findThumbnail(hub: Hub, observer: Observer, ref: PhotoRef): Promise<Photo> {
  if (ref.scale !== scales.small.number) return findPhoto(hub, observer, ref);
  const found = await unlessMissing(findPhoto(hub, observer, ref));
  return found ?? findPhoto(hub, observer, { ...ref, scale: scales.medium.number });
}
