import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { checkWriting } from "../files/check-writing.ts";
import { describeFile } from "../files/describe.ts";
import { findFolder, readPath } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { lockFiles } from "../files/lock.ts";
import { addRevision } from "../files/revise.ts";
import type { File, Lists } from "../files/types.ts";
import { ensureUploadFolder } from "../files/upload-folder.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { showAsPhoto, storeUpload } from "../items/media/photo-parts.ts";
import type { Audience } from "../items/types.ts";
import { withUpload } from "../photos/uploads.ts";
import type { Claims, PreparedUpload } from "../photos/uploads.ts";
import { describePhoto, readDescription } from "./describe.ts";
import { folderByHash, listsFor, seenBy } from "./rights.ts";

/** Where an upload goes, and what comes with it. */
export type Place = {
  /**
   * The directory: by its hash (empty is the top level), or by a path that is made where it is missing, with these lists. The
   * one of the settings `photo_path` and `attach_path` when left out.
   */
  folder?: { hash: string } | { path: string; lists?: Lists } | undefined;
  /** In place of `folder`: the file of which it is a new version. */
  revisionOf?: string | undefined;
  /** For the owner; a guest's uploads take the directory's audience. */
  audience?: Audience | undefined;
  /** The same where the hub decides it. */
  lists?: Lists | undefined;
  /** What is to be seen or heard; empty says nothing. */
  description?: string | undefined;
};

export type Upload = Claims & Place;

/**
 * Stores an upload with everything that belongs to it, an image with its photo rows and linked item; `then` is part of the
 * same transaction. Anybody but the owner needs `write_storage` and must see the directory. Throws denied, missing, invalid,
 * too-large, and leaves nothing behind then.
 */
export async function upload(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  staged: Staged,
  sent: Upload,
  then?: (hub: Hub, file: File, upload: PreparedUpload) => Promise<void>,
): Promise<File> {
  // What is refused anyway is refused before the work on the bytes; inside the transaction it counts.
  await checkWriting(hub, actor, owner);
  if (sent.folder) await existingFolder(hub, actor, owner, sent.folder);
  if (sent.audience) await listsFor(hub, actor, owner, sent.audience);
  const store = (prepared: PreparedUpload): Promise<File> =>
    inTransaction(hub, async (hub) => {
      const file = await storeFile(hub, actor, owner, prepared, sent);
      await then?.(hub, file, prepared);
      return file;
    });
  return withUpload(hub, owner, { ...sent, staged }, store, actor);
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
  return upload(hub, actor, owner, staged, { filename, type, revisionOf: hash });
}

/** Writes the rows of an upload whose bytes are kept. Inside a transaction. Throws as `upload` does. */
export async function storeFile(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  prepared: PreparedUpload,
  { folder: asked, revisionOf, audience, lists, description = "" }: Place,
): Promise<File> {
  await lockFiles(hub, owner.channel_account_id);
  if (revisionOf !== undefined) return revise(hub, await fileSeenBy(hub, actor, owner, revisionOf), owner, prepared);
  const creator = actor.channel_hash;
  const folder = await folderFor(hub, actor, owner, asked, prepared);
  const shown = audience ? await listsFor(hub, actor, owner, audience) : lists;
  const file = await storeUpload(hub, owner, prepared, { creator, folder, lists: shown });
  if (description.trim() === "") return file;
  if (!prepared.photo) return describeFile(hub, file, readDescription(description));
  return describePhoto(hub, actor, owner, file.hash, { title: "", description });
}

async function revise(hub: Hub, before: File, owner: Channel, prepared: PreparedUpload): Promise<File> {
  const file = await addRevision(hub, before, { ...prepared, isPhoto: prepared.photo !== undefined });
  await showAsPhoto(hub, owner, file, prepared.photo, before.is_photo === 1);
  return file;
}

async function folderFor(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  asked: Place["folder"],
  { photo }: PreparedUpload,
): Promise<File | undefined> {
  if (!asked) return ensureUploadFolder(hub, owner, photo ? "photo" : "file", actor.channel_hash);
  const found = await existingFolder(hub, actor, owner, asked);
  return found ?? ("path" in asked ? ensureFolder(hub, owner, asked.path, actor.channel_hash, asked.lists) : undefined);
}

/** The directory that was asked for, as far as it exists; none of a path may be hidden from the actor. Throws missing, invalid. */
async function existingFolder(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  asked: NonNullable<Place["folder"]>,
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
