import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { namesIn } from "../../record-of.ts";
import { readHost } from "./hosts.ts";
import { listSiteBlocks, setSiteBlocks } from "./site-blocks.ts";
import type { BlockLevel, SiteBlockChanges } from "./site-blocks.ts";

/** Lists of blocked domains as CSV, in the columns that Mastodon and others exchange (federation contract 13). */

const columns = ["#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"] as const;
const severities: Readonly<Record<BlockLevel, string>> = { none: "noop", limit: "silence", suspend: "suspend" };

const mostBytes = 5 * 2 ** 20;

/** What became of a list: how many domains were taken, and the lines that say nothing that can be done. */
export type TakenList = { taken: number; skipped: { line: number; text: string }[] };

/**
 * Takes a list over: what it says of a domain counts from now on, and of other domains nothing changes. A list without a line of
 * names is one domain a line, all of them suspended. Throws invalid for what is no list.
 */
export async function importBlockList(hub: Hub, text: string): Promise<TakenList> {
  if (Buffer.byteLength(text) > mostBytes) throw refusal("list_too_long", { most: mostBytes });
  const { parse } = (await import("papaparse")).default;
  const rows = parse<string[]>(text.replace(/^\uFEFF/, ""), { skipEmptyLines: "greedy" }).data;
  const names = (rows[0] ?? []).map((name) => name.trim().replace(/^#/, "").toLowerCase());
  const hasNames = names.includes("domain");
  const skipped: TakenList["skipped"] = [];
  const blocks = new Map<string, SiteBlockChanges>();
  for (const [place, row] of rows.entries()) {
    if (hasNames && place === 0) continue;
    const block = blockIn(
      new Map(hasNames ? names.map((name, at) => [name, row[at] ?? ""]) : [["domain", row[0] ?? ""]]),
    );
    if (block) blocks.set(block.domain, block);
    else skipped.push({ line: place + 1, text: row.join(",").slice(0, 200) });
  }
  if (rows.length > 0 && blocks.size === 0) throw refusal("list_wrong");
  await setSiteBlocks(hub, [...blocks.values()]);
  return { taken: blocks.size, skipped };
}

/** Undefined for a name that its owner has made unreadable, and for one that is none. */
function blockIn(row: ReadonlyMap<string, string>): SiteBlockChanges | undefined {
  const severity = (row.get("severity") ?? "suspend").trim().toLowerCase();
  const level = namesIn(severities).find((one) => severities[one] === severity);
  const name = row.get("domain") ?? "";
  if (level === undefined || name.includes("*")) return undefined;
  try {
    const domain = readHost(name);
    const publicComment = (row.get("public_comment") ?? "").slice(0, 2000);
    return { domain, level, noMedia: /^(true|1)$/i.test(row.get("reject_media")?.trim() ?? ""), publicComment };
  } catch {
    return undefined;
  }
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
