import { findPhoto } from "../../../domain/photos/find.ts";
import { missing } from "../../../errors.ts";
import { fileResponse } from "../../../http/file-answer.ts";
import type { Page, Visit } from "../page.ts";

/** The bytes of a rendition, for whoever may see the image: native contract 8.1. */
export const photoImagePages: Page[] = [{ path: "/photo/:name", access: "anybody", get: image }];

async function image(visit: Visit): Promise<Response> {
  const { hub, observer } = visit;
  const photo = await findPhoto(hub, observer, refIn(visit.params["name"] ?? ""));
  return fileResponse(visit, {
    size: photo.filesize,
    version: photo.blob,
    type: photo.mimetype,
    isPublic: observer === undefined,
    headers: { "x-request-id": visit.id },
    read: (start, length) => hub.blobs.read(photo.blob, start, length),
  });
}

/** `<resource>-<scale>.<ext>`; the extension is there for old clients, and no scale is the original. Throws missing. */
function refIn(name: string): { resource: string; scale: number } {
  const [, resource, scale = "0"] = /^([0-9A-Za-z-]{1,64}?)(?:-(\d))?(?:\.[0-9A-Za-z]{1,5})?$/.exec(name) ?? [];
  if (resource === undefined) throw missing("Photo");
  return { resource, scale: Number(scale) };
}
