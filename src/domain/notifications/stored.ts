import { sql } from "kysely";
import type { SelectQueryBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import type { ColumnName, RowOf } from "../../storage/row-of.ts";
import type { Tables } from "../../storage/tables/index.ts";
import { isNoticeKind } from "./kinds.ts";
import type { NoticeKind } from "./kinds.ts";
import { storedJson } from "../../stored-json.ts";

const ofNotice = [
  "notify.id",
  "notify.hash",
  "notify.uid",
  "notify.kind",
  "notify.verb",
  "notify.item_id",
  "notify.mail_id",
  "notify.abook_id",
  "notify.count",
  "notify.created",
  "notify.seen",
  "notify.words",
] as const satisfies readonly ColumnName[];

/** A notice as it is stored, with what its ids stand for today. */
type Row = Omit<RowOf<typeof ofNotice>, "kind" | "words"> & {
  /** Who did it, under their present name. */
  actor: { hash: string; name: string; url: string; photo: string };
  /** Mids of the item and of the top of its thread; empty where it is about none. */
  mid: string;
  parent_mid: string;
  /** The message of the item, 0 where it is about none. */
  message_id: number;
};

/** A notice of a kind that the hub knows. */
export type KnownNotice = Row & { kind: NoticeKind };

/** One that came from elsewhere, of which nothing but its words is known. */
export type WordedNotice = Row & { kind: "worded"; words: NoticeWords };

export type Notice = KnownNotice | WordedNotice;

/** The fields of native contract 2.16 that are made of a kind for all others. */
export type NoticeWords = {
  xname: string;
  url: string;
  photo: string;
  msg: string;
  link: string;
  parent: string;
  ntype: number;
  verb: string;
  otype: string;
};

/** A row as it is read. */
type Stored = RowOf<typeof ofNotice> &
  Pick<Row, "mid" | "parent_mid" | "message_id"> &
  Record<"actor_hash" | "actor_name" | "actor_url" | "actor_photo", string>;

type NoticeQuery = SelectQueryBuilder<Tables, "notify", Stored>;

/** Reads notices with whom and what they are about, in the same query; not those that no list shows. */
export function selectNotices(hub: Hub): NoticeQuery {
  return selectAllNotices(hub).where("notify.listed", "=", sql.lit(1));
}

/** The same, with those of which the channel wants to know by other ways only. */
export function selectAllNotices(hub: Hub): NoticeQuery {
  return hub.db
    .selectFrom("notify")
    .leftJoin("xchan", "xchan.xchan_id", "notify.actor_id")
    .leftJoin("item", "item.id", "notify.item_id")
    .leftJoin("message", "message.id", "item.message_id")
    .select(ofNotice)
    .select([
      orEmpty("xchan.xchan_hash").as("actor_hash"),
      orEmpty("xchan.xchan_name").as("actor_name"),
      orEmpty("xchan.xchan_url").as("actor_url"),
      orEmpty("xchan.xchan_photo_s").as("actor_photo"),
      orEmpty("message.mid").as("mid"),
      orEmpty("message.parent_mid").as("parent_mid"),
      sql<number>`coalesce(${sql.ref("item.message_id")}, 0)`.as("message_id"),
    ]);
}

function orEmpty(column: string) {
  return sql<string>`coalesce(${sql.ref(column)}, '')`;
}

/** The notice of a row that `selectNotices` has read. */
export function noticeOf({ actor_hash, actor_name, actor_url, actor_photo, kind, words, ...row }: Stored): Notice {
  const actor = { hash: actor_hash, name: actor_name, url: actor_url, photo: actor_photo };
  if (isNoticeKind(kind)) return { ...row, actor, kind };
  return { ...row, actor, kind: "worded", words: storedJson<NoticeWords>(words) };
}
