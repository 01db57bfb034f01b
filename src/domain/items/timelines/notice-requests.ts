import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import type { ToldWindow } from "./told.ts";

/** The notices that a policy keeps apart, by the people who did it: a request waits of each of them (mastodon contract 11.16). */

/** `id` is that of the oldest notice, `newest` that of the newest; `created` and `updated` are their dates. */
export type NoticeRequest = {
  id: number;
  actor: number;
  count: number;
  created: string;
  updated: string;
  newest: number;
};

/** The requests of a channel, the newest first; none of people whom it has blocked, or ignores. */
export async function listRequests(hub: Hub, uid: number, window: ToldWindow): Promise<NoticeRequest[]> {
  const up = window.minId !== undefined;
  const above = window.minId ?? window.sinceId;
  const id = sql<number>`min(id)`;
  let page = requestsOf(hub, uid);
  if (above !== undefined) page = page.having(id, ">", above);
  if (window.maxId !== undefined) page = page.having(id, "<", window.maxId);
  const rows = await page
    .orderBy(id, up ? "asc" : "desc")
    .limit(window.count)
    .execute();
  return (up ? rows.toReversed() : rows).map(read);
}

/** One of them, by the id of any of its notices. Throws missing. */
export async function findRequest(hub: Hub, uid: number, id: number): Promise<NoticeRequest> {
  const row = await requestsOf(hub, uid)
    .where("actor_id", "in", hub.db.selectFrom("notify").select("actor_id").where("id", "=", id).where(isFiltered(uid)))
    .executeTakeFirst();
  if (!row) throw missing("Notice");
  return read(row);
}

/** How many people wait, and how many notices of theirs. */
export async function countFiltered(hub: Hub, uid: number): Promise<{ people: number; notices: number }> {
  const { people, notices } = await hub.db
    .selectFrom("notify")
    .select((eb) => [eb.fn.count("actor_id").distinct().as("people"), eb.fn.countAll().as("notices")])
    .where(isFiltered(uid))
    .executeTakeFirstOrThrow();
  return { people: Number(people), notices: Number(notices) };
}

function requestsOf(hub: Hub, uid: number) {
  return hub.db
    .selectFrom("notify")
    .select((eb) => [
      "actor_id as actor",
      eb.fn.countAll().as("count"),
      eb.fn.min("id").as("id"),
      eb.fn.max("id").as("newest"),
      eb.fn.min("created").as("created"),
      eb.fn.max("created").as("updated"),
    ])
    .where(isFiltered(uid))
    .groupBy("actor_id");
}

function isFiltered(uid: number) {
  return sql<SqlBool>`uid = ${uid} and filtered = 1 and actor_id not in (${unwantedBy(uid)})`;
}

type Row = { [Name in keyof NoticeRequest]: NoticeRequest[Name] extends string ? string : number | string | bigint };

function read({ id, actor, count, newest, ...dates }: Row): NoticeRequest {
  return { id: Number(id), actor: Number(actor), count: Number(count), newest: Number(newest), ...dates };
}
