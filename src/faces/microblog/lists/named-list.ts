import type { z } from "zod";
import { activeGroups } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { namesCaller } from "../people/named-person.ts";
import { narrowing, text } from "../parameters.ts";
import { slugOf } from "./present-list.ts";

/** The parameters that name a list. */
export const listInput = {
  list_id: narrowing("Id of the list."),
  slug: text("The list by its `slug`, in place of the id."),
  owner_screen_name: text("Whose list the `slug` names: the caller's own nick."),
  owner_id: text("Whose list the `slug` names: the caller's own id."),
};

export type ListInput = { [name in keyof typeof listInput]: z.output<(typeof listInput)[name]> };

/** What the rows of lists say; that a list is unknown is said where it is looked for. */
export const listErrors = {
  no_list: "gid not specified",
  no_name: "group name not specified",
  conflict: "group name already exists",
  name_too_long: "other API error",
} as const;

/** The caller's list that a request names: by its id, else by its slug and the caller as owner. Throws `no_list` or missing. */
export async function namedList(hub: Hub, caller: Caller, input: ListInput): Promise<Group> {
  const slug = input.slug?.trim().toLowerCase() ?? "";
  if (input.list_id === undefined && slug === "") {
    throw new HubError("invalid", "gid not specified", { reason: "no_list", field: "list_id" });
  }
  const owner = { user_id: input.owner_id, screen_name: input.owner_screen_name };
  const isOwn = input.list_id !== undefined || namesCaller(hub, caller, owner);
  const lists = isOwn ? await activeGroups(hub, caller.channel.channel_id) : [];
  const found = lists.find(({ id, gname }) =>
    input.list_id === undefined ? slugOf(gname) === slug : id === input.list_id,
  );
  if (!found) throw new HubError("missing", "gid not available");
  return found;
}
