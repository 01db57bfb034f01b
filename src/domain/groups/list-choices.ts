import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { getConfigs, removeConfig, setConfig } from "../identity/channels/channel-config.ts";
import { families } from "../identity/channels/channel-settings.ts";
import type { Group } from "./groups.ts";

/**
 * How a group is read as a list (mastodon contract 11.18), kept by the hash of the group among the settings of its channel where it
 * differs from the usual.
 */
export type ListChoices = {
  /** Which answers of members the list shows: to each other, to anybody whom the channel follows, or none. */
  replies: ListReplies;
  /** What its members post stands in the list alone, and not in the home of applications. */
  exclusive: boolean;
};

export const listReplies = ["list", "followed", "none"] as const;
export type ListReplies = (typeof listReplies)[number];

/** What the channel has chosen for its lists: a question for each. */
export async function listChoices(hub: Hub, uid: number): Promise<(group: Pick<Group, "hash">) => ListChoices> {
  const [exclusive, replies] = [
    await getConfigs(hub, uid, families.exclusiveLists),
    await getConfigs(hub, uid, families.listReplies),
  ];
  return ({ hash }) => ({
    exclusive: exclusive.has(hash),
    replies: listReplies.find((one) => one === replies.get(hash)) ?? "list",
  });
}

/** Changes what is named of it. */
export async function chooseForList(
  hub: Hub,
  { uid, hash }: Pick<Group, "uid" | "hash">,
  { exclusive, replies }: { [Name in keyof ListChoices]?: ListChoices[Name] | undefined },
): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (exclusive !== undefined) await keep(hub, uid, families.exclusiveLists, hash, exclusive ? "1" : "");
    if (replies !== undefined) await keep(hub, uid, families.listReplies, hash, replies === "list" ? "" : replies);
  });
}

async function keep(hub: Hub, uid: number, family: string, hash: string, value: string): Promise<void> {
  if (value === "") await removeConfig(hub, uid, family, hash);
  else await setConfig(hub, uid, family, hash, value);
}

/** Members of the lists that have their posts alone, but for the channel itself, which groups may hold: a query for their ids. */
export function exclusiveMembers(uid: RawBuilder<unknown> | number): RawBuilder<number> {
  return sql<number>`select x.xchan_id as id from config c join pgrp g on g.uid = c.uid and g.hash = c.k and g.deleted = 0
    join pgrp_member m on m.gid = g.id join xchan x on x.xchan_hash = m.xchan
    where c.uid = ${uid} and c.cat = ${sql.lit(families.exclusiveLists)}
    and m.xchan <> (select channel_hash from channel where channel_id = ${uid})`;
}
