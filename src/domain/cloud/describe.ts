import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { checkWriting } from "../files/check-writing.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { changePhotoItems } from "../items/media/photo-item.ts";
import { renamePhoto } from "../photos/rows.ts";
import { plainLine } from "../bodies/names.ts";
import { seenBy } from "./rights.ts";

const longestDescription = 10_000;

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
    const description = words.description.toWellFormed().trim().slice(0, longestDescription);
    await renamePhoto(hub, file, { title, description });
    await changePhotoItems(hub, owner, [hash]);
    return file;
  });
}
