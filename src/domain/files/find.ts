import { sql } from "kysely";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { isOneOf } from "../../storage/sql.ts";
import { filesVisibleTo } from "../permissions/visible-files.ts";
import { checkName } from "./names.ts";
import type { File, FileRef } from "./types.ts";

/** Sorts behind every text that begins with what stands before it. */
const beyond = "\u{10ffff}";

/** Hashes that the hub makes have this length, so nothing longer begins with one. */
const hashLength = 64;

/**
 * The file or directory with this hash, on one channel or wherever it is, if the observer may see it; the newest revision
 * when none is named. Throws missing, for what is hidden as for what does not exist.
 */
export async function findFile(hub: Hub, observer: Observer, ref: FileRef, uid?: number): Promise<File> {
  for (const owner of uid === undefined ? await ownersOf(hub, ref.hash) : [uid]) {
    const found = await revisions(hub, owner, ref)
      .where(filesVisibleTo(hub, observer, owner))
      .executeTakeFirst();
    if (found) return found;
  }
  throw missing("File");
}

/** The channel's own file or directory. Throws missing. */
export async function ownFile(hub: Hub, uid: number, hash: string, revision?: number): Promise<File> {
  const found = await revisions(hub, uid, { hash, revision }).executeTakeFirst();
  if (!found) throw missing("File");
  return found;
}

/** The newest revision of the channel's file whose hash begins so: the one with the lowest id (native contract 6.6). Throws missing. */
export async function ownFileBeginning(hub: Hub, uid: number, beginning: string): Promise<File> {
  if (beginning.length >= hashLength) return ownFile(hub, uid, beginning);
  const first = await hub.db
    .selectFrom("attach")
    .select("hash")
    .where("uid", "=", uid)
    .where("hash", ">=", beginning)
    .where("hash", "<", beginning + beyond)
    // Not the id itself: PostgreSQL would read the whole table in its order.
    .orderBy(sql`id + 0`)
    .limit(1)
    .executeTakeFirst();
  if (!first) throw missing("File");
  return ownFile(hub, uid, first.hash);
}

/** The directory with these names from the top level down, whoever may see it; undefined when there is none. */
export async function findFolder(hub: Hub, uid: number, path: readonly string[]): Promise<File | undefined> {
  const found = await walk(hub, uid, path);
  return found?.is_dir === 1 ? found : undefined;
}

/** The file or directory with these names from the top level down, if the observer may see it. Throws missing. */
export async function findByPath(hub: Hub, observer: Observer, uid: number, path: readonly string[]): Promise<File> {
  const found = await walk(hub, uid, path);
  if (!found) throw missing("File");
  return findFile(hub, observer, { hash: found.hash }, uid);
}

/** What has this name in a directory (the empty hash is the top level). */
export async function findEntry(hub: Hub, uid: number, folder: string, name: string): Promise<File | undefined> {
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", uid)
    .where("folder", "=", folder)
    .where("filename", "=", name)
    .where("latest", "=", sql.lit(1))
    .executeTakeFirst();
}

/** The directory that a file or directory is in; undefined at the top level. */
export async function folderOf(hub: Hub, file: File): Promise<File | undefined> {
  return file.folder === "" ? undefined : ownFile(hub, file.uid, file.folder);
}

/** How many of these newest revisions, all of one channel, are hidden from the observer. */
export async function countHidden(hub: Hub, observer: Observer, files: readonly File[]): Promise<number> {
  const uid = files[0]?.uid;
  if (uid === undefined) return 0;
  const ids = files.map((file) => file.id);
  const rows = await hub.db
    .selectFrom("attach")
    .select("id")
    .where(isOneOf(hub.engine, sql.ref("attach.id"), ids))
    .where(filesVisibleTo(hub, observer, uid))
    .execute();
  return files.length - rows.length;
}

/** The names of a path such as `Travel/Oslo`, each one checked; empty ones are dropped. Throws invalid. */
export function readPath(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name.trim() !== "")
    .map((name) => checkName(name));
}

async function walk(hub: Hub, uid: number, path: readonly string[]): Promise<File | undefined> {
  let found: File | undefined;
  for (const name of path) {
    if (found && found.is_dir === 0) return undefined;
    found = await findEntry(hub, uid, found?.hash ?? "", name);
    if (!found) return undefined;
  }
  return found;
}

async function ownersOf(hub: Hub, hash: string): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("attach")
    .select("uid")
    .distinct()
    .where("hash", "=", hash)
    .orderBy("uid")
    .execute();
  return rows.map((row) => row.uid);
}

function revisions(hub: Hub, uid: number, { hash, revision }: FileRef) {
  const all = hub.db.selectFrom("attach").selectAll().where("attach.uid", "=", uid).where("attach.hash", "=", hash);
  return revision === undefined
    ? all.orderBy("attach.revision", "desc").limit(1)
    : all.where("attach.revision", "=", revision);
}
