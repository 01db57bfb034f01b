import { countMembers } from "../../../domain/groups/lists-of.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import type { Hub } from "../../../hub.ts";
import { presentList } from "./present-list.ts";
import type { ListObject } from "./present-list.ts";
import { presentUser } from "../people/present-user.ts";

/** The list objects of these groups of the caller, who owns all of them, with one count of members for all. */
export async function showLists(
  hub: Hub,
  { channel, observer }: Caller,
  groups: readonly Group[],
): Promise<ListObject[]> {
  if (groups.length === 0) return [];
  const users = await loadUsers(hub, observer, [channel.xchan_id]);
  const context = {
    user: presentUser(users.get(channel.xchan_id)!),
    nick: channel.channel_address,
    since: channel.channel_created,
    members: await countMembers(hub, channel.channel_id),
  };
  return groups.map((group) => presentList(group, context));
}

/** The list object of one group. */
export async function showList(hub: Hub, caller: Caller, group: Group): Promise<ListObject> {
  const [list] = await showLists(hub, caller, [group]);
  return list!;
}

/** The part of a row that answers one list. */
export const oneList = { answer: "List", xml: "list" } as const;
