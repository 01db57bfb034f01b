import type { Node } from "./node.ts";

/** A collection, or one page of it. */
export type Collection = {
  id: string | undefined;
  attributedTo: string[];
  totalItems: number | undefined;
  /** A first page that is written out here, or where it is. */
  first: Node | string | undefined;
  next: string | undefined;
  partOf: string | undefined;
  items: (Node | string)[];
};

const types = ["Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage"];

/** Undefined for what is no collection. */
export function readCollection(node: Node): Collection | undefined {
  if (!node.types.some((type) => types.includes(type))) return undefined;
  return {
    id: node.id,
    attributedTo: node.ids("attributedTo"),
    totalItems: node.number("totalItems"),
    first: node.members("first")[0],
    next: node.oneId("next"),
    partOf: node.oneId("partOf"),
    items: [...node.members("orderedItems"), ...node.members("items")],
  };
}
