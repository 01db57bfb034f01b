import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { channelSettings, isLimitOf } from "../identity/channels/channel-settings.ts";
import { connectionsOf } from "../connections/connections.ts";
import { postingLimitsIn, postingLimitKeys } from "./posting-limits.ts";
import type { PostingLimits } from "./posting-limits.ts";

const { keepsLists, refusesRepeats } = channelSettings;

/** What shapes new items. */
export type PostSettings = {
  view_stream: number;
  post_comments: number;
  keepsLists: boolean;
  /** The author wants no text twice within two minutes. */
  refusesRepeats: boolean;
  /** How many posts the site lets a channel begin. */
  posts: PostingLimits;
  /** Is anybody connected with the channel? */
  connected: boolean;
  /** Does the hub know people of elsewhere, or do any of them even follow the channel? */
  elsewhere: "unknown" | "known" | "following";
};

const noText = sql<string>`''`;

/** Most hubs know nobody, and are told so without a look at the connections of the channel. */
export const somebodyElsewhere = sql<SqlBool>`exists (select 1 from actor where id > 0)`;

function followedElsewhere(uid: RawBuilder<number>): RawBuilder<string> {
  return sql<string>`case when exists (select 1 from abook f join xchan fx on fx.xchan_hash = f.abook_xchan
    join actor fa on fa.xchan_id = fx.xchan_id where f.abook_channel = ${uid} and f.follow_in = 'accepted')
    then 'following' else 'known' end`;
}

/**
 * Reads them in one query; a limit that is not set counts as 0. On another's wall the limits are that channel's; what
 * the author wants of its own posts stays the author's.
 */
export async function postSettingsOf(hub: Hub, uid: number, author = uid): Promise<PostSettings> {
  const rows = await compiled(hub, "limits of new items", { uid, author }, (slots) =>
    hub.db
      .selectFrom("config")
      .select(["k", "v"])
      .where((x) =>
        x.or([
          x.and([x("uid", "=", slots.uid), isLimitOf("config", "view_stream")]),
          x.and([x("uid", "=", slots.uid), isLimitOf("config", "post_comments")]),
          x.and([x("uid", "=", slots.uid), x("cat", "=", keepsLists.cat), x("k", "=", keepsLists.k)]),
          x.and([x("uid", "=", slots.author), x("cat", "=", refusesRepeats.cat), x("k", "=", refusesRepeats.k)]),
        ]),
      )
      .unionAll(hub.db.selectFrom("setting").select(["k", "v"]).where("k", "in", postingLimitKeys))
      .unionAll(
        hub.db.selectNoFrom([noText.as("k"), noText.as("v")]).where((x) => x.exists(connectionsOf(hub, slots.uid))),
      )
      .unionAll(
        hub.db
          .selectNoFrom([sql<string>`'elsewhere'`.as("k"), followedElsewhere(slots.uid).as("v")])
          .where(somebodyElsewhere),
      ),
  );
  const values = new Map(rows.map((row) => [row.k, row.v]));
  return {
    view_stream: Number(values.get("view_stream") ?? 0),
    post_comments: Number(values.get("post_comments") ?? 0),
    keepsLists: keepsLists.read(values.get(keepsLists.k)),
    refusesRepeats: refusesRepeats.read(values.get(refusesRepeats.k)),
    posts: postingLimitsIn(values),
    connected: values.has(""),
    elsewhere: (values.get("elsewhere") as PostSettings["elsewhere"] | undefined) ?? "unknown",
  };
}
