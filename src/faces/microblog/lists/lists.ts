import { z } from "zod";
import { activeGroups, createGroup, deleteGroup, renameGroup } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { pageOfGroupsWith } from "../../../domain/groups/lists-of.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { cursor, cursorFields, cursorLinks } from "../statuses/cursors.ts";
import { listErrors, listInput, namedList } from "./named-list.ts";
import { findNamed, namesCaller } from "../people/named-person.ts";
import type { PersonInput } from "../people/named-person.ts";
import { count, text } from "../parameters.ts";
import { actAs, profileurl, screen_name, user_id } from "../shared-input.ts";
import { withoutTexts } from "../people/cursor-answers.ts";
import { oneList, showList, showLists } from "./list-answers.ts";
import { rootElement } from "../xml.ts";

const wholeList = { next: 0, previous: 0 };

/** Lists are the caller's privacy groups. */
export const listRows = [
  endpoint({
    path: "lists/ownerships",
    methods: "*",
    access: "channel",
    summary: "All lists of the caller; of somebody else none.",
    answer: "ListPage",
    input: z.object({ user_id, screen_name }),
    async handle(hub, caller, input) {
      return showLists(hub, caller, await listsOf(hub, caller, input));
    },
    present: (lists) => ({ lists, ...cursorFields({ ...wholeList, total: lists.length }) }),
    xml: ({ lists }: { lists: object[] }) => rootElement("lists", lists),
  }),
  endpoint({
    path: "lists/list",
    aliases: ["lists/subscriptions"],
    methods: ["GET"],
    access: "channel",
    summary: "All lists of the caller; of somebody else none.",
    answer: "List[]",
    input: z.object({ user_id, screen_name }),
    async handle(hub, caller, input) {
      return showLists(hub, caller, await listsOf(hub, caller, input));
    },
    xml: "lists",
  }),
  endpoint({
    path: "lists/memberships",
    methods: ["GET"],
    access: "channel",
    summary: "The caller's lists that hold a person; without one the caller.",
    answer: "ListPage",
    example: { screen_name: "bob" },
    input: z.object({
      user_id,
      screen_name,
      profileurl,
      cursor: cursor(),
      count: count(),
      channel: actAs,
    }),
    async handle(hub, caller, input) {
      const { channel_id: uid, channel_hash } = caller.channel;
      const found = await findNamed(hub, caller.observer, input);
      const hash = found === "nobody named" ? channel_hash : found.xchan_hash;
      const page = await pageOfGroupsWith(hub, uid, hash, { ...input.cursor, count: input.count });
      const groups = new Map((await activeGroups(hub, uid)).map((group) => [group.id, group]));
      const lists = await showLists(
        hub,
        caller,
        page.keys.flatMap((id) => groups.get(id) ?? []),
      );
      return { lists, page, input };
    },
    present: ({ lists, page }) => ({ lists, ...cursorFields(page) }),
    headers: ({ page, input }, exchange) => cursorLinks(page, exchange, input),
    xml: (presented: object) => rootElement("lists_list", withoutTexts(presented)),
  }),
  endpoint({
    path: "lists/show",
    methods: ["GET"],
    access: "channel",
    summary: "One list of the caller.",
    errors: listErrors,
    example: { list_id: "3" },
    input: z.object(listInput),
    handle: async (hub, caller, input) => showList(hub, caller, await namedList(hub, caller, input)),
    ...oneList,
  }),
  endpoint({
    path: "lists/create",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Makes a list.",
    errors: listErrors,
    example: { name: "Choir" },
    input: z.object({ name: text("Name of the list.") }),
    async handle(hub, caller, input) {
      const name = requiredName(input.name);
      return showList(hub, caller, await createGroup(hub, caller.channel.channel_id, name));
    },
    ...oneList,
  }),
  endpoint({
    path: "lists/update",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Gives a list another name.",
    errors: listErrors,
    example: { list_id: "3", name: "Singers" },
    input: z.object({ ...listInput, name: text("Name of the list.") }),
    async handle(hub, caller, input) {
      const group = await namedList(hub, caller, input);
      const name = requiredName(input.name);
      return showList(hub, caller, await renameGroup(hub, caller.channel.channel_id, group.id, name));
    },
    ...oneList,
  }),
  endpoint({
    path: "lists/destroy",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Deletes a list; answers it as it was.",
    errors: listErrors,
    example: { list_id: "3" },
    input: z.object(listInput),
    async handle(hub, caller, input) {
      const group = await namedList(hub, caller, input);
      const before = await showList(hub, caller, group);
      await deleteGroup(hub, caller.channel.channel_id, group.id);
      return before;
    },
    ...oneList,
  }),
];

/** Only one's own are shown. */
async function listsOf(hub: Hub, caller: Caller, person: PersonInput): Promise<Group[]> {
  return namesCaller(hub, caller, person) ? activeGroups(hub, caller.channel.channel_id) : [];
}

function requiredName(name = ""): string {
  if (name.trim() === "")
    throw new HubError("invalid", "group name not specified", { reason: "no_name", field: "name" });
  return name;
}
