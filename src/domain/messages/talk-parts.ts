import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lastOfThreads } from "../items/timelines/direct-threads.ts";
import { findXchansByHash } from "../identity/xchans/xchans.ts";
import { newestOf, takingPartIn } from "./conversations.ts";
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
  const guids = conversations.map(({ guid }) => guid);
  const [newest, taking] = await Promise.all([
    newestOf(hub, channel.channel_id, conversations),
    takingPartIn(hub, channel, guids),
  ]);
  const people = await findXchansByHash(hub, [...new Set([...taking.values()].flat())]);
  const idOf = new Map(people.map(({ xchan_hash, xchan_id }) => [xchan_hash, xchan_id]));
  return new Map(
    conversations.flatMap(({ id, guid }) => {
      const found = newest.get(guid);
      if (!found) return [];
      const others = withoutSelf(
        channel,
        (taking.get(guid) ?? []).flatMap((hash) => idOf.get(hash) ?? []),
      );
      return [[id, { unseen: found.unseen > 0, people: others, last: { mail: found.mail } }] as const];
    }),
  );
}
