import type { Hub } from "../../../hub.ts";
import { hashesIn } from "../links.ts";
import { setFileLists } from "../../files/change.ts";
import { hasLists, listsOf, openLists, ownerOnly } from "../../files/lists.ts";
import type { File, Lists } from "../../files/types.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findXchans } from "../../identity/xchans/xchans.ts";
import { listsAbove } from "../../photos/album-lists.ts";
import { inheritedScope, onlyFor } from "../audience.ts";
import type { Scope } from "../audience.ts";
import { changePhotoItems } from "./photo-item.ts";
import { no, yes } from "../queries.ts";
import { recordAttached } from "./unattached.ts";
import type { Item } from "../types.ts";

/**
 * Gives files and photos that a post of the owner refers to the audience of the post, if they were the owner's alone so far
 * and their directories name nobody (native contract 4.4 step 6). Inside a transaction.
 */
export async function shareFiles(
  hub: Hub,
  owner: Channel,
  content: { body: string; attach: string },
  scope: Scope,
): Promise<void> {
  const hashes = hashesIn(hub, content.body + content.attach);
  await recordAttached(hub, owner.channel_id, hashes);
  const lists = listsFor(owner, scope);
  if (hashes.length === 0 || !lists) return;
  for (const file of await ownFiles(hub, owner, hashes)) {
    const above = await listsAbove(hub, { ...file, ...openLists });
    if (above.length > 0) continue;
    await setFileLists(hub, file, lists);
    if (file.is_photo === 1) await changePhotoItems(hub, owner, [file.hash]);
  }
}

/**
 * Whom the author of an answer knows to see the thread of somebody else, by the author's own copy of its top: everybody if it
 * is public, else its owner and those who have written in it. Who else does is not the author's to know.
 */
export async function scopeAsSeen(hub: Hub, top: Item): Promise<Scope> {
  const scope = inheritedScope(top);
  if (top.item_private === 0) return scope;
  const authors = await hub.db
    .selectFrom("item")
    .select("author_id")
    .distinct()
    .where("parent", "=", top.id)
    .where("item_normal", "=", yes)
    .where("item_notshown", "=", no)
    .execute();
  const people = await findXchans(hub, [top.owner_id, ...authors.map((row) => row.author_id)]);
  return onlyFor(...people.map((one) => one.xchan_hash));
}

/** Those that only the owner sees. */
async function ownFiles(hub: Hub, owner: Channel, hashes: readonly string[]): Promise<File[]> {
  const alone = ownerOnly(owner);
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", owner.channel_id)
    .where((x) => isOneOf(hub.engine, x.ref("hash"), hashes))
    .where("latest", "=", yes)
    .where("is_dir", "=", 0)
    .where("allow_cid", "=", alone.allow_cid)
    .where("allow_gid", "=", "")
    .where("deny_cid", "=", "")
    .where("deny_gid", "=", "")
    .orderBy("id")
    .execute();
}

/**
 * The audience of a post as lists. Lists know no scope words: whatever is not for everybody is for the approved connections,
 * which is what lists mean that deny somebody and allow nobody; the denied one here is the owner, who sees it anyway.
 * Undefined when it stays the owner's.
 */
function listsFor(owner: Channel, scope: Scope): Lists | undefined {
  if (hasLists(scope)) return listsOf(scope);
  if (scope.public_policy === "self") return undefined;
  if (scope.item_private === 0) return openLists;
  return { ...openLists, deny_cid: `<${owner.channel_hash}>` };
}
