import type { Hub } from "../hub.ts";

/**
 * A change to all rows of a table that takes too long for a migration: piece by piece, by the ids of the rows, while the hub serves with
 * old and new ones (domain/upkeep/long-steps.ts).
 */
export type LongStep = {
  /** The id at which it begins, and the one at which it ends: upwards or downwards. Undefined where there is nothing to do. */
  range: (hub: Hub) => Promise<{ first: number; last: number } | undefined>;
  /** The rows that come next from there. Whatever takes long is done here, before the transaction. */
  piece: (hub: Hub, from: number) => Promise<Piece>;
};

export type Piece = {
  /** Where the rows after these begin; undefined when these are the last ones. */
  next: number | undefined;
  /** Changes them, in the transaction that writes down how far the step is. */
  write: (hub: Hub) => Promise<void>;
};
