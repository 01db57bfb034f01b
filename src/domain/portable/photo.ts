import { albumKey } from "../photos/albums.ts";
import type { Album } from "../photos/albums.ts";
import { scales } from "../photos/scales.ts";
import type { Photo } from "../photos/columns.ts";
import { photoUrl } from "../photos/urls.ts";

/** The album, on the pages of the channel with this nick. */
export function albumRecord({ name, total }: Album, baseUrl: string, nick: string): object {
  const text = name === "" ? "/" : name;
  const key = albumKey(name);
  return {
    text,
    total: String(total),
    url: `${baseUrl}/photos/${nick}/album/${key}`,
    urlencode: formEncoded(text),
    bin2hex: key,
  };
}

/** As forms encode it: a space is a plus, and only letters, digits and `*-._` stay as they are. */
function formEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** One rendition as `photos` lists it. */
export function photoEntry(photo: Photo, baseUrl: string): object {
  return {
    resource_id: photo.resource_id,
    created: photo.created,
    edited: photo.edited,
    title: photo.title,
    description: photo.description,
    album: photo.album,
    filename: photo.filename,
    mimetype: photo.mimetype,
    height: String(photo.height),
    width: String(photo.width),
    filesize: String(photo.filesize),
    imgscale: String(photo.imgscale),
    photo_usage: String(photo.photo_usage),
    allow_cid: photo.allow_cid,
    allow_gid: photo.allow_gid,
    deny_cid: photo.deny_cid,
    deny_gid: photo.deny_gid,
    src: photoUrl(baseUrl, photo),
  };
}

/** The photo record in the order of native contract 6.11; `content` is base64. */
export function photoRecord(photo: Photo, content: string): object {
  return {
    id: String(photo.id),
    aid: String(photo.aid),
    uid: String(photo.uid),
    xchan: photo.xchan,
    resource_id: photo.resource_id,
    created: photo.created,
    edited: photo.edited,
    expires: photo.expires,
    title: photo.title,
    description: photo.description,
    album: photo.album,
    filename: photo.filename,
    mimetype: photo.mimetype,
    height: String(photo.height),
    width: String(photo.width),
    filesize: String(photo.filesize),
    content,
    imgscale: String(photo.imgscale),
    photo_usage: String(photo.photo_usage),
    profile: String(photo.profile),
    is_nsfw: String(photo.is_nsfw),
    // Only the bytes of the original are a file's.
    os_storage: photo.imgscale === scales.original.number ? "1" : "0",
    os_path: photo.os_path,
    display_path: photo.display_path,
    photo_flags: String(photo.photo_flags),
    allow_cid: photo.allow_cid,
    allow_gid: photo.allow_gid,
    deny_cid: photo.deny_cid,
    deny_gid: photo.deny_gid,
  };
}
