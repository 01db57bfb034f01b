import type { Hub } from "../../hub.ts";
import { trimLists } from "./lists/trim-lists.ts";
import { trimRuns } from "./trim-runs.ts";

/**
 * What is over of imports goes: lists of other programs, and channels. A regular job, one for both: the version before knows no further
 * one, and would try it in vain while it runs beside this one.
 */
export async function trimImports(hub: Hub): Promise<void> {
  await trimLists(hub);
  await trimRuns(hub);
}
