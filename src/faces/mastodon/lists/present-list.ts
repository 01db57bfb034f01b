import type { z } from "zod";
import type { Group } from "../../../domain/groups/groups.ts";
import type { ListChoices } from "../../../domain/groups/list-choices.ts";
import type { List } from "../entities/account.ts";

/** Groups of the caller on their way to the presenter. */
export type ReadLists = { groups: readonly Group[]; choices: (group: Group) => ListChoices };

/** Mastodon contract 11.18. */
export function presentLists({ groups, choices }: ReadLists): z.infer<typeof List>[] {
  return groups.map((group) => {
    const { replies, exclusive } = choices(group);
    return { id: String(group.id), title: group.gname, replies_policy: replies, exclusive };
  });
}
