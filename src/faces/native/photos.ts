import { z } from "zod";
import { readBlob } from "../../domain/files/blobs.ts";
import { observerOf } from "../../domain/identity/channels/observer.ts";
import { linkedItems } from "../../domain/items/linked.ts";
import { albums } from "../../domain/photos/albums.ts";
import { findPhoto } from "../../domain/photos/find.ts";
import { listPhotos } from "../../domain/photos/list.ts";
import { scales } from "../../domain/photos/scales.ts";
import { fullItems } from "../../domain/portable/item-portable.ts";
import { albumRecord, photoEntry, photoRecord } from "../../domain/portable/photo.ts";
import { HubError } from "../../errors.ts";
import { endpoint } from "../../http/endpoint.ts";
import { JsonStream } from "../../http/json-text.ts";
import { listText } from "./list-text.ts";
import { amount, integer, requiredText, text } from "./parameters.ts";

/** The largest image that an answer carries whole: as much as a chunk of a file. */
const mostContent = 32 * 1024 * 1024;

/** Native contract 6.9 to 6.11. */
export const photoRows = [
  endpoint({
    path: "albums",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "The channel's photo albums: directories that hold at least one image.",
    answer: "AlbumList",
    input: z.object({}),
    handle: async (hub, { channel }) => ({
      nick: channel.channel_address,
      list: await albums(hub, observerOf(channel), channel),
    }),
    present: ({ nick, list }, { baseUrl }) => ({
      success: true,
      albums: list.map((album) => albumRecord(album, baseUrl, nick)),
    }),
  }),
  endpoint({
    path: "photos",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "The channel's photos without their bytes, one entry for each rendition.",
    answer: "PhotoList",
    example: { album: "2026-03" },
    input: z.object({
      album: text("Name of one album; empty or `/` is the top level."),
      scale: integer("Which rendition, by its scale.", 0, 9),
      start: amount("How many to skip."),
      records: amount("How many to answer at most; 0 is all."),
    }),
    handle: (hub, { channel }, { album, scale, start = 0, records = 0 }) =>
      listPhotos(hub, observerOf(channel), channel, { album, scale, start, records }),
    present: (pages, { baseUrl }) =>
      new JsonStream(listText("photos", pages, (photo) => JSON.stringify(photoEntry(photo, baseUrl)))),
  }),
  endpoint({
    path: "photo",
    methods: ["GET", "POST"],
    access: "channel",
    permission: "view_storage",
    summary: "A rendition of one of the channel's photos with its bytes, and the item that stands for the photo.",
    answer: "PhotoAnswer",
    example: { photo_id: "6c2f80b5", scale: "3" },
    input: z.object({
      photo_id: requiredText("`resource_id` of the photo."),
      scale: integer("Which rendition, by its scale.", 0, 9),
    }),
    async handle(hub, { channel }, { photo_id: resource, scale = scales.original.number }) {
      const uid = channel.channel_id;
      const photo = await findPhoto(hub, observerOf(channel), { resource, scale }, uid);
      if (photo.filesize > mostContent) throw new HubError("too-large", "The image is too large; use filedata.");
      const page = await linkedItems(hub, uid, "photo", [resource], "with comments");
      return { photo, bytes: await readBlob(hub, photo.blob), page };
    },
    present: ({ photo, bytes, page }, { baseUrl }) => ({
      photo: photoRecord(photo, bytes.toString("base64")),
      item: fullItems(page, baseUrl),
    }),
  }),
];
