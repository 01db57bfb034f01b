import { sql } from "kysely";
import type { ColumnName, RowOf } from "../../storage/row-of.ts";
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
] as const satisfies readonly ColumnName[];

const ofEither = ["filename", ...listNames] as const;
/** The directory that it is in, by its hash, empty at the top level; and the paths of its file. */
const places = ["folder", "os_path", "display_path"] as const;

/**
 * One rendition of an image. Name, lists and place are those of its file, where it has one, so they are stored in one
 * place only.
 */
export type Photo = RowOf<typeof ofPhoto> &
  Record<(typeof ofEither)[number] | (typeof places)[number] | "album", string>;

/** The columns of a Photo, for queries that join its file: what both have is the file's. */
export const photoColumns = [
  ...ofPhoto,
  ...ofEither.map((name) => sql<string>`coalesce(${sql.ref(`attach.${name}`)}, ${sql.ref(`photo.${name}`)})`.as(name)),
  ...places.map((name) => sql<string>`coalesce(${sql.ref(`attach.${name}`)}, '')`.as(name)),
  // The directory that a file is in is the album; its name is what stands before the file's own (native contract 2.14).
  sql<string>`case when attach.id is null then photo.album when length(attach.display_path) <= length(attach.filename) then ''
    else substr(attach.display_path, 1, length(attach.display_path) - length(attach.filename) - 1) end`.as("album"),
];
