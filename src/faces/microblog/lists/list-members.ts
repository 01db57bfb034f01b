import { z } from "zod";
import { addMembers, removeMembers } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { isMember, pageOfMembers } from "../../../domain/groups/lists-of.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { cursor } from "../statuses/cursors.ts";
import { listErrors, listInput, namedList } from "./named-list.ts";
import { mostPeople, namedPeople, peopleInput } from "../people/named-people.ts";
import type { PeopleInput } from "../people/named-people.ts";
import { requiredPerson } from "../people/named-person.ts";
import { count } from "../parameters.ts";
import { actAs, include_entities, screen_name, skip_status, user_id } from "../shared-input.ts";
import { showPage, userPage } from "../people/cursor-answers.ts";
import { oneList, showList } from "./list-answers.ts";
import { noStatus, oneUser, showUser } from "../people/user-answers.ts";

/** Who is in a list. */
export const listMemberRows = [
  endpoint({
    path: "lists/members",
    methods: ["GET"],
    access: "channel",
    summary: "The members of a list.",
    errors: listErrors,
    example: { list_id: "3" },
    input: z.object({
      ...listInput,
      cursor: cursor(),
      count: count(),
      skip_status,
      include_entities,
      channel: actAs,
    }),
    async handle(hub, caller, input, exchange) {
      const group = await namedList(hub, caller, input);
      const window = { ...input.cursor, count: input.count };
      const page = await pageOfMembers(hub, caller.channel.channel_id, group.id, window);
      return showPage(hub, caller, { page, cursored: true, input }, input, exchange);
    },
    ...userPage,
  }),
  endpoint({
    path: "lists/members/show",
    methods: ["GET"],
    access: "channel",
    summary: "Somebody who is in a list.",
    errors: { ...listErrors, no_user: "no user_id specified" },
    example: { list_id: "3", screen_name: "bob" },
    input: z.object({ ...listInput, user_id, screen_name }),
    async handle(hub, caller, input, exchange) {
      const group = await namedList(hub, caller, input);
      const person = await requiredPerson(hub, caller.observer, input);
      if (!(await isMember(hub, caller.channel.channel_id, group.id, person.xchan_hash)))
        throw new HubError("missing", `User ID ${person.xchan_id} not found.`);
      return showUser(hub, caller, person.xchan_id, noStatus, exchange);
    },
    ...oneUser,
  }),
  changeRow("lists/members/create", "Adds a connection to a list; harmless when repeated.", join),
  changeRow("lists/members/create_all", "Adds connections to a list: all of them, or nobody.", join),
  changeRow("lists/members/destroy", "Takes somebody out of a list; harmless when repeated.", leave),
  changeRow("lists/members/destroy_all", "Takes people out of a list.", leave),
];

type Change = (hub: Hub, uid: number, group: Group, hashes: string[]) => Promise<string[]>;

function changeRow(path: string, summary: string, change: Change): Endpoint {
  return endpoint({
    path,
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary,
    errors: { ...listErrors, no_user: "no user_id specified" },
    example: { list_id: "3", screen_name: "bob" },
    input: z.object({ ...listInput, ...peopleInput }),
    async handle(hub, caller, input) {
      const group = await namedList(hub, caller, input);
      await changeMembers(hub, caller, group, input, change);
      return showList(hub, caller, group);
    },
    ...oneList,
  });
}

async function changeMembers(hub: Hub, caller: Caller, group: Group, named: PeopleInput, change: Change) {
  const asked = named.user_id.length + named.screen_name.length;
  if (asked === 0) throw new HubError("invalid", "no user_id specified", { reason: "no_user", field: "user_id" });
  if (asked > mostPeople) throw new HubError("invalid", "other API error", { field: "user_id" });
  const { people, unknown } = await namedPeople(hub, caller, named);
  if (unknown.length > 0) throw noMember(unknown[0]!);
  const hashes = people.map((person) => person.xchan_hash);
  const [stranger] = await change(hub, caller.channel.channel_id, group, hashes);
  const refused = people.find((person) => person.xchan_hash === stranger);
  if (refused) throw noMember(String(refused.xchan_id));
}

/** Answers those who can be no members. */
function join(hub: Hub, uid: number, { id }: Group, hashes: string[]): Promise<string[]> {
  return addMembers(hub, uid, id, hashes, { allOrNone: true });
}

async function leave(hub: Hub, uid: number, { id }: Group, hashes: string[]): Promise<string[]> {
  await removeMembers(hub, uid, id, hashes);
  return [];
}

function noMember(name: string): HubError {
  return new HubError("invalid", `User ID ${name} not found.`, { reason: "no_member", field: "user_id" });
}
