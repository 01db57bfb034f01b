import type { Hub } from "../../hub.ts";
import { readBlockList, severities } from "./read-block-list.ts";
import type { ReadBlockList } from "./read-block-list.ts";
import { listSiteBlocks, setSiteBlocks } from "./site-blocks.ts";

/** Lists of blocked domains that come and go as files (federation contract 13). */

const columns = ["#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"] as const;

/** What became of a list: how many domains were taken, and the lines that say nothing that can be done. */
export type TakenList = { taken: number; skipped: ReadBlockList["skipped"] };

/** Takes a list over: what it says of a domain counts from now on, and of other domains nothing changes. Throws invalid for what is no list. */
export async function importBlockList(hub: Hub, text: string): Promise<TakenList> {
  const { blocks, skipped } = await readBlockList(text);
  await setSiteBlocks(hub, blocks);
  return { taken: blocks.length, skipped };
}

/** The whole list. */
export async function exportBlockList(hub: Hub): Promise<string> {
  const { unparse } = (await import("papaparse")).default;
  const blocks = await listSiteBlocks(hub);
  const data = blocks.map(({ domain, level, noMedia, public_comment }) => [
    domain,
    severities[level],
    noMedia ? "TRUE" : "FALSE",
    "FALSE",
    public_comment,
    "FALSE",
  ]);
  return `${unparse({ fields: [...columns], data }, { newline: "\n", escapeFormulae: true })}\n`;
}
