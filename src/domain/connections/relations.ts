import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";

/** What connects the channel with somebody, seen from the channel. */
export type Relation = {
  following: boolean;
  followedBy: boolean;
  /** A request of the channel that is not answered, and one to it. */
  requested: boolean;
  received: boolean;
  blocking: boolean;
  ignoring: boolean;
  /** When that ends by itself, in the stored form; undefined where it does not. */
  ignoringEnds: string | undefined;
};

/** Nothing does. */
export const noRelation: Relation = {
  following: false,
  followedBy: false,
  requested: false,
  received: false,
  blocking: false,
  ignoring: false,
  ignoringEnds: undefined,
};

/** What connects the channel with these people, by xchan_id, in one query; strangers are left out. */
export async function relationsWith(hub: Hub, uid: number, ids: readonly number[]): Promise<Map<number, Relation>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("abook")
    // An expression, so that SQLite begins with the people who are asked for, not with all connections.
    .innerJoin("xchan", (join) => join.on("abook_xchan", "=", sql<string>`xchan_hash || ''`))
    .select([
      "xchan_id",
      "abook_blocked",
      "abook_ignored",
      "mute_ends",
      "abook_archived",
      "abook_pending",
      "follow_out",
      "follow_in",
    ])
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0)
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), ids))
    .execute();
  return new Map(
    rows.map((row) => {
      const open = row.abook_blocked === 0 && row.abook_archived === 0;
      const approved = open && row.abook_pending === 0;
      const relation = {
        following: approved && row.follow_out === "accepted",
        followedBy: approved && row.follow_in === "accepted",
        requested: approved && row.follow_out === "requested",
        received: open && row.abook_pending === 1,
        blocking: row.abook_blocked === 1,
        ignoring: row.abook_ignored === 1,
        ignoringEnds: row.abook_ignored === 0 || row.mute_ends === zeroDate ? undefined : row.mute_ends,
      };
      return [row.xchan_id, relation];
    }),
  );
}
