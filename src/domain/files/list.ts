import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import type { Slots } from "../../storage/compiled-query.ts";
import { contains, folded } from "../../storage/sql.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { filesVisibleTo } from "../permissions/visible-files.ts";
import { entryJson } from "./entry-json.ts";
import type { FileEntry } from "./entry-json.ts";
import type { File } from "./types.ts";

/** What native contract 6.4 lists; dates in the stored form, the empty folder is the top level. */
export type FileQuery = {
  hash?: string;
  filename?: string;
  filetype?: string;
  since?: string;
  until?: string;
  folder?: string;
  start: number;
};

/** Where a list of files stands: the last row that was shown. */
export type After = Pick<File, "created" | "id">;

/**
 * The channel's own files in the order of native contract 6.4, all revisions: at most `limit` of those that follow `after`,
 * or of those from `start` on at the beginning.
 */
export async function listFiles(
  hub: Hub,
  uid: number,
  query: FileQuery,
  limit: number,
  after?: After,
): Promise<File[]> {
  const { name, values } = placesOf(uid, query, limit, after);
  return compiled(hub, `files${name}`, values, (slots) => inOrder(hub, slots, limit).selectAll());
}

/** The same in the form of the file entry. */
export async function listEntries(
  hub: Hub,
  uid: number,
  query: FileQuery,
  limit: number,
  after?: After,
): Promise<FileEntry[]> {
  const { name, values } = placesOf(uid, query, limit, after);
  return compiled(hub, `file entries${name}`, values, (slots) =>
    inOrder(hub, slots, limit).select(["created", "id", entryJson(hub.engine).as("json")]),
  );
}

/** These have statements of their own: PostgreSQL plans once where it knows how much is wanted. */
const usualLimits: readonly number[] = [20, 50, 100, 200, 500];

function placesOf(
  uid: number,
  { start, ...filters }: FileQuery,
  limit: number,
  after: After | undefined,
): { name: string; values: Places } {
  const place = after ? { created: after.created, id: after.id } : { start: start > 0 ? start : undefined };
  const isUsual = usualLimits.includes(limit);
  return {
    name: isUsual ? `, ${limit}` : "",
    values: { uid, limit: isUsual ? undefined : limit, ...filters, ...place },
  };
}

function inOrder(hub: Hub, slots: Slots<Places>, limit: number) {
  let rows = hub.db.selectFrom("attach").where("uid", "=", slots.uid);
  if (slots.hash) rows = rows.where("hash", "=", slots.hash);
  if (slots.folder) rows = rows.where("folder", "=", slots.folder);
  if (slots.since) rows = rows.where("created", ">=", slots.since);
  if (slots.until) rows = rows.where("created", "<=", slots.until);
  if (slots.filename) rows = rows.where(holds(hub, "filename", slots.filename));
  if (slots.filetype) rows = rows.where(holds(hub, "filetype", slots.filetype));
  if (slots.created) rows = rows.where(sql<SqlBool>`(created, id) > (${slots.created}, ${slots.id})`);
  // Few rows have one hash: found by it and sorted, not looked for along the order of all.
  const date = slots.hash ? sql`created || ''` : sql.ref("created");
  rows = rows
    .orderBy(date)
    .orderBy("id")
    .limit(slots.limit ?? sql.lit(limit));
  return slots.start ? rows.offset(slots.start) : rows;
}

/** The values of the list's statement; what is left out is no part of it. */
type Places = Omit<FileQuery, "start"> & {
  uid: number;
  limit?: number | undefined;
  start?: number | undefined;
  created?: string;
  id?: number;
};

const together = 500;

/** The same without limit, a few hundred rows at a time: a whole storage never stands in memory. */
export async function* allFiles(hub: Hub, uid: number, query: FileQuery, most = Infinity): AsyncGenerator<File[]> {
  yield* inBatches(most, (limit, after?: File) => listFiles(hub, uid, query, limit, after));
}

/** All of them in the form of the file entry, as `allFiles`. */
export async function* allEntries(
  hub: Hub,
  uid: number,
  query: FileQuery,
  most = Infinity,
): AsyncGenerator<FileEntry[]> {
  yield* inBatches(most, (limit, last?: FileEntry) => listEntries(hub, uid, query, limit, last));
}

async function* inBatches<Row>(
  most: number,
  read: (limit: number, last?: Row) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (let left = most; left > 0;) {
    const limit = Math.min(left, together);
    const rows: Row[] = await read(limit, last);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    left -= rows.length;
  }
}

/** One page of what is in a folder. */
export type FolderPage = { entries: File[]; /** More follow: the entry to go on after. */ next: File | undefined };

/**
 * What the observer may see in a directory (the empty hash is the top level), newest revisions: directories first, then by
 * name; `after` is the last entry of the page before. Whether the directory itself may be seen is the caller's question.
 */
export async function listFolder(
  hub: Hub,
  observer: Observer,
  uid: number,
  folder: string,
  { limit, after }: { limit: number; after?: Pick<File, "is_dir" | "filename"> | undefined },
): Promise<FolderPage> {
  let rows = hub.db
    .selectFrom("attach")
    .selectAll()
    .where("attach.uid", "=", uid)
    .where("attach.folder", "=", folder)
    .where("attach.latest", "=", sql.lit(1))
    .where(filesVisibleTo(hub, observer, uid));
  if (after) {
    rows = rows.where(
      sql<SqlBool>`(1 - attach.is_dir, attach.filename) > (${sql.lit(1 - after.is_dir)}, ${after.filename})`,
    );
  }
  const found = await rows
    .orderBy(sql`1 - attach.is_dir`)
    .orderBy("attach.filename")
    .limit(limit + 1)
    .execute();
  return { entries: found.slice(0, limit), next: found.length > limit ? found[limit - 1] : undefined };
}

/** Does the column hold the part, in any case? No sign of the part has a meaning. */
function holds(hub: Hub, column: string, part: RawBuilder<string>): RawBuilder<SqlBool> {
  return contains(hub.engine, folded(hub.engine, sql.ref(column)), folded(hub.engine, part));
}

/** Every directory of the channel that the observer may see, by path. */
export async function listFolders(hub: Hub, observer: Observer, uid: number): Promise<File[]> {
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("attach.uid", "=", uid)
    .where("attach.is_dir", "=", sql.lit(1))
    .where(filesVisibleTo(hub, observer, uid))
    .orderBy("attach.display_path")
    .execute();
}

/** All revisions of a file, the newest first. */
export async function listRevisions(hub: Hub, { uid, hash }: Pick<File, "uid" | "hash">): Promise<File[]> {
  return hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", uid)
    .where("hash", "=", hash)
    .orderBy("revision", "desc")
    .execute();
}
