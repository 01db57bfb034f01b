import { z } from "zod";
import { changePhoto, createPhoto } from "../../../domain/cloud/photos.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import type { Sent } from "../../../domain/photos/uploads.ts";
import { photoRecords } from "../../../domain/photos/records.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { nobody } from "../../../domain/items/audience.ts";
import { audienceIn, audienceInput } from "../statuses/audience-input.ts";
import { mediaErrors, mediaInput, sentMedia } from "./media-input.ts";
import { text } from "../parameters.ts";
import { albumName } from "./present-photo.ts";
import type { PhotoAnswers } from "./present-photo.ts";
import { presentOnePhoto, showPhoto } from "./photo-answers.ts";
import { rootElement } from "../xml.ts";

const saveInput = z.object({
  ...mediaInput,
  photo_id: text("Id of the photo to change; without it a new one is stored."),
  album: text("Name of the album that it is or comes in."),
  album_new: text("Moves the photo to this album."),
  desc: text("What is to be seen, in words."),
  ...audienceInput,
});

type SaveInput = z.output<typeof saveInput>;
type Saved = { photo: PhotoAnswers } | { words: { result: string; message: string } };

/** One function creates and updates photos (microblog contract 9.4). */
export const savePhotoRow = endpoint({
  path: "svc/photo/create",
  aliases: ["svc/photo/update"],
  methods: ["POST"],
  access: "channel",
  writes: true,
  files: ["media"],
  base64: true,
  summary: "Stores a photo in an album, or with `photo_id` changes its bytes, album, description or audience.",
  answer: "Photo | PhotoResult",
  errors: {
    ...mediaErrors,
    unknown_audience: "acl data invalid",
    missing: [400, "photo not available"],
    broken: [500, "unknown error - uploading photo failed, see log for more information"],
  },
  example: {
    album: "2026-03",
    desc: "An old tree",
    media_data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  },
  input: saveInput,
  async handle(hub, caller, input, exchange): Promise<Saved> {
    const album = input.album?.trim() ?? "";
    if (album === "") throw new HubError("invalid", "no albumname specified", { field: "album" });
    const [image] = await sentMedia(hub, exchange, { media: input.media, media_data: input.media_data });
    const resource = input.photo_id?.trim() ?? "";
    return resource === ""
      ? create(hub, caller, input, { album, image }, exchange)
      : update(hub, caller, input, { album, image, resource }, exchange);
  },
  present: (saved, exchange) => ("photo" in saved ? presentOnePhoto(saved.photo, exchange) : saved.words),
  xml: (words: object) => rootElement("photo_update", words),
});

async function create(
  hub: Hub,
  caller: Caller,
  input: SaveInput,
  { album, image }: { album: string; image: Sent | undefined },
  exchange: Exchange,
): Promise<Saved> {
  if (!image) throw new HubError("invalid", "no media data submitted", { field: "media" });
  const asked = await audienceIn(hub, caller.channel, input);
  // None of the four is the usual audience; any of them, even empty, is these and no other.
  const audience = asked && { ...nobody, ...asked };
  const file = await createPhoto(hub, caller.channel, image, { album, description: input.desc ?? "", audience });
  return { photo: await showPhoto(hub, caller, file.hash, exchange) };
}

async function update(
  hub: Hub,
  caller: Caller,
  input: SaveInput,
  { album, image, resource }: { album: string; image: Sent | undefined; resource: string },
  exchange: Exchange,
): Promise<Saved> {
  const { channel } = caller;
  const [record] = await photoRecords(hub, channel.channel_id, [resource]);
  if (!record?.file || albumName(record.renditions[0]!.album) !== albumIn(album)) throw missing("Photo");
  const changed = await changePhoto(hub, channel, resource, {
    album: input.album_new?.trim() || undefined,
    description: input.desc,
    audience: await audienceIn(hub, channel, input),
    image,
  });
  if (image) return { photo: await showPhoto(hub, caller, resource, exchange) };
  const words = changed
    ? { result: "updated", message: `Image id \`${resource}\` has been updated.` }
    : { result: "cancelled", message: `Nothing to update for image id \`${resource}\`.` };
  return { words };
}

/** The name as answers write it: slashes around it do not count. */
function albumIn(album: string): string {
  const names = album.split("/").map((name) => name.trim());
  return albumName(names.filter((name) => name !== "").join("/"));
}
