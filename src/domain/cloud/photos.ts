import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { placeFile, setFileLists } from "../files/change.ts";
import { checkWriting } from "../files/check-writing.ts";
import { readPath } from "../files/find.ts";
import { ensureFolder } from "../files/insert.ts";
import { listsOf, openLists } from "../files/lists.ts";
import { lockFiles } from "../files/lock.ts";
import { replaceBytes } from "../files/revise.ts";
import type { File, Lists } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { audienceIn, defaultAudience } from "../items/audience.ts";
import { changePhotoItems } from "../items/photo-item.ts";
import type { Audience } from "../items/types.ts";
import { replacePhoto, usesAmong } from "../photos/replace.ts";
import { photoOf, withUpload } from "../photos/uploads.ts";
import type { Sent } from "../photos/uploads.ts";
import { photoRecords } from "../photos/records.ts";
import type { PhotoRecord } from "../photos/records.ts";
import { describePhoto } from "./describe.ts";
import { listsFor } from "./rights.ts";
import { upload } from "./upload.ts";

/** What this interface draws. */
const asked = { smallest: "medium", refuses: "all but images" } as const;

/**
 * Stores an image in an album, which is made if need be, for the audience that is named or the channel's usual one.
 * Throws denied, invalid, too-large.
 */
export async function createPhoto(
  hub: Hub,
  channel: Channel,
  { staged, ...claims }: Sent,
  { album, description, audience }: { album: string; description: string; audience: Audience | undefined },
): Promise<File> {
  return upload(hub, channel, channel, staged, {
    ...claims,
    ...asked,
    folder: { path: album, lists: openLists },
    audience: audience ?? defaultAudience(channel),
    description,
  });
}

/** What is to change about an image; what is left out stays. */
export type PhotoChanges = {
  album?: string | undefined;
  description?: string | undefined;
  audience?: Partial<Audience> | undefined;
  image?: Sent | undefined;
};

/**
 * Changes an image of the channel: new bytes in all its scales, another album, words, audience. Answers whether there
 * was anything to change. Throws denied, missing, invalid, too-large.
 */
export async function changePhoto(
  hub: Hub,
  channel: Channel,
  resource: string,
  { image, ...changes }: PhotoChanges,
): Promise<boolean> {
  await checkWriting(hub, channel, channel);
  if (changes.album !== undefined) readPath(changes.album);
  const before = await ownPhoto(hub, channel, resource);
  await listsAfter(hub, channel, before, changes.audience);
  if (!image) return inTransaction(hub, (hub) => write(hub, channel, resource, changes));
  const sent = { ...image, ...asked, uses: usesAmong(before.renditions) };
  return withUpload(hub, channel, sent, (prepared) =>
    inTransaction(hub, async (hub) => {
      await lockFiles(hub, channel.channel_account_id);
      const { file, renditions } = await ownPhoto(hub, channel, resource);
      const replaced = await replaceBytes(hub, file, { ...prepared, isPhoto: true });
      await replacePhoto(hub, replaced, renditions, photoOf(prepared));
      await write(hub, channel, resource, changes);
      await changePhotoItems(hub, channel, [file.hash], { newBytes: true });
      return true;
    }),
  );
}

type OwnPhoto = PhotoRecord & { file: File };

/** An image of the channel that is among its files. Throws missing. */
async function ownPhoto(hub: Hub, channel: Channel, resource: string): Promise<OwnPhoto> {
  const [record] = await photoRecords(hub, channel.channel_id, [resource]);
  if (!record?.file) throw missing("Photo");
  return { ...record, file: record.file };
}

async function write(
  hub: Hub,
  channel: Channel,
  resource: string,
  { album, description, audience }: Omit<PhotoChanges, "image">,
): Promise<boolean> {
  await lockFiles(hub, channel.channel_account_id);
  const photo = await ownPhoto(hub, channel, resource);
  const [shown] = photo.renditions;
  const lists = await listsAfter(hub, channel, photo, audience);
  const moves = album !== undefined && readPath(album).join("/") !== shown!.album;
  const describes = description !== undefined && description.trim() !== shown!.description;
  if (moves) await moveToAlbum(hub, channel, photo.file, album);
  if (lists) await setFileLists(hub, photo.file, lists);
  if (moves || lists) await changePhotoItems(hub, channel, [resource]);
  if (describes) await describePhoto(hub, channel, channel, resource, { title: shown!.title, description });
  return moves || describes || lists !== undefined;
}

/** Moves an image into an album, which is made if need be. Inside a transaction. */
export async function moveToAlbum(hub: Hub, channel: Channel, file: File, album: string): Promise<void> {
  const folder = await ensureFolder(hub, channel, album, channel.channel_hash, openLists);
  await placeFile(hub, file, folder, file.filename);
}

/** The lists that a change leads to; undefined when they are those of the image already. Throws invalid. */
async function listsAfter(
  hub: Hub,
  channel: Channel,
  { file }: OwnPhoto,
  audience: Partial<Audience> | undefined,
): Promise<Lists | undefined> {
  if (!audience) return undefined;
  const lists = await listsFor(hub, channel, channel, { ...audienceIn(file), ...audience });
  return JSON.stringify(listsOf(lists)) === JSON.stringify(listsOf(file)) ? undefined : lists;
}
