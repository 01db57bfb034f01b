import type { z } from "zod";
import { reportCategories } from "../../../domain/reports/report.ts";
import type { MadeReport } from "../../../domain/reports/report.ts";
import { storedJson } from "../../../stored-json.ts";
import type { Report } from "../entities/report.ts";
import { presentAccount } from "./account.ts";
import type { Accounts } from "./account.ts";
import { datetime, datetimeOrNull } from "./dates.ts";

/** A report with its posts, as far as the reader sees them, and the person whom it is about. */
export type ReportAnswers = { made: MadeReport; statuses: readonly number[]; people: Accounts };

/** Mastodon contract 11.34. */
export function presentReport({ made, statuses, people }: ReportAnswers): z.infer<typeof Report> {
  return {
    id: String(made.id),
    action_taken: datetimeOrNull(made.closed) !== null,
    action_taken_at: datetimeOrNull(made.closed),
    category: reportCategories.find((one) => one === made.category) ?? "other",
    comment: made.comment,
    forwarded: made.forwarded === 1,
    created_at: datetime(made.created),
    status_ids: statuses.map(String),
    rule_ids: storedJson<number[]>(made.rules).map(String),
    collection_ids: null,
    target_account: presentAccount(people, made.person_id),
  };
}
