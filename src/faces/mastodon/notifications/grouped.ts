import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { dropNotices } from "../../../domain/notifications/drop.ts";
import { findTold, pageOfTold } from "../../../domain/items/timelines/told.ts";
import type { Told } from "../../../domain/items/timelines/told.ts";
import { missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { manyAccounts, showAccounts } from "../accounts/account-answers.ts";
import type { GroupedNotifications } from "../entities/notification.ts";
import { optionalTexts, requiredText, text } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks } from "../paging.ts";
import type { Edges } from "../paging.ts";
import { presentAccount } from "../present/account.ts";
import { datetime } from "../present/dates.ts";
import { groupKeyOf, readGroupKey, reportIn, statusOf, typeOf } from "../present/notification.ts";
import type { Notices } from "../present/notification.ts";
import { filterOf, include_filtered, noticeFilter, showNotices } from "./notice-answers.ts";
import { toldWindow } from "./notifications.ts";

/** Notices that belong together, the newest first. */
type Group = { key: string; told: readonly [Told, ...Told[]] };
type GroupPage = { notices: Notices; groups: Group[]; partial: boolean; edges?: Edges | undefined };

/** So many notices are looked at for a page, or for one group. */
const mostLookedAt = 400;
const mostSamples = 8;

const groupKey = z.object({ group_key: requiredText("Key of the group.") });

/** Mastodon contract 12.7, in groups; `v2_alpha` is what they were called first. */
export const groupedRows = [
  endpoint({
    path: "v2/notifications",
    aliases: ["v2_alpha/notifications"],
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "What the caller is told, alike notices together.",
    input: z.object({
      ...pageInput(40),
      ...noticeFilter,
      include_filtered,
      grouped_types: optionalTexts("Only these types are grouped."),
      expand_accounts: text("`full`, or `partial_avatars` for those of whom only pictures are shown."),
    }),
    async handle(hub, caller, input): Promise<GroupPage> {
      const { min_id: minId, limit: count } = input;
      const read = await pageOfTold(
        hub,
        caller.channel,
        { ...toldWindow(input), count: mostLookedAt },
        { ...filterOf(input), filtered: input.include_filtered },
      );
      const groups = groupsOf(read, input.grouped_types);
      const page = minId === undefined ? groups.slice(0, count) : groups.slice(-count);
      const notices = await showNotices(
        hub,
        caller,
        page.flatMap(({ told }) => told),
      );
      const edges = edgesOf(edgeIds(page), page.length < groups.length || read.length >= mostLookedAt);
      return {
        ...shownGroups(notices, input.grouped_types),
        partial: input.expand_accounts === "partial_avatars",
        edges,
      };
    },
    ...groupsAnswer(),
  }),
  endpoint({
    path: "v2/notifications/:group_key",
    aliases: ["v2_alpha/notifications/:group_key"],
    methods: ["GET"],
    access: "channel",
    scope: "read:notifications",
    summary: "One group of notices.",
    example: { group_key: "ungrouped-17" },
    input: groupKey,
    handle: async (hub, caller, input): Promise<GroupPage> => ({
      ...shownGroups(await namedGroup(hub, caller, input.group_key)),
      partial: false,
    }),
    ...groupsAnswer(),
  }),
  endpoint({
    path: "v2/notifications/:group_key/dismiss",
    aliases: ["v2_alpha/notifications/:group_key/dismiss"],
    methods: ["POST"],
    access: "channel",
    scope: "write:notifications",
    writes: true,
    summary: "Removes the notices of a group; harmless where there are none.",
    answer: "Nothing",
    example: { group_key: "ungrouped-17" },
    input: groupKey,
    async handle(hub, { channel }, input) {
      const told = await toldOfKey(hub, { channel }, input.group_key);
      await dropNotices(
        hub,
        channel.channel_id,
        told.map(({ id }) => id),
      );
    },
    present: () => ({}),
  }),
  endpoint({
    path: "v2/notifications/:group_key/accounts",
    aliases: ["v2_alpha/notifications/:group_key/accounts"],
    methods: ["GET"],
    access: "channel",
    scope: ["read:notifications", "write:notifications"],
    summary: "The people of a group of notices.",
    example: { group_key: "ungrouped-17" },
    input: groupKey,
    async handle(hub, caller, input) {
      const { told } = await namedGroup(hub, caller, input.group_key);
      return showAccounts(hub, caller, [...new Set(told.map(({ actor }) => actor))]);
    },
    ...manyAccounts,
  }),
];

