import { sql } from "kysely";
import type { Selectable } from "kysely";
import { momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { cutPage } from "../../storage/key-page.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { ModerationTable } from "../../storage/tables/reports.ts";

/** What those who run the hub did about people: by which account, about whom, why. */

/** What can be done about an account. */
export const accountMeasures = [
  "approve",
  "refuse",
  "warn",
  "limit",
  "unlimit",
  "block",
  "unblock",
  "password",
  "log-out",
  "promote",
  "demote",
  "remove",
  "note",
] as const;
export type AccountMeasure = (typeof accountMeasures)[number];

/** The same, and to delete the posts of a report. */
export type Measure = AccountMeasure | "delete";

export type Moderation = Omit<Selectable<ModerationTable>, "measure"> & { measure: Measure };

export const longestNote = 1000;

/** A note in its stored form. */
export function readNote(text: string): string {
  return text.trim().slice(0, longestNote);
}

/** Writes down what was done; part of the transaction in which it is. */
export async function recordMeasure(
  hub: Hub,
  { report = 0, moderator, person = 0, account = 0, measure, note, told = false }: NewMeasure,
): Promise<void> {
  await hub.db
    .insertInto("moderation")
    .values({
      report_id: report,
      moderator_id: moderator,
      person_id: person,
      account_id: account,
      measure,
      note,
      told: told ? 1 : 0,
      created: now(hub),
    })
    .execute();
}

/** Ids of the report, of the account that acts, and of the identity and the account that it is about. */
export type NewMeasure = {
  report?: number | undefined;
  moderator: number;
  person?: number | undefined;
  account?: number | undefined;
  measure: Measure;
  note: string;
  told?: boolean;
};

/** What was done about these reports, in order. */
export async function measuresOf(hub: Hub, reports: readonly number[]): Promise<Moderation[]> {
  if (reports.length === 0) return [];
  const rows = await hub.db
    .selectFrom("moderation")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("report_id"), [...reports]))
    .orderBy("report_id")
    .orderBy("id")
    .execute();
  return rows as Moderation[];
}

/** All that was done, or that about one account; the newest first. */
export async function listMeasures(
  hub: Hub,
  { account, before, count }: { account?: number; before?: number | undefined; count: number },
): Promise<{ measures: Moderation[]; next: number | undefined }> {
  let all = hub.db.selectFrom("moderation").selectAll();
  if (account !== undefined) all = all.where("account_id", "=", account).where("account_id", ">", sql.lit(0));
  const rows = await all
    .where("id", "<", before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("id", "desc")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  return { measures: page as Moderation[], next };
}

const mostTold = 50;

/** What the owner of the account was told, the newest first; who did it stays with those who run the hub. */
export async function listTold(
  hub: Hub,
  account: number,
): Promise<Pick<Moderation, "id" | "measure" | "note" | "created">[]> {
  const rows = await hub.db
    .selectFrom("moderation")
    .select(["id", "measure", "note", "created"])
    .where("account_id", "=", account)
    .where("account_id", ">", sql.lit(0))
    .where("told", "=", 1)
    .orderBy("id", "desc")
    .limit(mostTold)
    .execute();
  return rows as Moderation[];
}

const keptFor = 730 * 24 * 3600 * 1000;

/** Removes what was done two years ago; a scheduled job. */
export async function trimModeration(hub: Hub): Promise<void> {
  const old = hub.db.selectFrom("moderation").select("id").where("created", "<", momentIn(hub, -keptFor));
  await removeInSteps((most) => hub.db.deleteFrom("moderation").where("id", "in", old.limit(most)).executeTakeFirst());
}
