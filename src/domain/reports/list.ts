import type { Selectable } from "kysely";
import { missing } from "../../errors.ts";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { cutPage } from "../../storage/key-page.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import type { ReportTable } from "../../storage/tables/reports.ts";
import { sql } from "kysely";
import { storedJson } from "../../stored-json.ts";
import type { MadeReport } from "./report.ts";

/** What administrators work through; everybody else knows nothing of it. */
export type Report = Omit<Selectable<ReportTable>, "messages"> & {
  /** What it is about and still exists; its words where a member has shown them by reporting it. */
  posts: ReportedPost[];
};

export type ReportedPost = { uuid: string; words: string };

/** Those that wait for somebody, the oldest first, or those that were dealt with, the newest first; `account`: those about its channels. */
export async function listReports(
  hub: Hub,
  state: "open" | "closed",
  { account, from, count }: { account?: number | undefined; from?: number | undefined; count: number },
): Promise<{ reports: Report[]; next: number | undefined }> {
  let all = hub.db
    .selectFrom("report")
    .selectAll()
    .limit(count + 1);
  if (account !== undefined) all = all.where("person_id", "in", peopleOf(hub, account));
  const query =
    state === "open"
      ? all
          .where("closed", "=", sql.lit(zeroDate))
          .orderBy("id")
          .where("id", ">", from ?? 0)
      : all
          .where("closed", ">", sql.lit(zeroDate))
          .orderBy("id", "desc")
          .where("id", "<", from ?? Number.MAX_SAFE_INTEGER);
  const { page, next } = cutPage(await query.execute(), count, (row) => row.id);
  const named = page.map(({ messages, ...row }) => ({ row, ids: storedJson<number[]>(messages) }));
  const posts = await postsById(hub, [...new Set(named.flatMap(({ ids }) => ids))]);
  const reports = named.map(({ row, ids }) => ({
    ...row,
    // Another hub may name what it has never seen.
    posts: ids.flatMap((id) => posts.get(id) ?? []).map((post) => (row.host === "" ? post : { ...post, words: "" })),
  }));
  return { reports, next };
}

/** Reports with these ids, as they were made. */
export async function findReports({ db, engine }: Hub, ids: readonly number[]): Promise<Map<number, MadeReport>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("report")
    .selectAll()
    .where(isOneOf(engine, sql.ref("id"), [...ids]))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ids of the identities of an account's channels. */
function peopleOf({ db }: Hub, account: number) {
  return db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan_hash", "channel_hash")
    .select("xchan_id")
    .where("channel_account_id", "=", account);
}

/** A deleted message stays as a mark without words, and so do its copies. */
async function postsById({ db, engine }: Hub, ids: number[]): Promise<Map<number, ReportedPost>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("message")
    .select(["id", "uuid", "plain"])
    .where(isOneOf(engine, sql.ref("id"), ids))
    .where(({ exists, selectFrom, lit }) =>
      exists(
        selectFrom("item")
          .select(lit(1).as("one"))
          .whereRef("item.message_id", "=", "message.id")
          .where("item_deleted", "=", lit(0)),
      ),
    )
    .execute();
  return new Map(rows.map(({ id, uuid, plain }) => [id, { uuid, words: plain.slice(0, longestExcerpt) }]));
}

const longestExcerpt = 500;

/** How many wait for somebody; more than 100 are not counted. */
export async function countOpenReports({ db }: Hub): Promise<number> {
  const open = db.selectFrom("report").select("id").where("closed", "=", sql.lit(zeroDate)).limit(100);
  const { count } = await db
    .selectFrom(open.as("open"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Somebody has dealt with it; `account` and `note` stay with it. Throws missing for one that does not wait. */
export async function closeReport(hub: Hub, id: number, account: number, note: string): Promise<void> {
  const { numUpdatedRows } = await hub.db
    .updateTable("report")
    .set({ closed: now(hub), closed_by: account, note: note.trim().slice(0, longestNote) })
    .where("id", "=", id)
    .where("closed", "=", sql.lit(zeroDate))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw missing("Report");
}

const longestNote = 1000;
const keptFor = 180 * 24 * 3600 * 1000;

/** Removes what was dealt with 180 days ago; a scheduled job. */
export async function trimReports(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  const old = hub.db
    .selectFrom("report")
    .select("id")
    .where("closed", ">", sql.lit(zeroDate))
    .where("closed", "<", oldest);
  await removeInSteps((most) => hub.db.deleteFrom("report").where("id", "in", old.limit(most)).executeTakeFirst());
}
