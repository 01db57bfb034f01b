import { sql } from "kysely";
import type { Insertable } from "kysely";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { AttachTable } from "../../storage/tables/files.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { folderType } from "./decide-type.ts";
import { findEntry, folderOf } from "./find.ts";
import { freeName } from "./free-name.ts";
import { lockFiles } from "./lock.ts";
import { tidyName } from "./names.ts";
import { pathsIn } from "./paths.ts";
import { checkQuota } from "./quota.ts";
import type { File, Lists } from "./types.ts";

/** A file or directory as an export has it; hash, revision, dates and audience stay what they were. */
export type RestoredFile = Pick<
  Insertable<AttachTable>,
  "hash" | "creator" | "filename" | "filetype" | "filesize" | "created" | "edited"
> &
  Pick<File, "revision" | "folder" | "is_dir" | "is_photo" | "is_original" | "blob" | "sha256"> &
  Lists;

/** The channel's record of that revision, if it has it. Throws conflict when the hash is somebody else's file here. */
export async function findRestored(
  hub: Hub,
  uid: number,
  { hash, revision }: Pick<RestoredFile, "hash" | "revision">,
): Promise<File | undefined> {
  const rows = await hub.db.selectFrom("attach").selectAll().where("hash", "=", hash).execute();
  if (rows.some((row) => row.uid !== uid)) throw refusal("hash_of_another");
  return rows.find((row) => row.revision === revision);
}

/**
 * Writes the record of a file or directory that the channel does not have; a name that is taken gets a number (native
 * contract 7.5, step 10). `along` is how many bytes its renditions have besides. Part of a transaction. Throws denied
 * (`limit_reached`), invalid, conflict.
 */
export async function restoreFile(hub: Hub, owner: Channel, file: RestoredFile, along = 0): Promise<File> {
  const uid = owner.channel_id;
  await lockFiles(hub, owner.channel_account_id);
  const known = await findRestored(hub, uid, file);
  if (known) return known;
  if (!/^[\w.@-]{1,191}$/.test(file.hash)) throw refusal("file_hash_wrong");
  await checkQuota(hub, owner.channel_account_id, file.filesize + along);
  const newer = await isOlder(hub, uid, file);
  const folder = await folderOf(hub, { ...file, uid } as File);
  const filename = newer ? tidyName(file.filename) : await nameFor(hub, uid, folder?.hash ?? "", file);
  if (!newer)
    await hub.db
      .updateTable("attach")
      .set({ latest: 0 })
      .where("uid", "=", uid)
      .where("hash", "=", file.hash)
      .execute();
  return hub.db
    .insertInto("attach")
    .values({
      ...file,
      ...(file.is_dir === 1 && { filetype: folderType, filesize: 0, blob: "" }),
      ...pathsIn(folder, file.hash, filename),
      aid: owner.channel_account_id,
      uid,
      folder: folder?.hash ?? "",
      filename,
      os_storage: 1,
      latest: newer ? 0 : 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function isOlder(hub: Hub, uid: number, { hash, revision }: RestoredFile): Promise<boolean> {
  const row = await hub.db
    .selectFrom("attach")
    .select("id")
    .where("uid", "=", uid)
    .where("hash", "=", hash)
    .where("revision", ">", revision)
    .where("latest", "=", sql.lit(1))
    .executeTakeFirst();
  return row !== undefined;
}

/** An earlier revision of the same file may have the name already. */
async function nameFor(hub: Hub, uid: number, folder: string, { hash, filename }: RestoredFile): Promise<string> {
  const name = tidyName(filename);
  const taken = await findEntry(hub, uid, folder, name);
  return !taken || taken.hash === hash ? name : freeName(hub, uid, folder, name);
}
