import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { checkWriting } from "../files/check-writing.ts";
import { moveFile, renameFile, setFileLists } from "../files/change.ts";
import { deleteFiles } from "../files/delete.ts";
import { insertFolder } from "../files/insert.ts";
import { lockFiles } from "../files/lock.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { dropPhotos, refreshPhotos } from "../items/media/photo-parts.ts";
import type { Audience } from "../items/types.ts";
import { folderByHash, listsFor, seenBy, wholeSeenBy } from "./rights.ts";

/**
 * Makes a directory in another one (the empty hash is the top level). Throws denied, missing, invalid, and conflict when the
 * name is taken.
 */
export async function makeDirectory(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  { folder, name, audience }: { folder: string; name: string; audience?: Audience | undefined },
): Promise<File> {
  return change(hub, actor, owner, async (hub) => {
    const lists = audience && (await listsFor(hub, actor, owner, audience));
    const above = await folderByHash(hub, actor, owner, folder);
    return insertFolder(hub, owner, above, { name, creator: actor.channel_hash, lists });
  });
}

/** Gives a file or directory another name. Throws denied, missing, invalid, and conflict when the name is taken. */
export async function rename(hub: Hub, actor: Channel, owner: Channel, hash: string, name: string): Promise<File> {
  return change(hub, actor, owner, async (hub) => {
    const files = await wholeSeenBy(hub, actor, owner, hash);
    const renamed = await renameFile(hub, files[0]!, name);
    await refreshPhotos(hub, owner, files);
    return renamed;
  });
}

/**
 * Puts a file or directory into another directory (the empty hash is the top level). Throws denied, missing, invalid for a
 * directory that would end up in itself, and conflict when the name is taken there.
 */
export async function move(hub: Hub, actor: Channel, owner: Channel, hash: string, folder: string): Promise<File> {
  return change(hub, actor, owner, async (hub) => {
    const files = await wholeSeenBy(hub, actor, owner, hash);
    const moved = await moveFile(hub, files[0]!, await folderByHash(hub, actor, owner, folder));
    await refreshPhotos(hub, owner, files);
    return moved;
  });
}

/** Puts several of them into one directory: all or none. Throws as `move` does. */
export async function moveAll(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  hashes: readonly string[],
  folder: string,
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const hash of hashes) await move(hub, actor, owner, hash, folder);
  });
}

/** Deletes several of them: all or none. Throws as `remove` does. */
export async function removeAll(hub: Hub, actor: Channel, owner: Channel, hashes: readonly string[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const hash of hashes) await remove(hub, actor, owner, hash);
  });
}

/** Deletes a file with all its revisions, or a directory with everything in it; linked items become tombstones. Throws denied, missing. */
export async function remove(hub: Hub, actor: Channel, owner: Channel, hash: string): Promise<void> {
  await change(hub, actor, owner, async (hub) => {
    const files = await wholeSeenBy(hub, actor, owner, hash);
    await dropPhotos(
      hub,
      files.filter((file) => file.is_photo === 1),
    );
    await deleteFiles(hub, files);
  });
}

/**
 * Who may see a file, its photo and its linked item; a directory's lists hold for everything in it beside the entries' own,
 * which stay. For the owner. Throws denied, missing, invalid.
 */
export async function changeAudience(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  hash: string,
  audience: Audience,
): Promise<File> {
  return change(hub, actor, owner, async (hub) => {
    const lists = await listsFor(hub, actor, owner, audience);
    const changed = await setFileLists(hub, await seenBy(hub, actor, owner, hash), lists);
    await refreshPhotos(hub, owner, [changed]);
    return changed;
  });
}

/** All of it or nothing, and nobody else changes the storage meanwhile. */
async function change<T>(hub: Hub, actor: Channel, owner: Channel, work: (hub: Hub) => Promise<T>): Promise<T> {
  return inTransaction(hub, async (hub) => {
    await checkWriting(hub, actor, owner);
    await lockFiles(hub, owner.channel_account_id);
    return work(hub);
  });
}
