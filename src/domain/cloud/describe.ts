import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { checkWriting } from "../files/check-writing.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { fileOfMedia } from "../items/media/media-ids.ts";
import { changePhotoItems } from "../items/photo-item.ts";
import { renamePhoto, setFocus } from "../photos/rows.ts";
import { plainLine } from "../bodies/names.ts";
import { seenBy } from "./rights.ts";

const longestDescription = 10_000;

/** A point of a picture, from -1,-1 (left, below) to 1,1. */
export type Focus = readonly [x: number, y: number];

/** Gives an image its caption and the text for those who do not see it. Throws denied, missing. */
export async function describePhoto(
  hub: Hub,
  actor: Channel,
  owner: Channel,
  hash: string,
  words: { title: string; description: string },
): Promise<File> {
  return inTransaction(hub, async (hub) => {
    await checkWriting(hub, actor, owner);
    const file = await seenBy(hub, actor, owner, hash);
    if (file.is_photo === 0) throw missing("Photo");
    const title = plainLine(words.title, 255);
    const description = readDescription(words.description);
    await renamePhoto(hub, file, { title, description });
    await changePhotoItems(hub, owner, [hash]);
    return file;
  });
}

/** A description as it is kept. */
export function readDescription(words: string): string {
  return words.toWellFormed().trim().slice(0, longestDescription);
}

/** Says which points of pictures of the channel stay in sight where they are cut, by media ids. Throws invalid. */
export async function focusMedia(hub: Hub, channel: Channel, focuses: ReadonlyMap<number, Focus>): Promise<void> {
  for (const [id, focus] of focuses) {
    const file = await fileOfMedia(hub, channel, id);
    const point = focus.map((part) => Math.min(1, Math.max(-1, part)).toFixed(2)).join(",");
    if (file.is_photo === 1) await setFocus(hub, file, point);
  }
}
