import type { Dialect } from "kysely";

/** Is asked before each statement and transaction of background work; throws when there is to be no further one. */
export type Step = () => Promise<void> | void;

/** One database as Kysely uses it: for those who wait for an answer, and for work that lets them go first. */
export type Dialects = { requests: Dialect; background: (step: Step) => Dialect };
