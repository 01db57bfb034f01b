/**
 * The complete archive of a channel: a tar file with the answers of the native API as they are, so that whoever reads
 * the one can read the other. Its entries come in this order:
 *
 * - `archive.json`: the number of this form of archives; older archives have none, and no list at their end.
 * - `channel.json`: `channel/export/basic` with its default sections.
 * - `items/000001.json` and so on: the pages of `item/export_page`, oldest items first.
 * - `elsewhere.json`: `channel/export/basic` with the section `elsewhere` alone: what the channel did in the threads of
 *   others, and its notices. Archives of older versions have none.
 * - For each file or directory, in the order of `file/export_page`: `files/000001.json`, its `file/export` form,
 *   and right after it, for files, `blobs/<hash>-<revision>` with the bytes. A file whose bytes are lost has no blob.
 * - `SHA256SUMS`: a line for each entry before it with the hash of its bytes, as `sha256sum -c` reads them.
 * - `SHA256SUMS.sig`: the channel's signature of that list (base64url RSA-SHA256).
 *
 * Reading needs no jumping back: a form names the directories above its file, and the blob follows its form.
 */
export const formatEntry = "archive.json";
/** The identity and all that is small, as `channel/export/basic` gives it. */
export const channelEntry = "channel.json";
/** What the channel wrote on walls that are not its own. */
export const elsewhereEntry = "elsewhere.json";
/** The digests of all entries before it. */
export const listEntry = "SHA256SUMS";
/** The channel's signature of that list. */
export const sealEntry = "SHA256SUMS.sig";

export const archiveFormat = { format: 2 };

/** The line of the list for an entry with this hash (hexadecimal SHA-256). */
export function listLine(name: string, hash: string): string {
  return `${hash}  ${name}\n`;
}

export const itemsPerEntry = 1000;

/** The page of items with this number, from 1. */
export function itemsEntry(number: number): string {
  return `items/${padded(number)}.json`;
}

/** The form of the file with this number, from 1. */
export function fileEntry(number: number): string {
  return `files/${padded(number)}.json`;
}

/** The bytes of one revision of a file. */
export function blobEntry(hash: string, revision: number): string {
  return `blobs/${hash}-${revision}`;
}

export type ArchiveEntry =
  | { kind: "format" }
  | { kind: "list" }
  | { kind: "seal" }
  | { kind: "channel" }
  | { kind: "items" }
  | { kind: "elsewhere" }
  | { kind: "file" }
  | { kind: "blob"; hash: string; revision: number };

/** What an entry of that name holds; undefined for names that no archive of ours has. */
export function readEntryName(name: string): ArchiveEntry | undefined {
  if (name === formatEntry) return { kind: "format" };
  if (name === listEntry) return { kind: "list" };
  if (name === sealEntry) return { kind: "seal" };
  if (name === channelEntry) return { kind: "channel" };
  if (name === elsewhereEntry) return { kind: "elsewhere" };
  if (/^items\/\d+\.json$/.test(name)) return { kind: "items" };
  if (/^files\/\d+\.json$/.test(name)) return { kind: "file" };
  const blob = /^blobs\/([\w.@-]+)-(\d+)$/.exec(name);
  return blob ? { kind: "blob", hash: blob[1]!, revision: Number(blob[2]) } : undefined;
}

function padded(number: number): string {
  return String(number).padStart(6, "0");
}
