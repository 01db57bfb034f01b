import { z } from "zod";
import { refusal } from "../../errors.ts";
import { namesIn } from "../../record-of.ts";
import { readHost } from "./hosts.ts";
import type { BlockLevel } from "./site-blocks.ts";

/** Lists of blocked domains as others write them (federation contract 13). */

/** The words of Mastodon and others for what is done. */
export const severities: Readonly<Record<BlockLevel, string>> = { none: "noop", limit: "silence", suspend: "suspend" };

const mostBytes = 5 * 2 ** 20;

export type ListedBlock = { domain: string; level: BlockLevel; noMedia: boolean; publicComment: string };

/** What a list says, each domain once, and the lines that say nothing that can be done. */
export type ReadBlockList = { blocks: ListedBlock[]; skipped: { line: number; text: string }[] };

/**
 * Reads a list: CSV in Mastodon's columns, one domain a line, all of them suspended, or JSON with the same names, as Mastodon's
 * `/api/v1/instance/domain_blocks` answers it. Throws invalid for what is no list.
 */
export async function readBlockList(text: string): Promise<ReadBlockList> {
  if (Buffer.byteLength(text) > mostBytes) throw refusal("list_too_long", { most: mostBytes });
  const bare = text.replace(/^\uFEFF/, "");
  const rows = /^\s*\[/.test(bare) ? rowsOfJson(bare) : await rowsOfCsv(bare);
  const blocks = new Map<string, ListedBlock>();
  const skipped: ReadBlockList["skipped"] = [];
  for (const { line, text: written, fields } of rows) {
    const block = blockIn(fields);
    if (block) blocks.set(block.domain, block);
    else skipped.push({ line, text: written.slice(0, 200) });
  }
  if (bare.trim() !== "" && blocks.size === 0) throw refusal("list_wrong");
  return { blocks: [...blocks.values()], skipped };
}

type ListRow = { line: number; text: string; fields: ReadonlyMap<string, string> };

async function rowsOfCsv(text: string): Promise<ListRow[]> {
  const { parse } = (await import("papaparse")).default;
  const rows = parse<string[]>(text, { skipEmptyLines: "greedy" }).data;
  const names = (rows[0] ?? []).map((name) => name.trim().replace(/^#/, "").toLowerCase());
  const hasNames = names.includes("domain");
  return rows.slice(hasNames ? 1 : 0).map((row, place) => ({
    line: place + (hasNames ? 2 : 1),
    text: row.join(","),
    fields: new Map(hasNames ? names.map((name, at) => [name, row[at] ?? ""]) : [["domain", row[0] ?? ""]]),
  }));
}

const entries = z.array(z.union([z.string(), z.record(z.string(), z.unknown())]));

function rowsOfJson(text: string): ListRow[] {
  const read = entries.safeParse(parsed(text));
  if (!read.success) throw refusal("list_wrong");
  return read.data.map((entry, place) => ({
    line: place + 1,
    text: JSON.stringify(entry),
    fields: new Map(
      typeof entry === "string"
        ? [["domain", entry]]
        : Object.entries(entry).map(([name, value]) => [
            name === "comment" ? "public_comment" : name,
            typeof value === "string" || typeof value === "boolean" ? String(value) : "",
          ]),
    ),
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a name that its owner has made unreadable, and for one that is none. */
function blockIn(row: ReadonlyMap<string, string>): ListedBlock | undefined {
  const severity = (row.get("severity") ?? "suspend").trim().toLowerCase();
  const level = namesIn(severities).find((one) => severities[one] === severity);
  const name = row.get("domain") ?? "";
  if (level === undefined || name.includes("*")) return undefined;
  try {
    const publicComment = (row.get("public_comment") ?? "").slice(0, 2000).trim();
    return {
      domain: readHost(name),
      level,
      noMedia: /^(true|1)$/i.test(row.get("reject_media")?.trim() ?? ""),
      publicComment,
    };
  } catch {
    return undefined;
  }
}
