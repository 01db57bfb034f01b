import { z } from "zod";
import { activeGroup, activeGroups, addMembers } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { chooseForList, listChoices, listReplies } from "../../../domain/groups/list-choices.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import { createGroup, deleteGroup, removeMembers, renameGroup } from "../../../domain/groups/groups.ts";
import { countMembers, pageOfGroupsWith, pageOfMembers } from "../../../domain/groups/lists-of.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { defaultAudience } from "../../../domain/items/audience.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import { missing } from "../../../errors.ts";
import { kind } from "../../../http/input.ts";
import { lastOf } from "../../../http/values.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { manyAccounts, showAccounts } from "../accounts/account-answers.ts";
import { id, invalid, optionalFlag, optionalTexts, readId, text, wholeNumber } from "../parameters.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { presentLists } from "./present-list.ts";
import type { ReadLists } from "./present-list.ts";

const groupId = id("Id of the group.");

/** What the hub's words for groups are here. */
const errors = {
  group_name_needed: "Validation failed: Title can't be blank",
  group_name_taken: "Validation failed: Title has already been taken",
  name_too_long: "Validation failed: Title is too long",
} as const;

const mostAtOnce = 1000;
/** As many as are answered to whom asks for all. */
const mostMembers = 5000;

const choices = {
  replies_policy: text("Which answers of members it shows: `list` (the usual), `followed` or `none`."),
  exclusive: optionalFlag("What members post stands in this list alone, and not at home."),
};

/** Throws invalid. */
function choicesIn({
  replies_policy: named,
  exclusive,
}: {
  replies_policy: string | undefined;
  exclusive: boolean | undefined;
}) {
  const replies = listReplies.find((one) => one === named);
  if (named !== undefined && replies === undefined) throw invalid("Replies policy is not included in the list");
  return { replies, exclusive };
}

async function readLists(hub: Hub, channel: Channel, groups: readonly Group[]): Promise<ReadLists> {
  const [choices, members] = await Promise.all([
    listChoices(hub, channel.channel_id),
    countMembers(hub, channel.channel_id),
  ]);
  return { groups, choices, members, usual: defaultAudience(channel).allow_gid };
}

/** The part of a row that answers one list. */
const oneList = { answer: "List", present: (read: ReadLists) => presentLists(read)[0]! } as const;

