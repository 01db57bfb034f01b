import type { Generated } from "kysely";

/** Files and directories, native contract 2.12. One row for each revision; `blob` names the bytes, empty for directories. */
export type AttachTable = {
  id: Generated<number>;
  aid: number;
  uid: number;
  hash: string;
  creator: string;
  filename: string;
  filetype: string;
  filesize: number;
  revision: Generated<number>;
  folder: Generated<string>;
  flags: Generated<number>;
  is_dir: Generated<number>;
  is_photo: Generated<number>;
  os_storage: Generated<number>;
  /** 1 for the newest revision. */
  latest: Generated<number>;
  os_path: Generated<string>;
  display_path: Generated<string>;
  blob: Generated<string>;
  /** Of these bytes, in hex; empty where nobody has looked. */
  sha256: Generated<string>;
  /** 1: the bytes of an image are as they came from elsewhere; others get what is shown of it (domain/photos/file-for.ts). */
  is_original: Generated<number>;
  /** Of a film or sound, what is to be seen or heard, in words; that of a picture is kept with its renditions. */
  description: Generated<string>;
  created: string;
  edited: string;
  allow_cid: Generated<string>;
  allow_gid: Generated<string>;
  deny_cid: Generated<string>;
  deny_gid: Generated<string>;
};

/** A blob that rows speak of and whose bytes `hubbub files check --repair` has not found. */
export type LostBlobTable = { blob: string; noted: string };

/** That a message (or a mail, the other id is 0) shows a file that has the audience of what shows it; the oldest decides. */
export type MessageFileTable = {
  id: Generated<number>;
  uid: number;
  hash: string;
  message_id: number;
  mail_id: number;
};
