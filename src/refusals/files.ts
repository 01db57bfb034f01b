import { row } from "./row.ts";

/** Files, photos and uploads. */
export const filesRefusals = {
  uploads_unused: row<{ most: number }>("denied", "media"),
  directory_in_itself: row("invalid", "folder"),
  file_name_needed: row("invalid", "filename"),
  file_name_slash: row("invalid", "filename"),
  file_name_too_long: row<{ most: number }>("invalid", "filename"),
  file_name_taken: row("conflict", "filename"),
  storage_full: row("denied"),
  hash_of_another: row("conflict"),
  file_hash_wrong: row("invalid"),
  no_picture_there: row("invalid"),
  image_too_large: row<{ name: string; most: number }>("too-large"),
  not_an_image: row("invalid", "image"),
  image_unreadable: row("invalid", "image"),
  image_replaced: row("conflict"),
  uploads_unfinished: row("too-many"),
  upload_finished: row("invalid", "media_id"),
  pieces_too_large: row("invalid", "media"),
  pieces_too_many: row("invalid", "media"),
  upload_incomplete: row("invalid", "media_id"),
  unknown_media: row("invalid", "media_ids"),
};
