import { backlogOf, isTooMuch } from "../../domain/delivery/backlog.ts";
import type { Backlog } from "../../domain/delivery/backlog.ts";
import { countHeld } from "../../domain/delivery/operate.ts";
import type { Hub } from "../../hub.ts";
import { findUnknown } from "../../jobs/unknown.ts";
import type { UnknownJobs } from "../../jobs/unknown.ts";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Is what goes to other hubs and comes from them worked off in time, and does somebody do each job? */
export async function findQueues(hub: Pick<Hub, "db" | "clock">): Promise<Finding[]> {
  const held = await countHeld(hub);
  return [
    judge("deliveries", await backlogOf(hub, "delivery")),
    judge("inbox", await backlogOf(hub, "inbox_activity")),
    ...(held === 0 ? [] : [heldFinding(held)]),
    ...(await findUnknown(hub)).map(unknownFinding),
  ];
}

function judge(check: string, backlog: Backlog): Finding {
  const { due, oldest } = backlog;
  if (due === 0) return ok(check, "nothing is late");
  const found = `${due} are due, the oldest for ${Math.floor(oldest / 60)} min`;
  if (!isTooMuch(backlog)) return ok(check, found);
  return warning(check, found, "Is a `serve` or `work` running? More `hubbub work` processes do more at once.");
}

function heldFinding(held: number): Finding {
  const advice = "See `hubbub deliveries list --state held`; send them with `deliveries retry`, or `deliveries drop`.";
  return warning("held deliveries", `${held} wait since the hub was restored from a backup`, advice);
}

function unknownFinding({ name, count, since }: UnknownJobs): Finding {
  const found = `${name} (${count}) since ${since}; this version does not know the kind`;
  const advice = "A newer version does them: start it. Without one, `hubbub jobs forget KIND` removes them.";
  return warning("unknown jobs", found, advice);
}
