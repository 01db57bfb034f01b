import type { Hub } from "../../hub.ts";
import { listAdministrators } from "../identity/accounts/accounts.ts";
import { findChannelById } from "../identity/channels/find-channel.ts";
import { notify } from "../notifications/notify.ts";

/** Tells those who administer the hub of a report, but not whom it is about nor who made it; a job. */
export async function notifyReport(hub: Hub, reportId: number): Promise<void> {
  const report = await hub.db
    .selectFrom("report")
    .select(["id", "reporter_id", "person_id"])
    .where("id", "=", reportId)
    .executeTakeFirst();
  if (!report) return;
  for (const { account_default_channel } of await listAdministrators(hub)) {
    const to = await findChannelById(hub, account_default_channel);
    if (!to || to.xchan_id === report.person_id) continue;
    await notify(hub, [{ kind: "report", to, actor: report.reporter_id, report: report.id }]);
  }
}
