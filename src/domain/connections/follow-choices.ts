import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { isOneOf } from "../../storage/sql.ts";
import { setAbconfig } from "./abconfig.ts";
import type { Connection } from "./types.ts";

/**
 * What a channel wants of those whom it follows (mastodon contract 11.17), kept where it differs from the usual among what the
 * channel keeps about its connections, which goes along into exports.
 */
export type FollowChoices = {
  /** Their shares come into the home of applications. */
  shares: boolean;
  /** What they post is told in a notice. */
  tells: boolean;
  /** Only what they write in one of these languages comes into that home; all of it without any. */
  languages: readonly string[];
};

/** Some of it; the rest stays. */
export type SomeChoices = { [Name in keyof FollowChoices]?: FollowChoices[Name] | undefined };

export const usualChoices: FollowChoices = { shares: true, tells: false, languages: [] };

const family = "mastodon";
const keys = { shares: "reblogs", tells: "notify", languages: "languages" } as const;

/** Changes what is named of it, of somebody to whom the channel has a connection. Part of a transaction. */
export async function chooseOf(
  hub: Hub,
  channel: Channel,
  { abook_id }: Pick<Connection, "abook_id">,
  { shares, tells, languages }: SomeChoices,
): Promise<void> {
  const values: [string, string][] = [];
  if (shares !== undefined) values.push([keys.shares, shares ? "" : "0"]);
  if (tells !== undefined) values.push([keys.tells, tells ? "1" : ""]);
  if (languages !== undefined) values.push([keys.languages, [...new Set(languages)].join(" ")]);
  for (const [k, v] of values) await setAbconfig(hub, channel, abook_id, { cat: family, k, v });
}

/** What the channel has chosen of these people, by xchan_id, in one query; those of whom it wants the usual are left out. */
export async function choicesOf(hub: Hub, uid: number, ids: readonly number[]): Promise<Map<number, FollowChoices>> {
  if (ids.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("abconfig", "abconfig.xchan", "xchan_hash")
    .select(["xchan_id", "k", "v"])
    .where("chan", "=", uid)
    .where("cat", "=", family)
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), ids))
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.xchan_id)].map(([id, some]) => {
      const said = new Map(some.map(({ k, v }) => [k, v]));
      const languages = (said.get(keys.languages) ?? "").split(" ").filter((word) => word !== "");
      return [id, { shares: said.get(keys.shares) !== "0", tells: said.get(keys.tells) === "1", languages }];
    }),
  );
}

type Id = RawBuilder<unknown> | number;

/** Those of whose shares the channel wants none in its home: a query for their ids. */
export function withoutShares(uid: Id): RawBuilder<number> {
  return sql<number>`select x.xchan_id as id from abconfig c join xchan x on x.xchan_hash = c.xchan
    where c.chan = ${uid} and c.cat = ${sql.lit(family)} and c.k = ${sql.lit(keys.shares)} and c.v = '0'`;
}

/** Those of whom the channel wants some languages alone: a query for their ids, with the languages (`words`) between spaces. */
export function withLanguages(uid: Id): RawBuilder<unknown> {
  return sql`select x.xchan_id as id, ' ' || c.v || ' ' as words from abconfig c join xchan x on x.xchan_hash = c.xchan
    where c.chan = ${uid} and c.cat = ${sql.lit(family)} and c.k = ${sql.lit(keys.languages)}`;
}

/** Does the channel receive this person's posts? */
export function isFollowedBy(uid: Id, person: Id): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from xchan fx join abook f on f.abook_xchan = fx.xchan_hash and f.abook_channel = ${uid}
    where fx.xchan_id = ${person} and f.follow_out = 'accepted' and f.abook_blocked = 0 and f.abook_archived = 0
    and f.abook_pending = 0 limit 1 offset 0)`;
}

/** Does the channel want to be told of what this person posts? */
export function tellsPosts(uid: Id, person: Id): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from xchan tx join abconfig c on c.chan = ${uid} and c.xchan = tx.xchan_hash
    and c.cat = ${sql.lit(family)} and c.k = ${sql.lit(keys.tells)} and c.v = '1' where tx.xchan_id = ${person})`;
}

/** Is there anybody who wants that of this person? */
export async function hasPostListeners(hub: Hub, person: number): Promise<boolean> {
  const row = await hub.db
    .selectFrom("abconfig")
    .select("id")
    .where("xchan", "=", (x) => x.selectFrom("xchan").select("xchan_hash").where("xchan_id", "=", person))
    .where("cat", "=", sql.lit(family))
    .where("k", "=", keys.tells)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row !== undefined;
}
