import { receiveReport } from "../../../domain/reports/receive-report.ts";
import { idsHere } from "../ids-here.ts";
import type { Attempt } from "./incoming.ts";

/** Those who run another hub tell those who run this one of somebody here (federation contract 4.3). */
export const receiveFlag: Attempt = async ({ hub, activity, node, actor }) => {
  const { nicks, uuids } = idsHere(
    hub,
    activity.objects.flatMap((object) => (typeof object === "string" ? object : (object.id ?? []))),
  );
  if (activity.id === undefined || nicks.length + uuids.length === 0) return false;
  const { host } = new URL(actor.xchan_hash);
  // Lemmy says the reason as a summary.
  const comment = activity.content ?? node.text("summary") ?? "";
  await receiveReport(hub, { id: activity.id, host, nicks, uuids, comment });
  return true;
};
