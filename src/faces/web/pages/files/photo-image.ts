import { isNobody } from "../../../../domain/identity/channels/observer.ts";
import { publicAddress } from "../../../../domain/files/read.ts";
import { readPhoto } from "../../../../domain/photos/find.ts";
import { findNamedPhoto, readPhotoName } from "../../../../domain/photos/named.ts";
import { fileResponse } from "../../../../http/file-answer.ts";
import type { Page, PageContext } from "../../page.ts";
import { askedBy } from "../../parts/asked-by.ts";

/** The bytes of a rendition, for whoever may see the image. */
export const photoImagePages: Page[] = [{ path: "/photo/:name", access: "anybody", get: image }];

async function image(context: PageContext): Promise<Response> {
  const { hub } = context;
  const ref = readPhotoName(context.params["name"] ?? "");
  const observer = await askedBy(context, ref.resource);
  const photo = await findNamedPhoto(hub, observer, ref);
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
