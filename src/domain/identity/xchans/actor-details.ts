import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import { comparableId } from "./foreign-ids.ts";
import type { ActorField, ForeignActor } from "./foreign-actor.ts";
import { storedJson } from "../../../stored-json.ts";

/** What an actor claims to have; undefined where nobody knows. */
export type ClaimedCounts = Record<"followers" | "following" | "posts", number | undefined>;

/** What is shown of somebody of elsewhere besides their identity. */
export type ActorDetails = {
  actor_id: string;
  host: string;
  fields: ForeignActor["fields"];
  counts: ClaimedCounts;
  /** When their document was read, and when these numbers were. */
  fetched: string;
  counted: string;
  /** The id that they have moved to, and their identity, if it has been met. */
  moved: { to: string; xchan_id: number | undefined } | undefined;
  gone: boolean;
  /** The id of the person to whom it says that it belongs; empty where it does not. */
  belongsTo: string;
};

/** Details of the actor with this identity; undefined for whom the hub has not met. */
export async function actorDetails(hub: Hub, xchanId: number): Promise<ActorDetails | undefined> {
  const row = await hub.db
    .selectFrom("actor")
    .select(["actor_id", "host", "fields", "followers_count", "following_count", "posts_count"])
    .select(["fetched", "counted", "moved_to", "gone", "attributed_to"])
    .where("xchan_id", "=", xchanId)
    .executeTakeFirst();
  return (
    row && {
      actor_id: row.actor_id,
      host: row.host,
      fields: row.fields === "" ? [] : storedJson<ForeignActor["fields"]>(row.fields),
      counts: {
        followers: row.followers_count ?? undefined,
        following: row.following_count ?? undefined,
        posts: row.posts_count ?? undefined,
      },
      fetched: row.fetched,
      counted: row.counted,
      moved: row.moved_to === "" ? undefined : { to: row.moved_to, xchan_id: await identityOf(hub, row.moved_to) },
      gone: row.gone !== zeroDate,
      belongsTo: row.attributed_to,
    }
  );
}

async function identityOf(hub: Hub, id: string): Promise<number | undefined> {
  const row = hub.db.selectFrom("actor").select("xchan_id").where("compared", "=", comparableId(id));
  return (await row.executeTakeFirst())?.xchan_id;
}

/** Where an actor lists whom it has; what it does not name is empty. */
export async function listsOf(
  hub: Hub,
  id: string,
): Promise<Record<"followers" | "following" | "outbox", string> | undefined> {
  const actor = hub.db.selectFrom("actor").select(["followers", "following", "outbox"]);
  return actor.where("compared", "=", comparableId(id)).executeTakeFirst();
}

/** The most that an actor can claim. */
const mostCounted = 2 ** 31 - 1;

/** Takes down what an actor claims to have. */
export async function recordCounts(hub: Hub, id: string, counts: ClaimedCounts): Promise<void> {
  const counted = (count: number | undefined): number | null =>
    count === undefined || !(count >= 0) ? null : Math.min(Math.trunc(count), mostCounted);
  await hub.db
    .updateTable("actor")
    .set({
      followers_count: counted(counts.followers),
      following_count: counted(counts.following),
      posts_count: counted(counts.posts),
      counted: now(hub),
    })
    .where("compared", "=", comparableId(id))
    .execute();
}

/** What an actor says of itself, under which page and id; `stored` is how it is kept. */
export type Said = { actor: string; url: string; fields: readonly ActorField[]; stored: string };

/** Undefined for one that says nothing. */
export async function saidOf(hub: Hub, id: string): Promise<Said | undefined> {
  const row = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["actor_id", "xchan_url", "fields"])
    .where("compared", "=", comparableId(id))
    .where("fields", "<>", "")
    .executeTakeFirst();
  if (!row) return undefined;
  const { actor_id: actor, xchan_url: url, fields: stored } = row;
  return { actor, url, fields: storedJson<ActorField[]>(stored), stored };
}

/** Takes down what was found out about what an actor says, unless it says something else by now. */
export async function recordMarks(hub: Hub, { actor, stored }: Said, fields: readonly ActorField[]): Promise<void> {
  await hub.db
    .updateTable("actor")
    .set({ fields: JSON.stringify(fields) })
    .where("compared", "=", comparableId(actor))
    .where("fields", "=", stored)
    .execute();
}
