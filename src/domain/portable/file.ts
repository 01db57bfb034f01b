import type { File } from "../files/types.ts";

/** The whole file record in the order of native contract 6.6; `content` is left out where the answer has none. */
export function fileRecord(file: File, content?: string): object {
  return {
    id: String(file.id),
    aid: String(file.aid),
    uid: String(file.uid),
    hash: file.hash,
    creator: file.creator,
    filename: file.filename,
    filetype: file.filetype,
    filesize: String(file.filesize),
    revision: String(file.revision),
    folder: file.folder,
    flags: String(file.flags),
    is_dir: String(file.is_dir),
    is_photo: String(file.is_photo),
    os_storage: String(file.os_storage),
    os_path: file.os_path,
    display_path: file.display_path,
    ...(content !== undefined && { content }),
    created: file.created,
    edited: file.edited,
    allow_cid: file.allow_cid,
    allow_gid: file.allow_gid,
    deny_cid: file.deny_cid,
    deny_gid: file.deny_gid,
  };
}
