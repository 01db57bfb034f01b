import { z } from "zod";
import { deleteAlbum, renameAlbum } from "../../../domain/cloud/albums.ts";
import { albumRecords, imagesInAlbum } from "../../../domain/photos/records.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { bound, count, flag, text } from "../parameters.ts";
import { albumName, presentPhotos } from "./present-photo.ts";
import { photosXml } from "./present-photo-xml.ts";
import { showPhotos } from "./photo-answers.ts";

const noAlbum = "no albumname specified";
const unknownAlbum = [400, "album not available"] as const;

/** Microblog contract 9.5. */
export const photoAlbumRows = [
  endpoint({
    path: "svc/photoalbums",
    methods: ["GET"],
    access: "channel",
    summary: "The caller's albums that hold photos, by name.",
    answer: "Album[]",
    input: z.object({}),
    handle: (hub, { channel }) => albumRecords(hub, channel.channel_id),
    present: (albums) => albums.map((album) => ({ ...album, name: albumName(album.name) })),
    xml: "albums",
  }),
  endpoint({
    path: "svc/photoalbum",
    methods: ["GET"],
    access: "channel",
    summary: "Photos of one of the caller's albums by date.",
    answer: "Photo[]",
    example: { album: "2026-03" },
    input: z.object({
      album: text("Name of the album; `/` is the top level."),
      limit: count(50, 500),
      offset: bound("How many photos to skip."),
      latest_first: flag("The newest first."),
    }),
    async handle(hub, caller, { album, limit, offset, latest_first }, exchange) {
      const name = named(album, "No album name specified.");
      const page = { limit, offset, latestFirst: latest_first };
      const resources = await imagesInAlbum(hub, caller.channel.channel_id, name, page);
      return showPhotos(hub, caller, resources, exchange);
    },
    async present(shown, { format, baseUrl }) {
      const photos = await presentPhotos(shown, { baseUrl, links: "thumb" });
      return format === "xml" ? photosXml(photos) : photos;
    },
  }),
  endpoint({
    path: "svc/photoalbum/delete",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Deletes all photos of an album with their items.",
    answer: "PhotoResult",
    errors: { missing: unknownAlbum, broken: [500, "unknown error - deleting from database failed"] },
    example: { album: "2026-03" },
    input: z.object({ album: text("Name of the album; `/` is the top level.") }),
    async handle(hub, { channel }, { album }) {
      const name = named(album, noAlbum);
      await deleteAlbum(hub, channel, name);
      return { result: "deleted", message: `album \`${name}\` with all containing photos has been deleted.` };
    },
    xml: "photoalbum_delete",
  }),
  endpoint({
    path: "svc/photoalbum/update",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    summary: "Gives an album another name; its photos join an album of that name if there is one.",
    answer: "PhotoResult",
    errors: { missing: unknownAlbum, broken: [500, "unknown error - updating in database failed"] },
    example: { album: "2026-03", album_new: "Spring" },
    input: z.object({
      album: text("Name of the album; `/` is the top level."),
      album_new: text("The new name of the album."),
    }),
    async handle(hub, { channel }, { album, album_new }) {
      const name = named(album, noAlbum);
      const to = named(album_new, "no new albumname specified");
      await renameAlbum(hub, channel, name, to);
      const message = `album \`${name}\` with all containing photos has been renamed to \`${to}\`.`;
      return { result: "updated", message };
    },
    xml: "photoalbum_update",
  }),
];

function named(album: string | undefined, refusal: string): string {
  const name = album?.trim() ?? "";
  if (name === "") throw new HubError("invalid", refusal, { field: "album" });
  return name;
}
