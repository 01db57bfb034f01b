import type { Lists } from "../files/types.ts";
import type { ItemRow } from "../items/types.ts";

/** A wiki of a channel. */
export type Wiki = Pick<
  ItemRow,
  | "id"
  | "uid"
  | "aid"
  | "message_id"
  | "owner_id"
  | "created"
  | "item_hidden"
  | "item_private"
  | "public_policy"
  | "comment_policy"
  | keyof Lists
> & {
  mid: string;
  /** 64 hex; the same for all its pages. */
  resource_id: string;
  name: string;
  /** Content type of its pages. */
  mimetype: string;
};

/** A page of a wiki as it stands, in a list. */
export type ListedWikiPage = { mid: string; name: string; revision: number; edited: string };

/** One saved version of a page. */
export type WikiVersion = {
  id: number;
  mid: string;
  name: string;
  revision: number;
  created: string;
  mimetype: string;
  body: string;
  html: string;
  lang: string;
};

/** One line of a page's history. */
export type WikiChange = Pick<WikiVersion, "id" | "revision" | "created"> & { author: string; authorUrl: string };

/** The page that every wiki has. */
export const home = "Home";
