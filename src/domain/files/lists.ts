import type { Channel } from "../identity/channels/channel.ts";
import type { File, Lists } from "./types.ts";
import type { Listed } from "../identity/records/name-successor.ts";

/**
 * Who sees a new entry when nothing is said: whom its directory names, else the channel's default audience. A directory
 * that names nobody does not make what is put there public.
 */
export function usualLists(owner: Channel, folder: File | undefined): Lists {
  if (folder && hasLists(folder)) return listsOf(folder);
  return {
    allow_cid: owner.channel_allow_cid,
    allow_gid: owner.channel_allow_gid,
    deny_cid: owner.channel_deny_cid,
    deny_gid: owner.channel_deny_gid,
  };
}

/** Does it name anybody? */
export function hasLists(lists: Lists): boolean {
  return Object.values(listsOf(lists)).some((list) => list !== "");
}

/** Lists that name nobody: as public as the channel's storage is. */
export const openLists: Lists = { allow_cid: "", allow_gid: "", deny_cid: "", deny_gid: "" };

/** The four lists alone. */
export function listsOf({ allow_cid, allow_gid, deny_cid, deny_gid }: Lists): Lists {
  return { allow_cid, allow_gid, deny_cid, deny_gid };
}

/** Lists that only the channel itself gets past. */
export function ownerOnly(owner: Pick<Channel, "channel_hash">): Lists {
  return { allow_cid: `<${owner.channel_hash}>`, allow_gid: "", deny_cid: "", deny_gid: "" };
}

/** Who sees files. */
export const listedFiles: Listed = { table: "attach", id: "id", uid: "uid", date: "created" };
