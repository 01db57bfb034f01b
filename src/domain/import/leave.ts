import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { nameFormer } from "../identity/channels/moved.ts";
import { formerId } from "./channel/former-id.ts";
import { notifyOldHub } from "./sources/hub-source.ts";
import { unwarn, warn } from "./report.ts";
import type { Report } from "./report.ts";
import { closeRun, loadRun, withoutPassword } from "./run-state.ts";
import type { ImportRun } from "./run-state.ts";
import type { Head } from "./sources/source.ts";

/** Two places where one goes on writing are not one channel any more: the old one becomes read-only, or the report says how. */

/** Seconds until the next attempt; after the last one it is up to the owner. */
const waits = [60, 600, 3600, 6 * 3600];

const told = "The old hub was told that the channel has moved: there it can only be read from now on.";
const later =
  "The old hub did not answer when it was to be told that the channel has moved. It is asked again a few times; until then, write nothing there.";

/** Tells the old hub. Answers the nick there when it has to be told again, by the job `leave-old-hub`. */
export async function leaveOldHub(
  hub: Hub,
  run: ImportRun,
  channel: Channel,
  { relocate }: Head,
): Promise<string | undefined> {
  if (!run.options.oldHub) {
    warnUntold(run.report, "does not know");
    return undefined;
  }
  const former = formerId(hub, { relocate });
  // The old hub tells followers of the new place once that says whose it is.
  if (former !== "") await inTransaction(hub, (hub) => nameFormer(hub, channel.channel_id, former));
  return (await tell(hub, run, channel, relocate.nick)) ? relocate.nick : undefined;
}

/** Has the old hub told again; part of the transaction that ends the import. */
export async function leaveLater(hub: Hub, run: number, nick: string, attempt = 0): Promise<void> {
  const at = momentIn(hub, waits[attempt]! * 1000);
  await addJob(hub, "leave-old-hub", { run, nick, attempt }, { at });
}

/** The job that tells an old hub which did not answer. The password is kept until it ends. May run twice. */
export async function leaveAgain(hub: Hub, job: { run: number; nick: string; attempt: number }): Promise<void> {
  const run = await loadRun(hub, job.run);
  if (!run.options.oldHub?.password) return;
  const channel = await findChannelById(hub, run.channelId);
  unwarn(run.report, later);
  const isSilent = channel !== undefined && (await tell(hub, run, channel, job.nick));
  const isLast = job.attempt + 1 >= waits.length;
  if (isSilent && isLast) {
    unwarn(run.report, later);
    warnUntold(run.report, "could not be told");
  }
  if (!isSilent || isLast) run.options = withoutPassword(run.options);
  await inTransaction(hub, async (hub) => {
    if (isSilent && !isLast) await leaveLater(hub, run.id, job.nick, job.attempt + 1);
    await closeRun(hub, run);
  });
}

/** Notes how it went; true when the hub is to be asked again. */
async function tell(hub: Hub, { options, report }: ImportRun, channel: Channel, nick: string): Promise<boolean> {
  const answer = await notifyOldHub(hub, options.oldHub!, nick, {
    url: hub.config.baseUrl,
    nick: channel.channel_address,
  });
  if (answer === "refused") warnUntold(report, "could not be told");
  else warn(report, answer === "told" ? told : later);
  return answer === "silent";
}

/** Tells the owner what to do about an old hub that goes on as if nothing had happened. */
export function warnUntold(report: Report, why: "does not know" | "could not be told"): void {
  warn(
    report,
    `The old hub ${why} that the channel has moved. Remove the channel there, or write nothing there any more: it will not come here.`,
  );
}
