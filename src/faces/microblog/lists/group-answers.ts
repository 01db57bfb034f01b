import type { Group } from "../../../domain/groups/groups.ts";
import { memberIds } from "../../../domain/groups/member-ids.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import type { Hub } from "../../../hub.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Element } from "../../../http/xml.ts";
import { presentChange, presentGroup } from "./present-group.ts";
import type { GroupChange, GroupRecord, GroupAnswer } from "./present-group.ts";
import { rootElement } from "../xml.ts";

/** Loads the members of groups as users: a fixed number of queries for any number of groups. */
export async function showGroups(
  hub: Hub,
  { channel, observer }: Caller,
  groups: readonly Group[],
): Promise<GroupAnswer[]> {
  const members = await memberIds(
    hub,
    channel.channel_id,
    groups.map(({ id }) => id),
  );
  const ids = [...new Set([...members.values()].flat())];
  const users = ids.length === 0 ? new Map<number, never>() : await loadUsers(hub, observer, ids);
  return groups.map((group) => ({
    group,
    users: (members.get(group.id) ?? []).flatMap((id) => users.get(id) ?? []),
  }));
}

/** The part of a row that answers groups. */
export const manyGroups = {
  answer: "Group[]",
  present: (groups: GroupAnswer[]): GroupRecord[] => groups.map(presentGroup),
  xml: groupsElement,
} as const;

/**
 * The part of a row that answers what became of a group: an array with its record, for clients of others one object
 * (microblog contract 2.5).
 */
export const groupChanged = {
  answer: "GroupChange[] | GroupResult",
  present(change: GroupChange, { alias }: Exchange): object {
    return alias === "friendica" ? presentChange(change) : [{ ...presentGroup(change), ...presentChange(change) }];
  },
} as const;

/** The element of an answer that `groupChanged` presents; `name` is the operation's. */
export function changeElement(name: string): (presented: object) => Element {
  return (presented) =>
    Array.isArray(presented) ? groupsElement(presented as GroupRecord[]) : rootElement(name, presented);
}

/** In XML the members stand in `users` (microblog contract 10.2). */
function groupsElement(records: GroupRecord[]): Element {
  return rootElement(
    "groups",
    records.map(({ name, gid, user, ...change }) => ({ name, gid, users: user, ...change })),
  );
}
