import { missing } from "../../../errors.ts";
import { jsonDocument } from "../document.ts";
import type { Document } from "../document.ts";
import { plainContext } from "./context.ts";

/** A list as strangers may read it. */
export type Collection = {
  id: string;
  /** Undefined: nobody but those who keep it learns how many there are, or which. */
  total: number | undefined;
  /** What else is said of it. */
  more?: object;
  /** All that it has, of one that is short. */
  items?: readonly unknown[];
  /** What comes after this key, or first; without pages the list only says how many there are. */
  page?(key: number | undefined): Promise<{ items: readonly unknown[]; next: number | undefined }>;
};

export const perPage = 20;

/** The cursor of the first page. */
const first = "first";

/** The list, or the page that the address asks for, by key. Throws missing for pages that there can't be. */
export async function collectionDocument(collection: Collection, query: URLSearchParams): Promise<Document> {
  const cursor = query.get("page");
  const value = cursor === null ? whole(collection) : await page(collection, cursor);
  return jsonDocument({ "@context": plainContext, ...value });
}

function whole({ id, total, more, items, page }: Collection): object {
  const pages = total === undefined ? {} : { totalItems: total, ...(page && { first: `${id}?page=${first}` }) };
  return { id, type: "OrderedCollection", ...more, ...pages, ...(items && { orderedItems: items }) };
}

async function page({ id, total, page }: Collection, cursor: string): Promise<object> {
  if (!page || total === undefined || !/^(?:first|\d{1,15})$/.test(cursor)) throw missing("Page");
  const { items, next } = await page(cursor === first ? undefined : Number(cursor));
  return {
    id: `${id}?page=${cursor}`,
    type: "OrderedCollectionPage",
    partOf: id,
    totalItems: total,
    orderedItems: items,
    ...(next !== undefined && { next: `${id}?page=${next}` }),
  };
}
