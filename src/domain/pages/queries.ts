import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { IconfigTable } from "../../storage/tables/items.ts";
import { articleKinds, pageKinds } from "./kinds.ts";
import type { ArticleKind, PageKind } from "./kinds.ts";
import { articleColumns, listColumns } from "./columns.ts";
import type { Article, ListedPage } from "./columns.ts";

/** Rows of items joined with their messages and with the entry that holds their name. */
type Named<Columns> = SelectQueryBuilder<Tables & { name: IconfigTable }, "item" | "message" | "name", Columns>;

/** A flag as a constant of the statement, so that partial indexes serve the query. */
export const yes = sql.lit(1);
const no = sql.lit(0);

/** The channel's page elements of a kind, with their names, without their texts. */
export function selectPages(hub: Hub, uid: RawBuilder<number> | number, kind: PageKind): Named<ListedPage> {
  const { itemType, key } = pageKinds[kind];
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("iconfig as name", (join) =>
      join
        .onRef("name.message_id", "=", "item.message_id")
        .on("name.cat", "=", "system")
        .on("name.k", "=", key)
        .on("name.uid", "in", [0, uid]),
    )
    .select(listColumns)
    .select("name.v as name")
    .where("item.uid", "=", uid)
    .where("item.item_type", ">", no)
    .where("item.item_type", "=", itemType)
    .where("item.item_deleted", "=", no);
}

/**
 * Articles or cards on the channel's wall, whatever their audience. Unlike page elements, which are found by their names alone,
 * one without a name is found by its uuid.
 */
export function selectArticles(hub: Hub, uid: number, kind: ArticleKind): Named<Article> {
  const { itemKind, key } = articleKinds[kind];
  const query = hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .leftJoin("iconfig as name", (join) =>
      join
        .onRef("name.message_id", "=", "item.message_id")
        .on("name.cat", "=", "system")
        .on("name.k", "=", key)
        .on("name.uid", "in", [0, uid]),
    )
    .select(articleColumns)
    .select(sql<string>`coalesce(name.v, message.uuid)`.as("name"))
    .where("item.uid", "=", uid)
    .where("item.item_wall", "=", yes)
    .where("item.item_kind", ">", no)
    .where("item.item_kind", "=", itemKind)
    .where("item.item_normal", "=", yes);
  return query;
}

const nameOf = { nwiki: ["wiki", "rawName"], nwikipage: ["nwikipage", "pagetitle"] } as const;

/** The rows of a channel's wikis, by name; what connections got of a wiki that was posted about is none of theirs. */
export function selectWikis(hub: Hub, uid: RawBuilder<number> | number): Named<object> {
  const [cat, k] = nameOf.nwiki;
  return wikiRows(hub, uid, "nwiki").where("item.message_id", "in", ({ selectFrom }) =>
    selectFrom("iconfig")
      .select("iconfig.message_id")
      .where("iconfig.uid", "in", [0, uid])
      .where("iconfig.cat", "=", cat)
      .where("iconfig.k", "=", k),
  );
}

/** The rows of a wiki's pages: every saved version of each. */
export function selectVersions(hub: Hub, wiki: { uid: number; resource_id: string }): Named<object> {
  return wikiRows(hub, wiki.uid, "nwikipage").where("item.message_id", "in", ({ selectFrom }) =>
    selectFrom("message as version")
      .select("version.id")
      .where("version.resource_id", "=", wiki.resource_id)
      .where("version.resource_id", "<>", sql.lit("")),
  );
}

function wikiRows(hub: Hub, uid: RawBuilder<number> | number, type: keyof typeof nameOf): Named<object> {
  const [cat, k] = nameOf[type];
  return hub.db
    .selectFrom("item")
    .innerJoin("message", "message.id", "item.message_id")
    .innerJoin("iconfig as name", (join) =>
      join
        .onRef("name.message_id", "=", "item.message_id")
        .on("name.cat", "=", cat)
        .on("name.k", "=", k)
        .on("name.uid", "in", [0, uid]),
    )
    .where("item.uid", "=", uid)
    .where("item.item_wall", "=", yes)
    .where("item.item_deleted", "=", no)
    .where("message.resource_type", "=", type);
}

/** Locks a wiki for whoever changes it: on PostgreSQL its row; SQLite has one writer. */
export async function lockWiki(hub: Hub, id: number): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db.selectFrom("item").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}
