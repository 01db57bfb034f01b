import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJobs } from "../../jobs/queue.ts";
import { markActors } from "../identity/xchans/actors.ts";
import { treatmentOf } from "./site-blocks.ts";
import type { BlockLevel } from "./site-blocks.ts";

const hostsAtOnce = 100;

/**
 * Brings what is known of people of elsewhere in line with the list of blocked domains: who is limited is not shown in public,
 * who is suspended is as good as gone until that ends, and what they wrote is removed, person by person. A job.
 */
export async function applySiteBlocks(hub: Hub): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined;) after = await applyToSome(hub, after);
}

/** Answers the last host, or undefined when there are no more. */
async function applyToSome(hub: Hub, after: string): Promise<string | undefined> {
  const rows = await hub.db
    .selectFrom("peer")
    .select("host")
    .where("host", ">", after)
    .orderBy("host")
    .limit(hostsAtOnce)
    .execute();
  const byLevel: Record<BlockLevel, string[]> = { none: [], limit: [], suspend: [] };
  for (const { host } of rows) byLevel[(await treatmentOf(hub, host)).level].push(host);
  while (await markSome(hub, byLevel.none, "shown"));
  while (await markSome(hub, byLevel.limit, "limited"));
  while (await markSome(hub, byLevel.suspend, "suspended"));
  return rows.length === hostsAtOnce ? rows.at(-1)!.host : undefined;
}

/** Answers whether there may be more. */
async function markSome(hub: Hub, hosts: readonly string[], mark: Parameters<typeof markActors>[2]): Promise<boolean> {
  if (hosts.length === 0) return false;
  return inTransaction(hub, async (hub) => {
    const { marked, more } = await markActors(hub, hosts, mark);
    if (mark === "suspended")
      await addJobs(
        hub,
        "forget-person",
        marked.map((xchan) => ({ xchan })),
      );
    return more;
  });
}
