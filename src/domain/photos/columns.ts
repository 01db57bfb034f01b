import { sql } from "kysely";
import { listNames } from "../groups/lists.ts";

const ofPhoto = [
  "photo.id",
  "photo.aid",
  "photo.uid",
  "photo.xchan",
  "photo.resource_id",
  "photo.created",
  "photo.edited",
  "photo.expires",
  "photo.title",
  "photo.description",
  "photo.mimetype",
  "photo.height",
  "photo.width",
  "photo.filesize",
  "photo.blob",
  "photo.imgscale",
  "photo.photo_usage",
  "photo.profile",
  "photo.is_nsfw",
  "photo.photo_flags",
] as const;

const ofEither = ["filename", ...listNames] as const;
const places = ["folder", "os_path", "display_path"] as const;

/** The columns of a Photo, for queries that join its file: what both have is the file's. */
export const photoColumns = [
  ...ofPhoto,
  ...ofEither.map((name) => sql<string>`coalesce(${sql.ref(`attach.${name}`)}, ${sql.ref(`photo.${name}`)})`.as(name)),
  ...places.map((name) => sql<string>`coalesce(${sql.ref(`attach.${name}`)}, '')`.as(name)),
  // The directory that a file is in is the album; its name is what stands before the file's own (native contract 2.14).
  sql<string>`case when attach.id is null then photo.album when length(attach.display_path) <= length(attach.filename) then ''
    else substr(attach.display_path, 1, length(attach.display_path) - length(attach.filename) - 1) end`.as("album"),
];
