import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseAway } from "../errors.ts";
import type { Database } from "./engine.ts";

/** What is read from a replica is no older than so many milliseconds; from one further behind nothing is read. */
export const mostBehind = 1000;
/** How long after each answer both servers are asked again. */
const pause = 150;
/** They are left alone when nobody has wanted to read there for so long. */
const rest = 10_000;
/** Whoever is behind by more than so many looks need not be told how far. */
const mostMarks = 64;

/** A second server that repeats what the first one does. */
export type Replica = {
  /** Reads there, and does everything else on the primary. Throws DatabaseAway when the replica is too far behind. */
  db: Database;
  /** Is it known to show all that was committed a second ago? */
  isFresh: () => boolean;
  /**
   * Asks both servers how many milliseconds it is behind at most, for so long that one that is read from is known to be. Throws where
   * there is no answer, or it repeats another server.
   */
  measure: () => Promise<number>;
  close: () => Promise<void>;
};

/** Where a server's log is, and whose log that is. */
export type Position = { log: string; position: number };

/** Asks the primary how far it has written its log, and the replica how far it has come in there. */
type Ask = { primary: () => Promise<Position>; replica: () => Promise<Position> };

/**
 * Knows how old a replica is at most. Whatever was committed on the primary before it was asked lies before the place in
 * its log that it names; when the replica has repeated the log up to there, it shows all of that, and does so ever after.
 */
export class ReplicaAge {
  readonly #ask: Ask;
  /** Where the primary was, and when it was asked; the newest first. */
  #marks: (Position & { at: number })[] = [];
  /** The replica shows what was committed before this moment. */
  #asOf = -Infinity;
  #wanted = -Infinity;
  #isAsking = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Goes on measuring for a while; who asks first learns that nobody knows. */
  get isFresh(): boolean {
    const moment = performance.now();
    this.#wanted = moment;
    if (!this.#isAsking) void this.#goOn();
    return moment - this.#asOf <= mostBehind;
  }

  /** Asks both once. */
  async measure(): Promise<number> {
    const at = performance.now();
    this.#marks = [{ ...(await this.#ask.primary()), at }, ...this.#marks].slice(0, mostMarks);
    const { log, position } = await this.#ask.replica();
    if (log !== this.#marks[0]!.log) throw new Error("It does not repeat the log of this server.");
    const reached = this.#marks.find((mark) => mark.log === log && mark.position <= afterHeader(position));
    this.#asOf = Math.max(this.#asOf, reached?.at ?? -Infinity);
    return performance.now() - this.#asOf;
  }

  end(): void {
    this.#wanted = -Infinity;
  }

  async #goOn(): Promise<void> {
    this.#isAsking = true;
    while (performance.now() - this.#wanted < rest) {
      await this.measure().catch(() => undefined);
      await sleep(pause, undefined, { ref: false });
    }
    this.#isAsking = false;
  }
}

/** The replica, as those use it who do not know how its age is known. */
export function replicaOf(db: Database, { age, end }: { age: ReplicaAge; end: () => Promise<void> }): Replica {
  return {
    db,
    isFresh: () => age.isFresh,
    async measure() {
      const until = performance.now() + mostBehind;
      for (;;) {
        const behind = await age.measure();
        if (behind <= mostBehind || performance.now() > until) return behind;
        await sleep(pause);
      }
    },
    async close() {
      await db.destroy();
      await end();
    },
  };
}

/** Throws where the replica is not fresh. */
export function checkFresh({ isFresh }: Pick<ReplicaAge, "isFresh">): void {
  if (!isFresh) throw new DatabaseAway(new Error("the replica is too far behind"));
}

/** Pages of the log begin with a header that is no record: who has come to its beginning has come to its end. */
function afterHeader(position: number): number {
  return position % pageOfLog === 0 ? position + longestHeader : position;
}

const pageOfLog = 8192;
const longestHeader = 40;

/**
 * What a log is known by: the cluster, the line of its history, which is another one after each promotion, and the database. On a
 * replica the line is that of its last checkpoint, so after a promotion it is not read for some minutes.
 */
const logOf = (line: string): string =>
  `(select system_identifier from pg_control_system()) || ' ' || ${line} || ' ' || current_database() as log`;

/** Fails on a server that is a replica itself. */
export const askPrimary = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position,
  ${logOf("('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int")}`;

/** No row from a server that has become a primary. */
export const askReplica = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position,
  ${logOf("(select timeline_id from pg_control_checkpoint())")} where pg_is_in_recovery()`;
