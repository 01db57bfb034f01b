import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { findFolder, readPath } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { lockFiles } from "../files/lock.ts";
import { addRevision } from "../files/revise.ts";
import type { File } from "../files/types.ts";
import { ensureUploadFolder } from "../files/upload-folder.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { showAsPhoto, storeUpload } from "../items/media/photo-parts.ts";
import type { Audience } from "../items/types.ts";
import { prepareUpload } from "../photos/prepare-upload.ts";
import type { PreparedUpload } from "../photos/prepare-upload.ts";
import { orDropBytes } from "./media.ts";
import { checkWriting, folderByHash, listsFor, seenBy } from "./rights.ts";

export type Upload = {
  filename: string;
  /** What the sender says of the type. */
  type: string;
  /**
   * The directory: by its hash (empty is the top level), or by a path that is made where it is missing. The one of the
   * settings `photo_path` and `attach_path` when left out.
   */
  folder?: { hash: string } | { path: string } | undefined;
  /** For the owner; a guest's uploads take the directory's audience. */
  audience?: Audience | undefined;
};

/**
 * Stores an upload with everything that belongs to it, an image with its photo rows and linked item. Anybody but the
 * owner needs `write_storage` and must see the directory. Throws denied, missing, invalid, too-large.
 */
export async function upload(hub: Hub, actor: Channel, owner: Channel, staged: Staged, sent: Upload): Promise<File> {
  await checkWriting(hub, actor, owner);
  // What is refused anyway is refused before the work on the bytes; inside the transaction it counts.
  if (sent.folder) await existingFolder(hub, actor, owner, sent.folder);
  const prepared = await prepareUpload(hub, staged, sent);
  return orDropBytes(hub, prepared, () =>
    inTransaction(hub, async (hub) => {
      await lockFiles(hub, owner.channel_account_id);
      const lists = sent.audience && (await listsFor(hub, actor, owner, sent.audience));
      const folder = await folderFor(hub, actor, owner, sent.folder, prepared);
      return storeUpload(hub, owner, prepared, { creator: actor.channel_hash, folder, lists });
    }),
  );
}

/** Stores a new version of a file beside the earlier ones: same hash, next revision. Throws as `upload` does. */
export async function newRevision(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  hash: string,
  staged: Staged,
  type: string,
): Promise<File> {
  await checkWriting(hub, actor, owner);
  const { filename } = await fileSeenBy(hub, actor, owner, hash);
  const prepared = await prepareUpload(hub, staged, { filename, type });
  return orDropBytes(hub, prepared, () =>
    inTransaction(hub, async (hub) => {
      await lockFiles(hub, owner.channel_account_id);
      const before = await fileSeenBy(hub, actor, owner, hash);
      const file = await addRevision(hub, before, { ...prepared, isPhoto: prepared.photo !== undefined });
      await showAsPhoto(hub, owner, file, prepared.photo, before.is_photo === 1);
      return file;
    }),
  );
}

async function folderFor(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  asked: Upload["folder"],
  { photo }: PreparedUpload,
): Promise<File | undefined> {
  if (!asked) return ensureUploadFolder(hub, owner, photo ? "photo" : "file", actor.channel_hash);
  const found = await existingFolder(hub, actor, owner, asked);
  return found ?? ("path" in asked ? ensureFolder(hub, owner, asked.path, actor.channel_hash) : undefined);
}

/** The directory that was asked for, as far as it exists; none of a path may be hidden from the actor. Throws missing, invalid. */
async function existingFolder(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  asked: NonNullable<Upload["folder"]>,
): Promise<File | undefined> {
  if ("hash" in asked) return folderByHash(hub, actor, owner, asked.hash);
  const path = readPath(asked.path);
  for (let length = path.length; length > 0; length--) {
    const found = await findFolder(hub, owner.channel_id, path.slice(0, length));
    if (!found) continue;
    await folderByHash(hub, actor, owner, found.hash);
    return length === path.length ? found : undefined;
  }
  return undefined;
}

async function fileSeenBy(hub: Hub, actor: Channel, owner: Channel, hash: string): Promise<File> {
  const file = await seenBy(hub, actor, owner, hash);
  if (file.is_dir === 1) throw missing("File");
  return file;
}
