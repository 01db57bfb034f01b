import { z } from "zod";
import { deletePhoto } from "../../../domain/cloud/albums.ts";
import { readBlob } from "../../../domain/files/blobs.ts";
import { listImages } from "../../../domain/photos/records.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { bound, pageNumber, text } from "../parameters.ts";
import { presentListedPhoto } from "./present-photo.ts";
import type { PhotoAnswers, WithData } from "./present-photo.ts";
import { photoListXml } from "./present-photo-xml.ts";
import { savePhotoRow } from "./save-photo.ts";
import { presentOnePhoto, showPhoto } from "./photo-answers.ts";

/** One answer holds at most so many bytes of an image. */
const mostBytes = 32 * 1024 * 1024;
const mostListed = 200;

/** Microblog contract 9.4. */
export const photoRows = [
  endpoint({
    path: "svc/photo",
    methods: "*",
    access: "channel",
    summary: "A photo of the caller: where each of its scales is, or the bytes of one scale.",
    answer: "Photo",
    errors: { missing: [404, "Not Found"], "too-large": [413, "Payload Too Large"] },
    example: { photo_id: "6c2f80b5" },
    input: z.object({
      photo_id: text("Id of the photo."),
      scale: text("One scale, whose bytes are then answered too."),
    }),
    async handle(hub, caller, { photo_id, scale }, exchange) {
      const resource = photo_id?.trim() ?? "";
      if (resource === "") throw new HubError("invalid", "No photo id.", { field: "photo_id" });
      const wanted = readScale(scale);
      const shown = await showPhoto(hub, caller, resource, exchange);
      return { shown, scale: wanted === undefined ? undefined : await withData(hub, shown, wanted) };
    },
    present: ({ shown, scale }, exchange) => presentOnePhoto(shown, exchange, scale),
  }),
  endpoint({
    path: "svc/photos/list",
    methods: "*",
    access: "channel",
    summary: "All photos of the caller, oldest first; a page of them with `count` or `page`.",
    answer: "PhotoEntry[]",
    input: z.object({ count: bound("How many to answer at most; all unless given."), page: pageNumber() }),
    handle(hub, { channel }, { count, page }) {
      const limit = count === 0 && page === 1 ? undefined : Math.min(count || 20, mostListed);
      return listImages(hub, channel.channel_id, { limit, offset: (page - 1) * (limit ?? 0) });
    },
    present: (photos, { baseUrl }) => photos.map((photo) => presentListedPhoto(photo, baseUrl)),
    xml: photoListXml,
  }),
  savePhotoRow,
  endpoint({
    path: "svc/photo/delete",
    methods: ["DELETE"],
    methodsAs: { friendica: ["DELETE", "POST"] },
    access: "channel",
    writes: true,
    summary: "Deletes a photo in all its scales, with its item and the comments on it.",
    answer: "PhotoResult",
    errors: {
      missing: [400, "photo not available"],
      broken: [500, "unknown error on deleting photo from database table"],
    },
    example: { photo_id: "6c2f80b5" },
    input: z.object({ photo_id: text("Id of the photo.") }),
    async handle(hub, { channel }, { photo_id }) {
      const resource = photo_id?.trim() ?? "";
      if (resource === "") throw new HubError("invalid", "no photo_id specified", { field: "photo_id" });
      await deletePhoto(hub, channel, resource);
      return { result: "deleted", message: `photo with id \`${resource}\` has been deleted from server.` };
    },
    xml: "photo_delete",
  }),
];

/** 0 is a scale; empty is none. */
function readScale(value: string | undefined): number | undefined {
  const read = value?.trim() ?? "";
  if (read === "") return undefined;
  if (!/^[+-]?\d{1,9}$/.test(read)) throw new HubError("invalid", "Invalid scale", { field: "scale" });
  return Number(read);
}

async function withData(hub: Hub, { records }: PhotoAnswers, scale: number): Promise<WithData> {
  const photo = records[0]?.renditions.find(({ imgscale }) => imgscale === scale);
  if (!photo) throw missing("Photo");
  if (photo.filesize > mostBytes) throw new HubError("too-large", "The image is too large for one answer.");
  return { photo, data: (await readBlob(hub, photo.blob)).toString("base64") };
}
