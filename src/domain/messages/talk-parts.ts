import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lastOfThreads } from "../items/timelines/direct-threads.ts";
import { newestOf, partnerOf } from "./conversations.ts";
import { peopleOf } from "./list.ts";
import type { Talk } from "./types.ts";

type Own = Pick<Channel, "channel_id" | "channel_hash" | "xchan_id">;

/** What a talk shows besides where it stands. */
export type Found = Pick<Talk, "unseen" | "people" | "last">;

/** What is shown of the channel's direct threads with these tops. */
export async function partsOfThreads(hub: Hub, channel: Own, tops: readonly number[]): Promise<Map<number, Found>> {
  const found = await lastOfThreads(hub, channel, tops);
  return new Map(
    [...found].map(([top, { item, unseen, people }]) => [
      top,
      { unseen, people: withoutSelf(channel, people), last: { item } },
    ]),
  );
}

function withoutSelf({ xchan_id: me }: Own, people: readonly number[]): number[] {
  const others = [...new Set(people)].filter((id) => id !== me);
  return others.length > 0 ? others : [me];
}

/** The same of conversations by message, by their ids. */
export async function partsOfMails(hub: Hub, channel: Own, ids: readonly number[]): Promise<Map<number, Found>> {
  if (ids.length === 0) return new Map();
  const conversations = await hub.db
    .selectFrom("conv")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
  const newest = await newestOf(hub, channel.channel_id, conversations);
  const people = await peopleOf(
    hub,
    [...newest.values()].map(({ mail }) => mail),
  );
  return new Map(
    conversations.flatMap(({ id, guid }) => {
      const found = newest.get(guid);
      if (!found) return [];
      const partner = people.get(partnerOf(channel, found.mail));
      const others = withoutSelf(channel, partner ? [partner.xchan_id] : []);
      return [[id, { unseen: found.unseen > 0, people: others, last: { mail: found.mail } }] as const];
    }),
  );
}
