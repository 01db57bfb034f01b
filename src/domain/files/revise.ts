import { missing } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { releaseBlobs } from "./blobs.ts";
import { lockFiles } from "./lock.ts";
import { checkQuota } from "./quota.ts";
import type { File } from "./types.ts";

/** What a new version of a file changes of it. */
export type NewBytes = Pick<File, "filetype" | "filesize" | "blob" | "sha256"> & { isPhoto: boolean };

/**
 * A new version of a file beside the earlier ones: a row of its own with the same hash and the next revision. Inside a
 * transaction. Throws denied (`limit_reached`).
 */
export async function addRevision(hub: Hub, file: File, bytes: NewBytes): Promise<File> {
  await lockFiles(hub, file.aid);
  await checkQuota(hub, file.aid, bytes.filesize);
  const { id, revision } = await newest(hub, file);
  await hub.db.updateTable("attach").set({ latest: 0 }).where("id", "=", id).execute();
  const { id: _id, ...same } = file;
  return hub.db
    .insertInto("attach")
    .values({ ...same, ...columnsOf(bytes), revision: revision + 1, latest: 1, created: now(hub), edited: now(hub) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * New bytes in place of those of the newest revision: the row keeps its hash and its id, its revision grows, and the
 * old bytes go. Inside a transaction. Throws denied (`limit_reached`).
 */
export async function replaceBytes(hub: Hub, file: File, bytes: NewBytes): Promise<File> {
  await lockFiles(hub, file.aid);
  const { id, revision, blob, filesize } = await newest(hub, file);
  await checkQuota(hub, file.aid, bytes.filesize - filesize);
  const row = await hub.db
    .updateTable("attach")
    .set({ ...columnsOf(bytes), revision: revision + 1, edited: now(hub) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (blob !== bytes.blob) await releaseBlobs(hub, [blob]);
  return row;
}

/** What may have changed until the lock was there. */
async function newest(hub: Hub, { uid, hash }: File) {
  return hub.db
    .selectFrom("attach")
    .select(["id", "revision", "blob", "filesize"])
    .where("uid", "=", uid)
    .where("hash", "=", hash)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirstOrThrow(() => missing("File"));
}

function columnsOf({ filetype, filesize, blob, sha256, isPhoto }: NewBytes) {
  return { filetype, filesize, blob, sha256, is_photo: isPhoto ? 1 : 0, is_original: 0 };
}
