import type { Lists } from "../files/types.ts";
import type { Item } from "../items/types.ts";

/** A page element in a list: everything but its text. */
export type ListedPage = Pick<
  Item,
  | "id"
  | "uid"
  | "message_id"
  | "author_id"
  | "created"
  | "item_private"
  | "public_policy"
  | keyof Lists
  | "mid"
  | "title"
  | "mimetype"
  | "layout_mid"
  | "edited"
  | "revision"
> & { name: string };

/** A page element with its text. */
export type WebPage = ListedPage & Pick<Item, "body" | "html" | "lang">;

/** An article or a card; one that came without a name is called by its uuid. */
export type Article = Pick<
  Item,
  | "id"
  | "uid"
  | "author_id"
  | "created"
  | "item_private"
  | "mid"
  | "uuid"
  | "title"
  | "summary"
  | "html"
  | "plain"
  | "lang"
  | "attach"
  | "edited"
  | "revision"
> & { name: string };
