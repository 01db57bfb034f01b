import { isNobody } from "../../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../../domain/identity/channels/observer.ts";
import { isRaster } from "../../../../domain/files/decide-type.ts";
import { publicAddress } from "../../../../domain/files/read.ts";
import { findPhoto, readPhoto } from "../../../../domain/photos/find.ts";
import type { PhotoRef } from "../../../../domain/photos/find.ts";
import { scales } from "../../../../domain/photos/scales.ts";
import type { Photo } from "../../../../domain/photos/columns.ts";
import { missing, unlessMissing } from "../../../../errors.ts";
import type { Hub } from "../../../../hub.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import type { Page, PageContext } from "../../page.ts";
import { askedBy } from "../../parts/asked-by.ts";

/** The bytes of a rendition, for whoever may see the image. */
export const photoImagePages: Page[] = [{ path: "/photo/:name", access: "anybody", get: image }];

async function image(context: PageContext): Promise<Response> {
  const { hub } = context;
  const ref = refIn(context.params["name"] ?? "");
  const observer = await askedBy(context, ref.resource);
  const photo = await findThumbnail(hub, observer, ref);
  if (!isRaster(photo.mimetype)) throw missing("Photo");
  return fileResponse(context, {
    size: photo.filesize,
    version: photo.blob,
    type: photo.mimetype,
    isPublic: isNobody(observer),
    headers: { "x-request-id": context.id },
    address: () => publicAddress(hub, photo.blob, photo.mimetype),
    read: (start, length) => readPhoto(hub, photo, start, length),
  });
}

/** Where there is no thumbnail, the next larger rendition is one (microblog contract 7.11). Throws missing. */
async function findThumbnail(hub: Hub, observer: Observer, ref: PhotoRef): Promise<Photo> {
  if (ref.scale !== scales.small.number) return findPhoto(hub, observer, ref);
  const found = await unlessMissing(findPhoto(hub, observer, ref));
  return found ?? findPhoto(hub, observer, { ...ref, scale: scales.medium.number });
}

/**
 * `<resource>-<scale>.<ext>`; the extension is there for old clients, and no scale is the original. What clients of other
 * services add for a size says nothing here (microblog contract 7.4.1). Throws missing.
 */
function refIn(name: string): { resource: string; scale: number } {
  const [, resource, scale = scales.original.number] =
    /^([0-9A-Za-z-]{1,64}?)(?:-(\d))?(?:\.[0-9A-Za-z]{1,5})?(?::(?:thumb|small|medium|large|orig))?$/.exec(name) ?? [];
  if (resource === undefined) throw missing("Photo");
  return { resource, scale: Number(scale) };
}