function groupsAnswer(): Pick<Endpoint, "answer"> & {
  present(page: GroupPage): z.infer<typeof GroupedNotifications>;
  headers(page: GroupPage, exchange: Exchange): Record<string, string>;
} {
  return {
    answer: "GroupedNotifications",
    present: presentGroups,
    headers: ({ edges }, exchange) => pageLinks(edges, exchange),
  };
}

/** The notices of one group, as the caller sees them. Throws missing. */
async function namedGroup(hub: Hub, caller: Caller, key: string): Promise<Notices> {
  const notices = await showNotices(hub, caller, await toldOfKey(hub, caller, key));
  if (notices.told.length === 0) throw missing("Notice");
  return notices;
}

async function toldOfKey(hub: Hub, { channel }: Pick<Caller, "channel">, key: string): Promise<Told[]> {
  const named = readGroupKey(key);
  if (!named) return [];
  if ("id" in named) {
    const told = await findTold(hub, channel, named.id, { filtered: true });
    return told ? [told] : [];
  }
  const { subject, item, between } = named;
  return pageOfTold(hub, channel, { count: mostLookedAt }, { subjects: [subject], item, between });
}

/** In the order of their newest notices. */
function groupsOf(all: readonly Told[], types?: readonly string[]): Group[] {
  const groups = new Map<string, [Told, ...Told[]]>();
  for (const told of all) {
    const isGrouped = types === undefined || types.includes(typeOf[told.subject]);
    const key = isGrouped ? groupKeyOf(told, told.item > 0 ? { id: told.item } : undefined) : `ungrouped-${told.id}`;
    const known = groups.get(key);
    if (known) known.push(told);
    else groups.set(key, [told]);
  }
  return [...groups].map(([key, told]) => ({ key, told }));
}

/** The groups of what is shown. */
function shownGroups(notices: Notices, types?: readonly string[]): Pick<GroupPage, "notices" | "groups"> {
  return { notices, groups: groupsOf(notices.told, types) };
}

/** The newest id of a page and the oldest. */
function edgeIds(groups: readonly Group[]): number[] {
  const ids = groups.flatMap(({ told }) => told.map(({ id }) => id));
  return ids.length === 0 ? [] : [Math.max(...ids), Math.min(...ids)];
}

function presentGroups({ notices, groups, partial }: GroupPage): z.infer<typeof GroupedNotifications> {
  const people = new Map(groups.flatMap((group) => samplesOf(group).map((id, at) => [id, at])));
  for (const group of groups) people.set(samplesOf(group)[0]!, 0);
  const shown = [...people.keys()].map((id) => ({ id, account: presentAccount(notices.actors, id) }));
  const isPartial = (id: number): boolean => partial && people.get(id) !== 0;
  const statuses = groups.flatMap(({ told: [newest] }) => statusOf(notices, newest) ?? []);
  return {
    accounts: shown.filter(({ id }) => !isPartial(id)).map(({ account }) => account),
    ...(partial && {
      partial_accounts: shown
        .filter(({ id }) => isPartial(id))
        .map(({ account: { id, acct, url, avatar, avatar_static, avatar_description, locked, bot } }) => ({
          id,
          acct,
          url,
          avatar,
          avatar_static,
          avatar_description,
          locked,
          bot,
        })),
    }),
    statuses: [...new Map(statuses.map((status) => [status.id, status])).values()],
    notification_groups: groups.map((group) => presentGroup(notices, group)),
  };
}

function samplesOf({ told }: Group): number[] {
  return [...new Set(told.map(({ actor }) => actor))].slice(0, mostSamples);
}

function presentGroup(
  notices: Notices,
  group: Group,
): z.infer<typeof GroupedNotifications>["notification_groups"][number] {
  const [newest] = group.told;
  const status = statusOf(notices, newest);
  return {
    group_key: group.key,
    notifications_count: group.told.length,
    type: typeOf[newest.subject],
    most_recent_notification_id: newest.id,
    page_min_id: String(group.told.at(-1)!.id),
    page_max_id: String(newest.id),
    latest_page_notification_at: datetime(newest.created),
    sample_account_ids: samplesOf(group).map(String),
    ...(status && { status_id: status.id }),
    ...reportIn(notices, newest),
  };
}
