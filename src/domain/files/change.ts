import type { Updateable } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { AttachTable } from "../../storage/tables/files.ts";
import { findEntry, ownFile } from "./find.ts";
import { freeName } from "./free-name.ts";
import { listsOf } from "./lists.ts";
import { lockFiles } from "./lock.ts";
import { checkName, nameTaken } from "./names.ts";
import { pathsIn, writePaths } from "./paths.ts";
import { keepAudience } from "./message-files.ts";
import { touchFolder } from "./touch.ts";
import type { File, Lists } from "./types.ts";

/** Who may see a file, all its revisions alike, whatever shows it; the entries of a directory keep their own lists. */
export async function setFileLists(hub: Hub, file: File, lists: Lists): Promise<File> {
  await keepAudience(hub, file.uid, [file.hash]);
  return change(hub, file, listsOf(lists));
}

/** Gives a file the audience of what shows it (decision 85); that it follows that stays recorded. */
export async function followAudience(hub: Hub, file: File, lists: Lists): Promise<void> {
  await change(hub, file, listsOf(lists));
}

/** Gives an entry another name. Throws invalid, and conflict when the directory has an entry of that name. */
export async function renameFile(hub: Hub, file: File, name: string): Promise<File> {
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, file.aid);
    const current = await ownFile(hub, file.uid, file.hash);
    return place(hub, current, current.folder, checkName(name));
  });
}

/**
 * Puts an entry into another directory; undefined is the top level. Throws invalid for a directory that would end up in
 * itself, and conflict when the name is taken there.
 */
export async function moveFile(hub: Hub, file: File, folder: File | undefined): Promise<File> {
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, file.aid);
    const current = await ownFile(hub, file.uid, file.hash);
    if (current.folder === (folder?.hash ?? "")) return current;
    await checkTarget(hub, current, folder);
    const moved = await place(hub, current, folder?.hash ?? "", current.filename);
    await touchFolder(hub, file.uid, current.folder);
    await touchFolder(hub, file.uid, moved.folder);
    return moved;
  });
}

/**
 * Puts an entry into another directory under this name, which gets a number where it is taken; undefined is the top level.
 * Throws invalid for a directory that would end up in itself.
 */
export async function placeFile(hub: Hub, file: File, folder: File | undefined, name: string): Promise<File> {
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, file.aid);
    const current = await ownFile(hub, file.uid, file.hash);
    await checkTarget(hub, current, folder);
    const wanted = checkName(name);
    const taken = await findEntry(hub, file.uid, folder?.hash ?? "", wanted);
    const free = taken && taken.hash !== file.hash ? await freeName(hub, file.uid, folder?.hash ?? "", wanted) : wanted;
    const placed = await place(hub, current, folder?.hash ?? "", free);
    for (const touched of new Set([current.folder, placed.folder])) await touchFolder(hub, file.uid, touched);
    return placed;
  });
}

/** Walks up from the target: whoever meets the entry itself would cut it off from the top level. */
async function checkTarget(hub: Hub, file: File, folder: File | undefined): Promise<void> {
  if (folder?.is_dir === 0 || (folder && folder.uid !== file.uid)) throw missing("Directory");
  for (let hash = folder?.hash ?? ""; hash !== ""; hash = (await ownFile(hub, file.uid, hash)).folder) {
    if (hash === file.hash) {
      throw refusal("directory_in_itself");
    }
  }
}

async function place(hub: Hub, file: File, folder: string, filename: string): Promise<File> {
  const taken = await findEntry(hub, file.uid, folder, filename);
  if (taken && taken.hash !== file.hash) throw nameTaken();
  const above = folder === "" ? undefined : await ownFile(hub, file.uid, folder);
  const placed = await change(hub, file, { folder, filename, ...pathsIn(above, file.hash, filename) });
  if (file.is_dir === 1) await writePaths(hub, file.uid, file.hash);
  return placed;
}

/** Changes all revisions; the answer is the one that was given, as it is now. */
async function change(hub: Hub, file: File, columns: Updateable<AttachTable>): Promise<File> {
  const rows = await hub.db
    .updateTable("attach")
    .set({ ...columns, edited: now(hub) })
    .where("uid", "=", file.uid)
    .where("hash", "=", file.hash)
    .returningAll()
    .execute();
  const changed = rows.find((row) => row.id === file.id);
  if (!changed) throw missing("File");
  return changed;
}
