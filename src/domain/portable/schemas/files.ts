import { z } from "zod";
import { digits, flag, hash, lists, text, time, unsetTime, url } from "./kinds.ts";

/** Files and photos. */

const name = "7d93b1e4c05a2286f";

/** A file without its content. */
export const FileMeta = z.strictObject({
  id: digits("Id of the file on this hub.", "88"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  hash: text("Its name everywhere, the same in all revisions.", name),
  creator: hash("Hash of who stored it."),
  filename: text("Its name in its directory.", "notes.txt"),
  filetype: text("Its type; directories are `multipart/mixed`.", "text/plain"),
  filesize: digits("How many bytes it has.", "4102"),
  revision: digits("Its revision."),
  folder: text("Hash of its directory; empty at the top level."),
  flags: digits("Not used."),
  is_dir: flag("It is a directory."),
  is_photo: flag("It is a photo with renditions."),
  os_storage: flag("Its bytes are in the file store.", "1"),
  os_path: text("The hashes that lead to it, with slashes between them.", name),
  display_path: text("The names that lead to it, with slashes between them.", "notes.txt"),
  created: time("When it was stored."),
  edited: time("When it was changed."),
  ...lists,
});

/** The 19 fields of a file entry. */
export const FileEntry = FileMeta.pick({
  id: true,
  aid: true,
  uid: true,
  hash: true,
  filename: true,
  filetype: true,
  filesize: true,
  revision: true,
  folder: true,
  os_storage: true,
  is_dir: true,
  is_photo: true,
  flags: true,
  created: true,
  edited: true,
  allow_cid: true,
  allow_gid: true,
  deny_cid: true,
  deny_gid: true,
});

/** A file with its content. */
export const File = FileMeta.extend({ content: text("Its bytes in base64; of a directory none.", "V2ludGVyCg==") });

/** A piece of a file (native contract 6.6). */
export const FilePart = File.extend({
  start: z.int().meta({ description: "Place of the first of these bytes.", examples: [0] }),
  length: z.int().meta({ description: "How many bytes these are.", examples: [7] }),
});

/** Native contract 6.8. */
export const ExportedFile = FileMeta.extend({
  content: text("Where its bytes were stored.", `store/alma/${name}`),
  is_original: flag(
    "Of an image: its bytes are as they came from elsewhere, and others get what is shown of it.",
  ).optional(),
});

/** Native contract 2.14. */
export const Photo = z.strictObject({
  id: digits("Id of the rendition on this hub.", "310"),
  aid: digits("Account that it belongs to.", "1"),
  uid: digits("Channel that it belongs to.", "2"),
  xchan: hash("Hash of who it shows or who stored it, if that is somebody else.", ""),
  resource_id: text("Hash of the photo, the same for all of its renditions.", "6c2f80b5"),
  created: time("When it was stored."),
  edited: time("When it was changed."),
  expires: unsetTime("When it is removed."),
  title: text("Its caption."),
  description: text("What is to be seen, in words.", "An old tree"),
  album: text("Name of its album; empty at the top level.", "2026-03"),
  filename: text("Name of its file.", "tree.jpg"),
  mimetype: text("Its type.", "image/jpeg"),
  height: digits("Pixels of this rendition from top to bottom.", "240"),
  width: digits("Pixels of this rendition from side to side.", "320"),
  filesize: digits("How many bytes this rendition has.", "21044"),
  content: text("Its bytes in base64.", "/9j/4AAQSkZJRg=="),
  imgscale: digits("Which rendition it is: 0 is the original.", "3"),
  photo_usage: digits(
    "0, or 1 for a profile photo, 2 for somebody's picture, 4 for a thing, 8 for adults, 16 for a cover.",
  ),
  profile: flag("It is a profile photo, in old exports."),
  is_nsfw: flag("It is not for every eye."),
  os_storage: flag("Its bytes are those of the file."),
  os_path: FileMeta.shape.os_path,
  display_path: FileMeta.shape.display_path,
  photo_flags: digits("Not used."),
  ...lists,
});

/** Native contract 6.10. */
export const PhotoEntry = Photo.pick({
  resource_id: true,
  created: true,
  edited: true,
  title: true,
  description: true,
  album: true,
  filename: true,
  mimetype: true,
  height: true,
  width: true,
  filesize: true,
  imgscale: true,
  photo_usage: true,
  allow_cid: true,
  allow_gid: true,
  deny_cid: true,
  deny_gid: true,
}).extend({ src: url("Where its bytes are.", "https://hub.example/photo/6c2f80b5-3") });

/** Native contract 2.14. */
export const Album = z.strictObject({
  text: text("Its name; `/` is the top level.", "2026-03"),
  total: digits("How many photos it holds.", "11"),
  url: url("Its page.", "https://hub.example/photos/alma/album/323032362d3033"),
  urlencode: text("Its name as forms encode it.", "2026-03"),
  bin2hex: text("Its name in hexadecimal digits.", "323032362d3033"),
});
