import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isAdministrator, setAccountFlag } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { deleteMessages } from "../items/posting/delete.ts";
import { sendsMail } from "../mail/queue-mail.ts";
import { tell } from "../recovery/told.ts";
import type { Words } from "../recovery/told.ts";
import { cutPage } from "../../storage/key-page.ts";
import { isOneOf } from "../../storage/sql.ts";
import { storedJson } from "../../stored-json.ts";

/** What can be done about somebody: delete the posts of the report, warn them, lock them out, let them in again, note something. */
export const measures = ["delete", "warn", "block", "unblock", "note"] as const;
export type Measure = (typeof measures)[number];

/** Something that was done, by which account and about whom (ids). */
export type Moderation = {
  id: number;
  report_id: number;
  moderator_id: number;
  person_id: number;
  measure: Measure;
  note: string;
  created: string;
};

const longestNote = 1000;

/** The state of the accounts behind those of these people who are of this hub. */
export async function accountsBehind(hub: Hub, people: readonly number[]): Promise<Map<number, AccountState>> {
  if (people.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("channel", "channel_hash", "xchan_hash")
    .innerJoin("account", "account_id", "channel_account_id")
    .select(["xchan_id", "account_id", "account_email", "account_flags", "account_roles"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), [...people]))
    .where("channel_removed", "=", 0)
    .execute();
  return new Map(rows.map(({ xchan_id, ...account }) => [xchan_id, account]));
}

export type AccountState = Pick<Account, "account_id" | "account_email" | "account_flags" | "account_roles">;

/**
 * Takes a measure about the person of a report, and writes down who did. Throws missing; denied for measures against administrators, and
 * against people of other hubs whom they do not reach; invalid for a warning without words.
 */
export async function moderate(
  hub: Hub,
  reportId: number,
  moderator: number,
  { measure, note: words }: { measure: Measure; note: string },
  warning: (words: string) => Words,
): Promise<void> {
  const note = words.trim().slice(0, longestNote);
  await inTransaction(hub, async (hub) => {
    const report = await hub.db
      .selectFrom("report")
      .select(["person_id", "messages"])
      .where("id", "=", reportId)
      .executeTakeFirst();
    if (!report) throw missing("Report");
    if (measure === "delete") await deleteMessages(hub, storedJson<number[]>(report.messages));
    else if (measure === "note") {
      if (note === "") throw refusal("note_needed");
    } else await actOn(hub, await reachable(hub, report.person_id), measure, note, warning);
    await hub.db
      .insertInto("moderation")
      .values({
        report_id: reportId,
        moderator_id: moderator,
        person_id: report.person_id,
        measure,
        note,
        created: now(hub),
      })
      .execute();
  });
}

async function reachable(hub: Hub, personId: number): Promise<AccountState> {
  const account = (await accountsBehind(hub, [personId])).get(personId);
  if (!account || isAdministrator(account)) throw refusal("beyond_moderation");
  return account;
}

async function actOn(
  hub: Hub,
  account: AccountState,
  measure: "warn" | "block" | "unblock",
  note: string,
  warning: (words: string) => Words,
): Promise<void> {
  if (measure !== "warn") {
    await setAccountFlag(hub, account.account_id, "blocked", measure === "block");
    return;
  }
  if (!sendsMail(hub)) throw refusal("beyond_moderation");
  if (note === "") throw refusal("note_needed");
  await tell(hub, account.account_email, warning(note));
}

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

/** All that was done, the newest first. */
export async function listMeasures(
  hub: Hub,
  { before, count }: { before?: number | undefined; count: number },
): Promise<{ measures: Moderation[]; next: number | undefined }> {
  const rows = await hub.db
    .selectFrom("moderation")
    .selectAll()
    .where("id", "<", before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("id", "desc")
    .limit(count + 1)
    .execute();
  const { page, next } = cutPage(rows, count, (row) => row.id);
  return { measures: page as Moderation[], next };
}