/** Mastodon contract 12.6 and 13.5: the caller's privacy groups. */
export const listRows = [
  endpoint({
    path: "v1/lists",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "The caller's groups.",
    answer: "List[]",
    input: z.object({}),
    handle: async (hub, { channel }) => readLists(hub, channel, await activeGroups(hub, channel.channel_id)),
    present: presentLists,
  }),
  endpoint({
    path: "v1/lists",
    methods: ["POST"],
    access: "channel",
    scope: "write:lists",
    writes: true,
    summary: "Makes a group.",
    errors,
    example: { title: "Choir" },
    input: z.object({ title: text("Its name, which no other group of the caller has."), ...choices }),
    async handle(hub, { channel }, { title = "", ...asked }) {
      const chosen = choicesIn(asked);
      const group = await createGroup(hub, channel.channel_id, title);
      await chooseForList(hub, group, chosen);
      return readLists(hub, channel, [group]);
    },
    ...oneList,
  }),
  endpoint({
    path: "v1/lists/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "One of the caller's groups.",
    example: { id: "3" },
    input: z.object({ id: groupId }),
    async handle(hub, { channel }, input) {
      return readLists(hub, channel, [await activeGroup(hub, channel.channel_id, input.id)]);
    },
    ...oneList,
  }),
  endpoint({
    path: "v1/lists/:id",
    methods: ["PUT"],
    access: "channel",
    scope: "write:lists",
    writes: true,
    summary: "Gives a group another name, or chooses anew how it is read.",
    errors,
    example: { id: "3", title: "Big choir" },
    input: z.object({ id: groupId, title: text("Its name; left out it stays."), ...choices }),
    async handle(hub, { channel }, { id: list, title, ...asked }) {
      const chosen = choicesIn(asked);
      const uid = channel.channel_id;
      const group = title === undefined ? await activeGroup(hub, uid, list) : await renameGroup(hub, uid, list, title);
      await chooseForList(hub, group, chosen);
      return readLists(hub, channel, [group]);
    },
    ...oneList,
  }),
  endpoint({
    path: "v1/lists/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:lists",
    writes: true,
    summary: "Deletes a group; what was posted to it stays as narrow as it was.",
    answer: "Nothing",
    example: { id: "3" },
    input: z.object({ id: groupId }),
    async handle(hub, { channel }, input) {
      await deleteGroup(hub, channel.channel_id, input.id);
      return {};
    },
  }),
  endpoint({
    path: "v1/lists/:id/accounts",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "Who is in a group.",
    example: { id: "3" },
    input: z.object({
      ...pageInput(40),
      id: groupId,
      limit: kind({ description: "How many to answer at most; 0 is all.", type: "integer", default: 40 }, (values) => {
        const read = wholeNumber(lastOf(values)) ?? -1;
        return read === 0 ? mostMembers : read < 0 ? 40 : Math.min(read, 80);
      }),
    }),
    async handle(hub, caller, input) {
      const uid = caller.channel.channel_id;
      const group = await activeGroup(hub, uid, input.id);
      const { keys, next } = await pageOfMembers(hub, uid, group.id, windowOf(input));
      return showAccounts(hub, caller, keys, edgesOf(keys, next > 0));
    },
    ...manyAccounts,
  }),
  membersRow(
    "POST",
    "Puts people into a group: those whom the caller is connected with, and guests. All or nobody.",
    add,
  ),
  membersRow("DELETE", "Takes people out of a group.", removeMembers),
  endpoint({
    path: "v1/accounts/:id/lists",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "Those of the caller's groups that somebody is in.",
    answer: "List[]",
    example: { id: "17" },
    input: z.object({ id: id("Id of the person.") }),
    async handle(hub, { channel, observer }, input) {
      const uid = channel.channel_id;
      const { xchan_hash } = await namedAccount(hub, observer, input.id);
      const { keys } = await pageOfGroupsWith(hub, uid, xchan_hash, { count: mostMembers });
      const groups = (await activeGroups(hub, uid)).filter((group) => keys.includes(group.id));
      return readLists(hub, channel, groups);
    },
    present: presentLists,
  }),
];

type Change = (hub: Hub, uid: number, groupId: number, hashes: string[]) => Promise<void>;

async function add(hub: Hub, uid: number, group: number, hashes: string[]): Promise<void> {
  const strangers = await addMembers(hub, uid, group, hashes, { allOrNone: true });
  if (strangers.length > 0) throw missing("Connection");
}

function membersRow(method: "POST" | "DELETE", summary: string, change: Change): Endpoint {
  return endpoint({
    path: "v1/lists/:id/accounts",
    methods: [method],
    access: "channel",
    scope: "write:lists",
    writes: true,
    summary,
    answer: "Nothing",
    example: { id: "3", account_ids: "17" },
    input: z.object({ id: groupId, account_ids: optionalTexts("Ids of the people, at most 1,000.") }),
    async handle(hub, caller, { id: group, account_ids = [] }) {
      await activeGroup(hub, caller.channel.channel_id, group);
      await change(hub, caller.channel.channel_id, group, await hashesOf(hub, caller, account_ids));
      return {};
    },
  });
}

/** All of them, or nobody. */
async function hashesOf(hub: Hub, { channel }: Caller, named: readonly string[]): Promise<string[]> {
  const ids = [...new Set(named)].map((one) => readId(one) ?? 0);
  if (ids.length > mostAtOnce) throw invalid(`At most ${mostAtOnce} people at once`);
  const known = await findPeopleById(hub, channel, ids);
  return ids.map((one) => {
    const person = known.get(one);
    if (!person) throw missing("Identity");
    return person.xchan_hash;
  });
}
