import type { z } from "zod";
import type { Group } from "../../../domain/groups/groups.ts";
import type { ListChoices } from "../../../domain/groups/list-choices.ts";
import type { List } from "../entities/account.ts";

/** Groups of the caller on their way to the presenter. */
export type ReadLists = {
  groups: readonly Group[];
  choices: (group: Group) => ListChoices;
  /** How many each of them has, by id. */
  members: ReadonlyMap<number, number>;
  /** Those to which new posts go, by hash. */
  usual: readonly string[];
};

/** Mastodon contract 11.18. */
export function presentLists({ groups, choices, members, usual }: ReadLists): z.infer<typeof List>[] {
  return groups.map((group) => {
    const { replies, exclusive } = choices(group);
    const hubbub = {
      visible: group.visible === 1,
      members: members.get(group.id) ?? 0,
      default: usual.includes(group.hash),
    };
    return { id: String(group.id), title: group.gname, replies_policy: replies, exclusive, hubbub };
  });
}
