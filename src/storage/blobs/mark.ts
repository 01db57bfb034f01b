/** The mark by which a blob store is known to its database: a random id that stands in both. */
export type Mark = {
  /** Where the store is, as the operator has named it. */
  place: string;
  /** The mark, if the store has one. */
  read(): Promise<string | undefined>;
  /** A mark for a store that has none, not valid before `settle`: this one, or one that it makes up or has offered before. */
  offer(id?: string): Promise<string>;
  /** Makes this mark the store's if it was offered; answers whether it is the store's now, whoever has done it. */
  settle(id: string): Promise<boolean>;
  /** Takes back an offer that nobody has settled. */
  withdraw(id: string): Promise<void>;
  /** Takes mark and offers away: the store belongs to no database until it gets another one. */
  remove(): Promise<void>;
};
