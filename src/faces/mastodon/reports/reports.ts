import { z } from "zod";
import { findNamed } from "../../../domain/items/timelines/find-statuses.ts";
import { reportCategories, reportOnce } from "../../../domain/reports/report.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { storedJson } from "../../../stored-json.ts";
import { showAccounts } from "../accounts/account-answers.ts";
import { namedAccount } from "../accounts/named-account.ts";
import { flag, id, ids, invalid, text } from "../parameters.ts";
import { presentReport } from "../present/report.ts";
import type { ReportAnswers } from "../present/report.ts";

/** Mastodon contract 12.9 and 13.8. */
export const reportRows = [
  endpoint({
    path: "v1/reports",
    methods: ["POST"],
    access: "channel",
    scope: "write:reports",
    writes: true,
    summary: "Tells those who run the hub of somebody; within ten minutes the first report of a person counts.",
    answer: "Report",
    errors: {
      report_of_oneself: [422, "Validation failed: You cannot report yourself"],
      report_too_long: [422, "Validation failed: Comment is too long"],
    },
    example: { account_id: "17", comment: "Spam" },
    input: z.object({
      account_id: id("Id of the person."),
      status_ids: ids("Ids of up to 20 posts of the person; others are left out.", 20),
      comment: text("What is wrong, up to 1,000 characters."),
      forward: flag("Tell those who run the person's server, too."),
      category: text("`spam`, `legal`, `violation` or `other`."),
      rule_ids: ids("Numbers of the rules of the hub; needed with `violation`.", 20),
    }),
    async handle(hub, caller, input): Promise<ReportAnswers> {
      if (input.account_id === 0)
        throw new HubError("invalid", "account_id is missing", { reason: "missing_parameter", field: "account_id" });
      const person = await namedAccount(hub, caller.observer, input.account_id);
      const seen = await findNamed(hub, caller.observer, input.status_ids);
      const named = [...seen].filter(([, { author_id }]) => author_id === person.xchan_id);
      const made = await reportOnce(hub, caller.channel, {
        person: person.xchan_hash,
        items: named.map(([, { id }]) => ({ id })),
        comment: input.comment ?? "",
        forward: input.forward,
        category: categoryOf(input.category, input.rule_ids),
        rules: input.rule_ids,
      });
      const reported = new Set(storedJson<number[]>(made.messages));
      const statuses = named.flatMap(([id, { message_id }]) => (reported.has(message_id) ? [id] : []));
      return { made, statuses, people: await showAccounts(hub, caller, [person.xchan_id]) };
    },
    present: presentReport,
  }),
];

function categoryOf(named: string | undefined, rules: readonly number[]): (typeof reportCategories)[number] {
  if (!named) return rules.length > 0 ? "violation" : "other";
  const category = reportCategories.find((one) => one === named);
  if (!category) throw invalid("Category is not included in the list");
  return category;
}
