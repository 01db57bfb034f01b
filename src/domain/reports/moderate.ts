import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import { deleteMessages } from "../items/posting/delete.ts";
import { actOnAccount, measuresFor } from "../moderation/act.ts";
import type { MeasureMail } from "../moderation/act.ts";
import { readNote, recordMeasure } from "../moderation/log.ts";
import { isOneOf } from "../../storage/sql.ts";
import { storedJson } from "../../stored-json.ts";

/** What can be done where a report stands: delete its posts, act on the account of whom it is about, or note something. */
export const reportMeasures = ["delete", "warn", "limit", "unlimit", "block", "unblock", "note"] as const;
export type ReportMeasure = (typeof reportMeasures)[number];

/** The state of the accounts behind those of these people who are of this hub. */
export async function accountsBehind(hub: Hub, people: readonly number[]): Promise<Map<number, AccountState>> {
  if (people.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("xchan")
    .innerJoin("channel", "channel_hash", "xchan_hash")
    .innerJoin("account", "account_id", "channel_account_id")
    .select(["xchan_id", "account_id", "account_flags", "account_roles", "account_limited"])
    .where(isOneOf(hub.engine, sql.ref("xchan_id"), [...people]))
    .where("channel_removed", "=", 0)
    .execute();
  return new Map(rows.map(({ xchan_id, ...account }) => [xchan_id, account]));
}

export type AccountState = Pick<Account, "account_id" | "account_flags" | "account_roles" | "account_limited">;

/** What can be done about a report of `posts` posts by somebody with this account; people of elsewhere have none. */
export function measuresOffered(posts: number, account: AccountState | undefined): ReportMeasure[] {
  const reached: readonly string[] = account ? measuresFor(account) : [];
  return reportMeasures.filter((one) => (one === "delete" ? posts > 0 : one === "note" || reached.includes(one)));
}

/**
 * Takes a measure about the person of a report, and writes down who did. Throws missing; denied for measures that do not reach them;
 * invalid for a warning or note without words.
 */
export async function moderate(
  hub: Hub,
  reportId: number,
  moderator: number,
  { measure, note: words, tells }: { measure: ReportMeasure; note: string; tells: boolean },
  mail: MeasureMail,
): Promise<void> {
  const note = readNote(words);
  await inTransaction(hub, async (hub) => {
    const report = await hub.db
      .selectFrom("report")
      .select(["person_id", "messages"])
      .where("id", "=", reportId)
      .executeTakeFirst();
    if (!report) throw missing("Report");
    const person = report.person_id;
    const account = (await accountsBehind(hub, [person])).get(person);
    const because = { moderator, report: reportId, person };
    if (measure !== "delete" && measure !== "note") {
      if (!account) throw refusal("beyond_moderation");
      await actOnAccount(hub, account.account_id, because, { measure, note, tells }, mail);
      return;
    }
    if (measure === "delete") await deleteMessages(hub, storedJson<number[]>(report.messages));
    else if (note === "") throw refusal("note_needed");
    await recordMeasure(hub, { ...because, account: account?.account_id, measure, note });
  });
}
