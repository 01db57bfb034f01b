import type { Dialect } from "kysely";
import type { ReplicaAge } from "./replica.ts";

/** Is asked before each statement and transaction of background work; throws when there is to be no further one. */
export type Step = () => Promise<void> | void;

/**
 * Connections to the database, those of them that nobody uses, and how many wait for one or for their turn: all, and those who wait as
 * somebody waits for an answer, as far as that is known.
 */
export type Pool = { open: number; idle: number; waiting: number; requests: number };

/** One database as Kysely uses it: for those who wait for an answer, and for work that lets them go first. */
export type Dialects = {
  requests: Dialect;
  background: (step: Step) => Dialect;
  pool: () => Pool;
  /** The same, with plain reads from another server that may be a little behind, and how old that one is. */
  replica?: { dialect: Dialect; age: ReplicaAge; end: () => Promise<void> };
};
