import type { ColumnName, RowOf } from "../../storage/row-of.ts";
import type { Item } from "../items/types.ts";

/** What lists show of page elements: everything but their texts. */
export const listColumns = [
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
] as const satisfies readonly ColumnName[];

/** A page element in a list. */
export type ListedPage = RowOf<typeof listColumns> & { name: string };

/** A page element with its text. */
export type WebPage = ListedPage & Pick<Item, "body" | "html" | "lang">;

/** What is shown of articles and cards. */
export const articleColumns = [
  "item.id",
  "item.uid",
  "item.author_id",
  "item.created",
  "item.item_private",
  "message.mid",
  "message.uuid",
  "message.title",
  "message.summary",
  "message.html",
  "message.plain",
  "message.lang",
  "message.attach",
  "message.edited",
  "message.revision",
] as const satisfies readonly ColumnName[];

/** An article or a card; one that came without a name is called by its uuid. */
export type Article = RowOf<typeof articleColumns> & { name: string };
