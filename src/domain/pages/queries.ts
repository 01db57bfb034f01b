import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { pageKinds } from "./kinds.ts";
import type { PageKind } from "./kinds.ts";

const listColumns = [
  "item.id",
  "item.uid",
  "item.message_id",
  "item.author_id",
  "item.created",
  "item.item_private",
  "item.public_policy",
  "item.allow_cid",
  "item.allow_gid",
  "item.deny_cid",
  "item.deny_gid",
  "message.mid",
  "message.title",
  "message.mimetype",
  "message.layout_mid",
  "message.edited",
  "message.revision",
  "name.v as name",
] as const;

/** A flag as a constant of the statement, so that partial indexes serve the query. */
export const yes = sql.lit(1);
const no = sql.lit(0);

/** The channel's page elements of a kind, with their names, without their texts. */
export function selectPages(hub: Hub, uid: number, kind: PageKind) {
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
    .where("item.uid", "=", uid)
    .where("item.item_type", ">", no)
    .where("item.item_type", "=", itemType)
    .where("item.item_deleted", "=", no);
}

/** The rows of a channel's wikis and their pages; what connections got of an announced wiki is none of theirs. */
export function selectWikiRows(hub: Hub, uid: number, type: "nwiki" | "nwikipage") {
  const [cat, k] = type === "nwiki" ? ["wiki", "rawName"] : ["nwikipage", "pagetitle"];
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

/** Whoever changes a wiki takes turns: on PostgreSQL its row is locked; SQLite has one writer. */
export async function lockWiki(hub: Hub, id: number): Promise<void> {
  if (hub.engine !== "postgres") return;
  await hub.db.selectFrom("item").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}
