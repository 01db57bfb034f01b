import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channel.ts";
import { tellOldHub } from "./hub-source.ts";
import { warn } from "./report.ts";
import type { Report } from "./report.ts";
import type { ImportRun } from "./run-state.ts";
import type { Head } from "./source.ts";

/** Two places where one goes on writing are not one channel any more: the old one becomes read-only, or the report says how. */
export async function leaveOldHub(hub: Hub, run: ImportRun, channel: Channel, { relocate }: Head): Promise<void> {
  const { oldHub } = run.options;
  const place = { url: hub.config.baseUrl, nick: channel.channel_address };
  if (!oldHub) warnUntold(run.report, "does not know");
  else if (!(await tellOldHub(hub, oldHub, relocate.nick, place))) warnUntold(run.report, "could not be told");
}

/** Tells the owner what to do about an old hub that goes on as if nothing had happened. */
export function warnUntold(report: Report, why: "does not know" | "could not be told"): void {
  warn(
    report,
    `The old hub ${why} that the channel has moved. Remove the channel there, or write nothing there any more: it will not come here.`,
  );
}
