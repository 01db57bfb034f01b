import type { Group } from "../../../domain/groups/groups.ts";
import { twitterDate } from "../present/dates.ts";
import type { UserObject } from "../people/present-user.ts";

/** What a list is shown with besides its own record. */
export type ListContext = { user: UserObject; nick: string; since: string; members: ReadonlyMap<number, number> };

export type ListObject = {
  id: number;
  id_str: string;
  name: string;
  full_name: string;
  slug: string;
  user: UserObject;
  mode: "public" | "private";
  description: string;
  member_count: number;
  subscriber_count: number;
  following: boolean;
  uri: string;
  created_at: string;
};

/** A privacy group in Twitter form; of older groups the date is that of the channel. */
export function presentList(group: Group, { user, nick, since, members }: ListContext): ListObject {
  const slug = slugOf(group.gname);
  return {
    id: group.id,
    id_str: String(group.id),
    name: group.gname,
    full_name: `@${nick}/${slug}`,
    slug,
    user,
    mode: group.visible === 1 ? "public" : "private",
    description: "",
    member_count: members.get(group.id) ?? 0,
    subscriber_count: 0,
    following: true,
    uri: `/${nick}/lists/${slug}`,
    created_at: twitterDate(group.created || since),
  };
}

/** The name as it stands in addresses: lower case, with `-` for runs of what is neither letter nor digit. */
export function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
}
