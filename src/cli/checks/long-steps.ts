import { longStepsUnderWay } from "../../domain/upkeep/long-steps.ts";
import type { Progress } from "../../domain/upkeep/long-steps.ts";
import type { Hub } from "../../hub.ts";
import { ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** How far is what migrations have begun and jobs go on with? */
export async function findLongSteps(hub: Pick<Hub, "db">): Promise<Finding[]> {
  const all = await longStepsUnderWay(hub);
  return all.length === 0 ? [] : [ok("long steps", all.map(progressOf).join(", "))];
}

/** One of them, with the share that is done. */
export function progressOf({ name, share, begun }: Progress): string {
  return `${name} ${Math.floor(share * 100)} % done since ${begun}`;
}
