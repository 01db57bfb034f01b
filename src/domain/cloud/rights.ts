import type { HubError } from "../../errors.ts";
import { missing, refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { filesBelow } from "../files/delete.ts";
import { findFile, countHidden } from "../files/find.ts";
import type { File, Lists } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { checkAudience, storedLists } from "../items/audience.ts";
import type { Audience } from "../items/types.ts";

/** An entry that the actor sees; whether writing is allowed at all is `checkWriting`'s question. Throws missing. */
export async function seenBy(hub: Hub, actor: Channel, owner: Channel, hash: string): Promise<File> {
  return findFile(hub, observerOf(actor), { hash }, owner.channel_id);
}

/**
 * The same with everything below it, for changes that take all of it along: a guest does that only where nothing is hidden
 * from them. Throws missing, denied.
 */
export async function wholeSeenBy(hub: Hub, actor: Channel, owner: Channel, hash: string): Promise<File[]> {
  const files = await filesBelow(hub, await seenBy(hub, actor, owner, hash));
  if (!isOwner(actor, owner) && (await countHidden(hub, observerOf(actor), files)) > 0) throw denied();
  return files;
}

/** The directory with this hash as the actor sees it; undefined for the top level. Throws missing. */
export async function folderByHash(hub: Hub, actor: Channel, owner: Channel, hash: string): Promise<File | undefined> {
  if (hash === "") return undefined;
  const folder = await seenBy(hub, actor, owner, hash);
  if (folder.is_dir === 0) throw missing("Directory");
  return folder;
}

/** The lists that an audience stands for; who sees what is the owner's choice alone. Throws denied, invalid. */
export async function listsFor(hub: Hub, actor: Channel, owner: Channel, audience: Audience): Promise<Lists> {
  if (!isOwner(actor, owner)) throw denied();
  return storedLists(await checkAudience(hub, owner, audience));
}

/** Does the channel act on its own storage? */
function isOwner(actor: Channel, owner: Channel): boolean {
  return actor.channel_id === owner.channel_id;
}

function denied(): HubError {
  return refusal("permission_denied");
}
