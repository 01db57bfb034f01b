import type { Generated } from "kysely";

/** Work to be done after a change, written in the same transaction as the change. */
export type JobTable = {
  id: Generated<number>;
  name: string;
  payload: string;
  /** At most one waiting job has a given key; null for jobs that may pile up. */
  unique_key: string | null;
  /** Jobs of one lane run one after the other, in their order; empty for jobs that may overtake each other. */
  lane: Generated<string>;
  /** What it is for, as far as what that causes is counted together; empty for all else. */
  cause: Generated<string>;
  run_at: string;
  /** A worker has it until then. */
  leased_until: Generated<string>;
  attempts: Generated<number>;
  /** 1: given up; kept for the operator. */
  dead: Generated<number>;
  last_error: Generated<string>;
  created: string;
};

/** A change that goes on piece by piece: the ids between which it goes, upwards or downwards, and where the next piece begins. */
export type LongStepTable = { name: string; first_id: number; next_id: number; last_id: number; begun: string };
