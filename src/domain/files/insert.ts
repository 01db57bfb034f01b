import { randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import { chosenOnce, inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { AttachTable } from "../../storage/tables/files.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { channelSetting } from "../identity/channels/channel-settings.ts";
import { setFileLists } from "./change.ts";
import { folderType } from "./decide-type.ts";
import { findEntry, ownFile, readPath } from "./find.ts";
import { listsOf, usualLists } from "./lists.ts";
import { lockFiles } from "./lock.ts";
import { freeName } from "./free-name.ts";
import { checkName, nameTaken, numberedName, tidyName } from "./names.ts";
import { pathsIn } from "./paths.ts";
import { checkQuota } from "./quota.ts";
import { replaceBytes } from "./revise.ts";
import { touchFolder } from "./touch.ts";
import type { File, Lists } from "./types.ts";

export type NewFile = {
  owner: Channel;
  /** Hash of whoever uploads. */
  creator: string;
  /** Undefined is the top level. */
  folder: File | undefined;
  filename: string;
  filetype: string;
  filesize: number;
  /** Name of the bytes, which `keepBlobs` has kept already. */
  blob: string;
  sha256: string;
  isPhoto: boolean;
  /** The directory's, else the channel's default, when left out. */
  lists?: Lists | undefined;
};

/**
 * Writes the row of an upload, inside a transaction. A name that is taken gets a number, or its row the new bytes where
 * the channel wants that: then the answer is that row. Throws denied (`limit_reached`).
 */
export async function insertFile(hub: Hub, file: NewFile): Promise<File> {
  const { owner, creator, filetype, filesize, blob, sha256 } = file;
  await lockFiles(hub, owner.channel_account_id);
  const folder = await asItIs(hub, file.folder);
  const name = tidyName(file.filename);
  const taken = await findEntry(hub, owner.channel_id, folder?.hash ?? "", name);
  if (taken && (await isOverwritten(hub, file, taken))) {
    const replaced = await replaceBytes(hub, taken, { filetype, filesize, blob, sha256, isPhoto: file.isPhoto });
    // Whoever says who may see the new bytes does not mean those who could see the old ones.
    return file.lists ? setFileLists(hub, replaced, file.lists) : replaced;
  }
  await checkQuota(hub, owner.channel_account_id, filesize);
  const filename = taken ? await freeName(hub, owner.channel_id, folder?.hash ?? "", name) : name;
  return insertRow(hub, owner, folder, {
    ...(file.lists ?? usualLists(owner, folder)),
    creator,
    filename,
    filetype,
    filesize,
    blob,
    sha256,
    is_photo: file.isPhoto ? 1 : 0,
  });
}

/** Overwriting by name is for the owner, and for a guest's own uploads: others would destroy what is not theirs. */
async function isOverwritten(hub: Hub, { owner, creator }: NewFile, taken: File): Promise<boolean> {
  if (taken.is_dir === 1 || (creator !== owner.channel_hash && creator !== taken.creator)) return false;
  return channelSetting(hub, owner.channel_id, "overwritesFiles");
}

/** Makes a directory. Throws invalid, and conflict when the name is taken. */
export async function insertFolder(
  hub: Hub,
  owner: Channel,
  above: File | undefined,
  { name, creator, lists }: { name: string; creator: string; lists?: Lists | undefined },
): Promise<File> {
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, owner.channel_account_id);
    const folder = await asItIs(hub, above);
    const filename = checkName(name);
    if (await findEntry(hub, owner.channel_id, folder?.hash ?? "", filename)) throw nameTaken();
    return insertRow(hub, owner, folder, {
      ...(lists ?? usualLists(owner, folder)),
      creator,
      filename,
      filetype: folderType,
      filesize: 0,
      is_dir: 1,
    });
  });
}

/**
 * The directory with this path (`Travel/Oslo`) from the top level, made where it is missing; undefined for the top level.
 * A file in the way makes the directory's name get a number. `lists` are those of directories that it makes. Throws invalid.
 */
export async function ensureFolder(
  hub: Hub,
  owner: Channel,
  path: string,
  creator: string,
  lists?: Lists,
): Promise<File | undefined> {
  return inTransaction(hub, async (hub) => {
    await lockFiles(hub, owner.channel_account_id);
    let folder: File | undefined;
    for (const name of readPath(path)) folder = await ensureEntry(hub, owner, folder, { name, creator, lists });
    return folder;
  });
}

async function ensureEntry(
  hub: Hub,
  owner: Channel,
  above: File | undefined,
  wanted: { name: string; creator: string; lists: Lists | undefined },
): Promise<File> {
  for (let number = 0; ; number++) {
    const tried = number === 0 ? wanted.name : numberedName(wanted.name, number);
    const found = await findEntry(hub, owner.channel_id, above?.hash ?? "", tried);
    if (found?.is_dir === 1) return found;
    if (!found) return insertFolder(hub, owner, above, { ...wanted, name: tried });
  }
}

/** The directory as it is under the lock: it may have been renamed or removed since it was found. Throws missing. */
async function asItIs(hub: Hub, folder: File | undefined): Promise<File | undefined> {
  return folder && ownFile(hub, folder.uid, folder.hash);
}

type Fields = Lists &
  Pick<
    Insertable<AttachTable>,
    "creator" | "filename" | "filetype" | "filesize" | "is_dir" | "is_photo" | "blob" | "sha256"
  >;

async function insertRow(hub: Hub, owner: Channel, folder: File | undefined, fields: Fields): Promise<File> {
  const place = [folder?.hash, fields.filename, fields.blob].join("/");
  const hash = chosenOnce(hub, `hash of ${place}`, () => randomBytes(32).toString("hex"));
  const created = now(hub);
  const row = await hub.db
    .insertInto("attach")
    .values({
      ...fields,
      ...listsOf(fields),
      ...pathsIn(folder, hash, fields.filename),
      aid: owner.channel_account_id,
      uid: owner.channel_id,
      hash,
      folder: folder?.hash ?? "",
      os_storage: 1,
      latest: 1,
      created,
      edited: created,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await touchFolder(hub, owner.channel_id, row.folder);
  return row;
}
