import { refusal } from "../../../errors.ts";
import { readHost } from "../../peers/hosts.ts";
import { bareName } from "../../people/find-person.ts";

/** Lists as Mastodon exports them (federation contract 11, decision 60): what they are of, and whom or what they name. */

export const fileKinds = ["follow", "block", "mute", "hosts"] as const;
export type FileKind = (typeof fileKinds)[number];

/**
 * Two are in no file: `followers` are those whom an export names as such, who can be told where the channel is now, and `stayed` those
 * of its connections who live at the hub from which it has come.
 */
const broughtKinds = ["followers", "stayed"] as const;
export type ListKind = FileKind | (typeof broughtKinds)[number];

/** The kind of a list as it is stored. */
export function storedKind(kind: string): ListKind {
  return [...fileKinds, ...broughtKinds].find((known) => known === kind) ?? "follow";
}

/** Addresses or hosts, each once, and the lines that name none. */
export type ReadList = { kind: FileKind; names: string[]; unusable: string[] };

export const mostBytes = 2 ** 20;
export const mostEntries = 10_000;

/** Throws invalid and too-large: no list, nothing of use in it, more than anybody has, or nobody knows of what it is one. */
export async function readList(
  bytes: Uint8Array,
  { filename, kind: chosen }: { filename: string; kind: FileKind | undefined },
): Promise<ReadList> {
  const { parse } = (await import("papaparse")).default;
  const all = parse<string[]>(textOf(bytes), { skipEmptyLines: "greedy", delimiter: "," }).data;
  const columns = (all[0] ?? []).map((name) => name.trim().replace(/^#/, "").toLowerCase());
  const column = columns.findIndex((name) => name === "account address" || name === "domain");
  const rows = column === -1 ? all : all.slice(1);
  if (rows.length > mostEntries) throw refusal("list_too_many_entries", { most: mostEntries });
  const values = rows.map((row) => row[Math.max(column, 0)] ?? "");
  const kind = chosen ?? kindByColumns(columns) ?? kindByLines(values) ?? kindByName(filename);
  if (kind === undefined) throw refusal("list_kind_unknown");
  const read = { kind, ...namesIn(values, kind === "hosts" ? hostIn : addressIn) };
  if (read.names.length === 0) throw refusal("list_file_empty");
  return read;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refusal("list_file_unreadable");
  }
}

function kindByColumns(columns: readonly string[]): FileKind | undefined {
  if (columns.includes("show boosts") || columns.includes("notify on new posts")) return "follow";
  if (columns.includes("hide notifications")) return "mute";
  return columns.includes("domain") ? "hosts" : undefined;
}

/** Whole servers are named without anybody there. */
function kindByLines(values: readonly string[]): FileKind | undefined {
  return values.length > 0 && values.every((value) => /^[^\s@.]+(\.[^\s@.]+)+$/.test(value.trim()))
    ? "hosts"
    : undefined;
}

const words: readonly (readonly [RegExp, FileKind])[] = [
  [/follow/i, "follow"],
  [/domain/i, "hosts"],
  [/mute/i, "mute"],
  [/block/i, "block"],
];

/** People whom one blocks are listed without columns: only the name of the file says what they are. */
function kindByName(filename: string): FileKind | undefined {
  return words.find(([word]) => word.test(filename))?.[1];
}

function namesIn(values: readonly string[], read: (value: string) => string | undefined): Omit<ReadList, "kind"> {
  const names = new Map<string, string>();
  const unusable: string[] = [];
  for (const value of values) {
    const name = read(value.trim());
    if (name === undefined) unusable.push(shown(value));
    else if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return { names: [...names.values()], unusable };
}

/** As much of a line as is kept to show it. */
function shown(line: string): string {
  return line
    .replaceAll(/\p{Cc}/gu, " ")
    .slice(0, 200)
    .toWellFormed();
}

function hostIn(value: string): string | undefined {
  try {
    return readHost(value);
  } catch {
    return undefined;
  }
}

function addressIn(value: string): string | undefined {
  const [, nick, at] = /^([^\s@\p{Cc}<>"/?#:]{1,255})@([^\s@\p{Cc}/?#]{1,253})$/u.exec(bareName(value)) ?? [];
  const host = at === undefined ? undefined : hostIn(at);
  return host === undefined ? undefined : `${nick}@${host}`;
}
