import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { oneStep } from "../../../storage/in-steps.ts";
import { isOneOf, zeroDate } from "../../../storage/sql.ts";
import { comparableId, isSameId } from "./foreign-ids.ts";
import { storedJson } from "../../../stored-json.ts";
import type { Xchan } from "./xchans.ts";

/** Somebody of elsewhere who can be sent something. */
export type Addressee = {
  xchan_id: number;
  actor: string;
  address: string;
  host: string;
  inbox: string;
  shared_inbox: string;
};

/** Where somebody is reached; undefined for those who have not been met, or are gone. */
export async function findAddressee(hub: Hub, hash: string): Promise<Addressee | undefined> {
  return hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["actor.xchan_id", "actor_id as actor", "xchan_addr as address", "host", "inbox", "shared_inbox"])
    .where("xchan_hash", "=", hash)
    .where("gone", "=", zeroDate)
    .executeTakeFirst();
}

/** An inbox for each hub that the hub knows somebody of, and those of everybody where a hub has none for all. */
export async function inboxesOfAll(hub: Hub): Promise<{ inbox: string; shared: boolean }[]> {
  const rows = await hub.db
    .selectFrom("actor")
    .select(["inbox", "shared_inbox"])
    .distinct()
    .where("gone", "=", zeroDate)
    .where((eb) =>
      eb.or([
        eb("shared_inbox", "<>", ""),
        eb.not(
          eb.exists(
            eb
              .selectFrom("actor as other")
              .select("other.id")
              .whereRef("other.host", "=", "actor.host")
              .where("other.shared_inbox", "<>", ""),
          ),
        ),
      ]),
    )
    .execute();
  const shared = new Set(rows.flatMap((row) => (row.shared_inbox === "" ? [] : [row.shared_inbox])));
  const own = rows.flatMap((row) => (row.shared_inbox === "" ? [row.inbox] : []));
  return [...[...shared].map((inbox) => ({ inbox, shared: true })), ...own.map((inbox) => ({ inbox, shared: false }))];
}

/** Does somebody of elsewhere say, in their own document, that this id is theirs as well? */
export async function isAlsoKnownAs(hub: Hub, xchanId: number, id: string): Promise<boolean> {
  const rows = await hub.db.selectFrom("actor").select("also_known_as").where("xchan_id", "=", xchanId).execute();
  const ids = rows.flatMap((row) => storedJson<string[]>(row.also_known_as || "[]"));
  return ids.some((one) => isSameId(one, id));
}

/** Does one key stand behind both, as it has said in the document of each (FEP-c390)? */
export async function haveKeyInCommon(hub: Hub, xchanId: number, other: number): Promise<boolean> {
  const rows = await hub.db.selectFrom("actor").select("subjects").where("xchan_id", "in", [xchanId, other]).execute();
  const [some = [], others = []] = rows.map(({ subjects }) => subjects.split(" ").filter((one) => one !== ""));
  return some.some((subject) => others.includes(subject));
}

/** Where the document of somebody elsewhere says that their posts are listed; empty where it does not. */
export async function outboxOf(hub: Hub, xchanId: number): Promise<string> {
  const row = await hub.db.selectFrom("actor").select("outbox").where("xchan_id", "=", xchanId).executeTakeFirst();
  return row?.outbox ?? "";
}

/** Where the document of somebody elsewhere, by its id, says that what they have pinned is listed; empty where it does not. */
export async function featuredAddressOf(hub: Hub, id: string): Promise<string> {
  const row = await hub.db
    .selectFrom("actor")
    .select("featured")
    .where("compared", "=", comparableId(id))
    .executeTakeFirst();
  return row?.featured ?? "";
}

/** The first group of elsewhere among these ids that has been met. */
export async function findGroup(hub: Hub, ids: readonly string[]): Promise<Xchan | undefined> {
  const [group] = await compiled(hub, "groups by ids", { ids: ids.map(comparableId) }, (slots) =>
    hub.db
      .selectFrom("actor")
      .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
      .selectAll("xchan")
      .where(isOneOf(hub.engine, sql.ref("actor.compared"), slots.ids, "text"))
      .where("actor.gone", "=", zeroDate)
      .where("xchan_pubforum", "=", sql.lit(1))
      .orderBy("actor.id"),
  );
  return group;
}

