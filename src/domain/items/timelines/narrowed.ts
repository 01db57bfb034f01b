import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import { sharesPurely } from "../queries.ts";
import { termTypes } from "../vocabulary.ts";

/** Which statuses of a timeline are wanted; each is a condition on its rows, so that pages come out full. */
export type Narrowed = {
  /** With a picture, a film or a file. */
  onlyMedia?: boolean | undefined;
  /** No shares without words. */
  excludeShares?: boolean | undefined;
  /** No answers but those in threads of who wrote them. */
  onlyOwnThreads?: boolean | undefined;
  /** Only what was written here, or elsewhere. */
  written?: "here" | "elsewhere" | undefined;
  /** Only what has this hashtag. */
  tagged?: string | undefined;
};

/** The words for it that tell statements apart. */
export function narrowedName({ onlyMedia, excludeShares, onlyOwnThreads, written }: Narrowed): string {
  return [onlyMedia && "media", excludeShares && "no shares", onlyOwnThreads && "own threads", written]
    .filter(Boolean)
    .join(" ");
}

/** Conditions on `item`; `tag` stands for the key of the hashtag. */
export function narrowedBy(
  { onlyMedia, excludeShares, onlyOwnThreads, written }: Narrowed,
  tag?: RawBuilder<unknown>,
): RawBuilder<SqlBool>[] {
  return [
    ...(onlyMedia ? [hasMedia] : []),
    ...(excludeShares ? [notShared] : []),
    ...(onlyOwnThreads ? [inOwnThread] : []),
    ...(written === undefined ? [] : [written === "here" ? writtenHere : sql<SqlBool>`not ${writtenHere}`]),
    ...(tag ? [hasTag(tag)] : []),
  ];
}

const of = sql`from message nm where nm.id = item.message_id`;

/** Emoji and portraits are pictures that belong to the text. */
const hasMedia = sql<SqlBool>`exists (select 1 ${of} and (nm.attach not in ('', '[]') or nm.html like '%<video%' or nm.html like '%<audio%'
  or replace(replace(nm.html, '<img class="emoji"', ''), '<img class="avatar"', '') like '%<img%') limit 1 offset 0)`;

const notShared = sql<SqlBool>`not exists (select 1 ${of} and nm.shared_id > 0 and ${sharesPurely("nm")} limit 1 offset 0)`;

const inOwnThread = sql<SqlBool>`(item.item_thread_top = 1
  or exists (select 1 from item nt where nt.id = item.parent and nt.author_id = item.author_id limit 1 offset 0))`;

/** Copies that others here received of it do not say so. */
const writtenHere = sql<SqlBool>`exists (select 1 from item o where o.message_id = item.message_id and o.item_origin = 1 limit 1 offset 0)`;

function hasTag(tag: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from term nt where nt.message_id = item.message_id and nt.ttype = ${sql.lit(termTypes.hashtag)}
    and nt.term_key = ${tag} limit 1 offset 0)`;
}
