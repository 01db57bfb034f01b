import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { allowed } from "./allowed.ts";
import { listsAdmit, visibleTo } from "./visible.ts";

/**
 * Which rows of `attach` of this channel may the observer see? (native contract 2.12) The channel's `view_storage`, the
 * file's own lists, and those of every directory above it. A directory is there for others when they may see a file in it
 * or below it, or may put one there: its name alone would tell of uploads that they may not see. A condition that every
 * list of files and photos includes.
 */
export function filesVisibleTo(hub: Hub, observer: Observer, uid: RawBuilder<number> | number): RawBuilder<SqlBool> {
  if (observer.channelId === uid) return sql<SqlBool>`attach.uid = ${uid}`;
  const storage = allowed(observer, "view_storage", uid);
  const writes = allowed(observer, "write_storage", uid);
  return sql<SqlBool>`(attach.uid = ${uid} and ${storage} and ${listsAdmit(hub, observer, { table: "attach", uid })}
    and (attach.folder = '' or attach.folder in (${openFolders(hub, observer, uid)}))
    and (attach.is_dir = 0 or attach.hash in (${foldersWithFiles(hub, observer, uid)}) or ${writes}))`;
}

/**
 * Does a row of `photo` of this channel belong to a public linked item that somebody has answered, and that the
 * observer may see? Such an image stays to be seen whatever becomes of its file's lists (native contract 2.14): the
 * post that shows it stays too.
 */
export function staysPublic(hub: Hub, observer: Observer, uid: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from message linked join item on item.message_id = linked.id
    where linked.resource_id = photo.resource_id and linked.resource_id <> '' and linked.resource_type = 'photo'
    and item.uid = ${uid} and item.item_private = 0 and item.item_normal = 1 and ${visibleTo(hub, observer)})`;
}

/** The directories that hold a file which the observer may see, at any depth. */
function foldersWithFiles(hub: Hub, observer: Observer, uid: RawBuilder<number> | number): RawBuilder<string> {
  return sql<string>`with recursive holding_folder (hash) as (
    select held.folder from attach held where held.uid = ${uid} and held.is_dir = 0 and held.latest = 1
      and held.folder in (${openFolders(hub, observer, uid)}) and ${listsAdmit(hub, observer, { table: "held", uid })}
    union select upper.folder from holding_folder cross join attach upper
      where upper.uid = ${uid} and upper.hash = holding_folder.hash and upper.is_dir = 1 and upper.folder <> '')
    select hash from holding_folder`;
}

/** The directories that the observer can reach from the top level. The cross join is one that SQLite works off in this order. */
function openFolders(hub: Hub, observer: Observer, uid: RawBuilder<number> | number): RawBuilder<string> {
  const admitted = listsAdmit(hub, observer, { table: "dir", uid });
  return sql<string>`with recursive open_folder (hash) as (
    select dir.hash from attach dir where dir.uid = ${uid} and dir.is_dir = 1 and dir.folder = '' and ${admitted}
    union select dir.hash from open_folder cross join attach dir
      where dir.uid = ${uid} and dir.folder = open_folder.hash and dir.is_dir = 1 and ${admitted})
    select hash from open_folder`;
}