/** Is it somebody of elsewhere who has been met, and so can be reached? */
export async function isActor(hub: Hub, hash: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select("actor.id")
    .where("xchan_hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Somebody of elsewhere who has been met, by an id in any spelling: since when that is known, and whether they are gone. */
export async function findMet(
  hub: Hub,
  id: string,
): Promise<{ xchan_id: number; actor_id: string; fetched: string; gone: boolean } | undefined> {
  const [row] = await compiled(hub, "actor by id", { compared: comparableId(id) }, (slots) =>
    hub.db
      .selectFrom("actor")
      .select(["xchan_id", "actor_id", "fetched", "gone"])
      .where("compared", "=", slots.compared),
  );
  return row && { ...row, gone: row.gone !== zeroDate };
}

/** They are mere names again: nobody knows where they are reached, nor their keys. Part of a transaction. */
export async function forgetActors(hub: Hub, some: readonly { id: number; actor_id: string }[]): Promise<void> {
  const owners = some.map(({ actor_id }) => actor_id);
  await hub.db
    .deleteFrom("actor_key")
    .where(isOneOf(hub.engine, sql.ref("owner"), owners, "text"))
    .execute();
  const ids = some.map(({ id }) => id);
  await hub.db
    .deleteFrom("actor")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .execute();
}

const joiningPause = 7 * 24 * 3600 * 1000;

/**
 * May those who read somebody else be taken to this person now? Answers so once in seven days for somebody elsewhere, and always
 * for those of this hub. Part of a transaction.
 */
export async function claimJoining(hub: Hub, xchanId: number): Promise<boolean> {
  const known = await hub.db.selectFrom("actor").select("id").where("xchan_id", "=", xchanId).executeTakeFirst();
  if (!known) return true;
  const { numUpdatedRows } = await hub.db
    .updateTable("actor")
    .set({ joined: now(hub) })
    .where("xchan_id", "=", xchanId)
    .where("joined", "<", momentIn(hub, -joiningPause))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const comparingPause = 24 * 3600 * 1000;

/** May the followers that somebody of elsewhere has here be compared now? Answers so once a day. */
export async function claimComparison(hub: Hub, xchanId: number): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("actor")
    .set({ followers_compared: now(hub) })
    .where("xchan_id", "=", xchanId)
    .where("followers_compared", "<=", momentIn(hub, -comparingPause))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Somebody of elsewhere is gone: the identity is deleted for everybody, until their document is read again. Answers whether they
 * were known. Part of a transaction.
 */
export async function recordGone(hub: Hub, hash: string, gone = now(hub)): Promise<boolean> {
  if (!(await isActor(hub, hash))) return false;
  await hub.db.updateTable("actor").set({ gone }).where("compared", "=", comparableId(hash)).execute();
  await hub.db.updateTable("xchan").set({ xchan_deleted: 1 }).where("xchan_hash", "=", hash).execute();
  await hub.db.updateTable("hubloc").set({ hubloc_deleted: 1 }).where("hubloc_hash", "=", hash).execute();
  return true;
}

/** So long nobody could read the document of somebody who is an orphan, in milliseconds. */
const orphanAfter = 30 * 24 * 3600 * 1000;

/** The document of somebody elsewhere, by their id, cannot be had; after 30 days they count as an orphan until it can. */
export async function recordUnreachable(hub: Hub, id: string): Promise<void> {
  const met = await findMet(hub, id);
  if (!met || met.fetched > momentIn(hub, -orphanAfter)) return;
  await hub.db.updateTable("xchan").set({ xchan_orphan: 1 }).where("xchan_id", "=", met.xchan_id).execute();
}

/** Somebody of a hub that the site limits is met. Part of a transaction. */
export async function limitActor(hub: Hub, xchanId: number): Promise<void> {
  await hub.db.updateTable("xchan").set({ xchan_censored: 1 }).where("xchan_id", "=", xchanId).execute();
}

/** How the site shows people of elsewhere: as others, not in public, or as if they were gone. */
export type ActorMark = "shown" | "limited" | "suspended";

/**
 * Marks the people of these hosts, some of them at a time, and answers whom it has changed, and whether there may be more.
 * Part of a transaction.
 */
export async function markActors(
  hub: Hub,
  hosts: readonly string[],
  mark: ActorMark,
): Promise<{ marked: number[]; more: boolean }> {
  const censored = mark === "shown" ? 0 : 1;
  const deleted = mark === "suspended" ? sql<number>`1` : sql<number>`case when gone = ${zeroDate} then 0 else 1 end`;
  const wrong = await hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select(["xchan.xchan_id", deleted.as("deleted")])
    .where(isOneOf(hub.engine, sql.ref("actor.host"), hosts))
    .where(sql<SqlBool>`(xchan_censored <> ${censored} or xchan_deleted <> ${deleted})`)
    .limit(oneStep)
    .execute();
  for (const gone of [0, 1]) {
    const some = wrong.filter((row) => row.deleted === gone).map((row) => row.xchan_id);
    await hub.db
      .updateTable("xchan")
      .set({ xchan_censored: censored, xchan_deleted: gone })
      .where(isOneOf(hub.engine, sql.ref("xchan_id"), some))
      .execute();
  }
  return { marked: wrong.map((row) => row.xchan_id), more: wrong.length === oneStep };
}

/** Nobody is reached by this inbox of all any more, but by the other one where there is one. Part of a transaction. */
export async function leaveSharedInbox(hub: Hub, inbox: string, other = ""): Promise<void> {
  await hub.db
    .updateTable("actor")
    .set({ shared_inbox: other })
    .where("host", "=", new URL(inbox).host)
    .where("shared_inbox", "=", inbox)
    .execute();
}

/** The address under which somebody of elsewhere means all who follow them; empty where there is none. */
export async function followersAddressOf(hub: Hub, xchanId: number): Promise<string> {
  const [row] = await compiled(hub, "followers address", { xchanId }, (slots) =>
    hub.db.selectFrom("actor").select("followers").where("xchan_id", "=", slots.xchanId),
  );
  return row?.followers ?? "";
}

/** Somebody of elsewhere has posted something for all at this moment. The day alone is kept, so that it is written once a day. */
export async function recordLastPost(hub: Hub, xchanId: number, moment: string): Promise<void> {
  await compiled(hub, "last post elsewhere", { xchanId, day: moment.slice(0, 10) }, (slots) =>
    hub.db
      .updateTable("actor")
      .set({ last_post: slots.day })
      .where("xchan_id", "=", slots.xchanId)
      .where("last_post", "<", slots.day),
  );
}
