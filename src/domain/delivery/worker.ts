import { OutOfOrder, Stopping } from "../../errors.ts";
import { inBackground, inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { leaseSeconds, Leases, renewalMilliseconds } from "../../leases.ts";
import { isHubsFault, Probing, waitForHub } from "../../probing.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { sql } from "kysely";
import { listen } from "./bells.ts";
import type { QueueName } from "./bells.ts";

/** How often to look when nobody says that something has come. */
const pollMilliseconds = 1000;
const preparationMilliseconds = 5000;
/** What ends within so short a time is written down together, so that much work costs few transactions. */
const gatheringMilliseconds = 80;
/** What is under way when the hub stops has so long to come to its end. */
const graceMilliseconds = 3000;

/** A row that this worker has taken. `attempts` counts how often somebody has, this time included. */
export type Leased = { id: number; host: string; attempts: number };

/** How many more rows there is room for, in all and of one host; which hosts have enough under way; until when leases are over. */
export type Room = { free: number; ofHost: (host: string) => number; full: readonly string[]; over: string };

/** What is under way no longer: has ended, is given back, or has to wait for the hub. */
type Over<Row, End> = { ended: { row: Row; end: End }[]; back: Row[]; waiting: Row[] };

/** Rows that are worked off by as many processes as there are, each by one of them at a time. */
export type Queue<Row extends Leased, End> = {
  name: QueueName;
  table: "delivery" | "inbox_activity";
  /** How many are under way at once, and how many of one host. */
  together: number;
  perHost: number;
  /**
   * Work that waits for somebody else: after so long it takes no place from others any more, though its host gets nothing
   * else until it has ended. So many are under way with it at most.
   */
  slow?: { milliseconds: number; together: number };
  /** Done every few seconds, before anything is taken; in a transaction of its own. */
  prepare?: (hub: Hub) => Promise<void>;
  /** What is due and may begin, by number; `underWay` is what takes places. */
  due: (hub: Hub, room: Room, underWay: readonly Row[]) => Promise<number[]>;
  /** What else is needed of rows that were taken; part of the transaction that takes them. */
  load: (hub: Hub, ids: readonly number[]) => Promise<Row[]>;
  /** Does the work, outside of transactions. Throws Stopping when the signal has come and it is to be done another time. */
  run: (hub: Hub, row: Row, signal: AbortSignal) => Promise<End>;
  /** How a row ends whose work failed in a way that nobody thought of. */
  broken: (error: unknown) => End;
  /** Writes down how some have ended; part of a transaction. */
  settle: (hub: Hub, ended: readonly { row: Row; end: End }[]) => Promise<void>;
};

const never = new AbortController().signal;

/** Works off a queue: one of them in each process that serves or works. */
export class Worker<Row extends Leased, End extends { kind: string }> {
  readonly #queue: Queue<Row, End>;
  readonly #hub: Hub;
  /** The hub as the work itself gets it: it ends when the hub stops. */
  readonly #inWork: Hub;
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  readonly #running = new Map<number, Row>();
  /** Of these, those that wait for somebody and take no place. */
  readonly #slow = new Map<number, Row>();
  readonly #leases = new Leases();
  readonly #probing = new Probing<QueueName>();
  #ended: { row: Row; end: End }[] = [];
  #back: Row[] = [];
  /** Those that have met a hub out of order. */
  #waiting: Row[] = [];
  #prepared = -Infinity;
  #change = Promise.withResolvers<void>();
  #timers: NodeJS.Timeout[] = [];
  #gathering: NodeJS.Timeout | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(hub: Hub, queue: Queue<Row, End>) {
    this.#queue = queue;
    this.#hub = inBackground(hub, never);
    this.#inWork = inBackground(hub, this.#cut.signal);
  }

  /** Begins, and goes on until it is stopped. */
  start(): void {
    listen(this.#hub, this.#queue.name, () => this.#look());
    this.#timers = [
      setInterval(() => this.#look(), pollMilliseconds),
      setInterval(() => void this.#renew(), renewalMilliseconds),
    ];
    this.#loop = this.#goOn();
  }

  /** What is under way ends, or is given back; nothing else begins. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const [look] = this.#timers;
    clearInterval(look);
    const grace = setTimeout(() => this.#cut.abort(), graceMilliseconds);
    this.#look();
    await this.#loop;
    clearTimeout(grace);
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Works off everything that is due, and what becomes due by that; answers how many rows were taken. */
  async drain(): Promise<number> {
    let taken = 0;
    for (;;) {
      const begun = await this.#round();
      taken += begun;
      if (begun === 0 && this.#isIdle()) return taken;
      if (this.#running.size > 0) await this.#changed();
    }
  }

  #isIdle(): boolean {
    return this.#running.size + this.#ended.length + this.#back.length + this.#waiting.length === 0;
  }

  async #goOn(): Promise<void> {
    for (;;) {
      try {
        await this.#round();
      } catch (error) {
        if (error instanceof OutOfOrder) this.#leases.noteAway();
        this.#hub.log.error("The worker of {queue} failed: {error}", { queue: this.#queue.name, error });
        // What could not be written down comes back when its lease is over.
        if (this.#stopping.signal.aborted) return;
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
      }
      if (this.#stopping.signal.aborted && this.#isIdle()) return;
      await this.#changed();
    }
  }

  #look(): void {
    this.#change.resolve();
  }

  /** Something has ended, come or become due. */
  async #changed(): Promise<void> {
    await this.#change.promise;
    this.#change = Promise.withResolvers<void>();
  }

  /** Writes down what has ended and takes what is next, in one transaction; answers how many that is. */
  async #round(): Promise<number> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const over = { ended: this.#ended.splice(0), back: this.#back.splice(0), waiting: this.#waiting.splice(0) };
    try {
      await this.#prepare();
      const leased = await this.#next(over);
      for (const row of leased) this.#begin(row);
      return leased.length;
    } catch (error) {
      this.#ended.unshift(...over.ended);
      this.#back.unshift(...over.back);
      this.#waiting.unshift(...over.waiting);
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    const { prepare } = this.#queue;
    if (!prepare || performance.now() - this.#prepared < preparationMilliseconds) return;
    this.#prepared = performance.now();
    await inTransaction(this.#hub, prepare);
  }

  async #next({ ended, back, waiting }: Over<Row, End>): Promise<Row[]> {
    const { settle } = this.#queue;
    const room = this.#room();
    const due = (hub: Hub) => (room.free > 0 ? this.#due(hub, room) : []);
    // Nothing to do is the usual answer; it should not cost a transaction.
    if (ended.length + back.length + waiting.length === 0 && (await due(this.#hub)).length === 0) return [];
    return inTransaction(this.#hub, async (hub) => {
      if (ended.length > 0) await settle(hub, ended);
      if (back.length > 0) await this.#giveBack(hub, back);
      if (waiting.length > 0) await this.#giveBack(hub, waiting, momentIn(hub, waitForHub()));
      return this.#take(hub, await due(hub), room);
    });
  }

  /** None of those that are under way here: who could not say so for too long has lost them all the same. */
  async #due(hub: Hub, room: Room): Promise<number[]> {
    const underWay = [...this.#running.values()].filter(({ id }) => !this.#slow.has(id));
    const due = await this.#queue.due(hub, room, underWay);
    return due.filter((id) => !this.#running.has(id));
  }

  #room(): Room {
    const { perHost } = this.#queue;
    const free = this.#stopping.signal.aborted ? 0 : this.#free();
    const busy = new Map<string, number>();
    for (const { host } of this.#running.values()) busy.set(host, (busy.get(host) ?? 0) + 1);
    for (const { host } of this.#slow.values()) busy.set(host, perHost);
    const ofHost = (host: string): number => perHost - (busy.get(host) ?? 0);
    const full = [...busy.keys()].filter((host) => ofHost(host) <= 0);
    return { free, ofHost, full, over: this.#leases.over(this.#hub) };
  }

  #free(): number {
    const { name, together, slow } = this.#queue;
    if (this.#probing.held().length > 0) return 0;
    const free = (this.#probing.isProbed(name) ? 1 : together) - (this.#running.size - this.#slow.size);
    return slow ? Math.min(free, slow.together - this.#running.size) : free;
  }

  async #take(hub: Hub, ids: readonly number[], { over }: Room): Promise<Row[]> {
    if (ids.length === 0) return [];
    const { table } = this.#queue;
    const lease = { ids, over, until: momentIn(hub, leaseSeconds * 1000) };
    const taken = await compiled(hub, `take of ${table}`, lease, (slots) => {
      let free = hub.db
        .selectFrom(table as "delivery")
        .select("id")
        .where(isOneOf(hub.engine, sql.ref("id"), slots.ids))
        .where(sql<boolean>`state = 'waiting'`)
        .where("lease_until", "<=", slots.over);
      // Another worker may be about to take the same.
      if (hub.engine === "postgres") free = free.orderBy("id").forUpdate().skipLocked();
      return this.#rows(hub)
        .set((eb) => ({ lease_until: slots.until, attempts: eb("attempts", "+", 1) }))
        .where("id", "in", free)
        .returning("id");
    });
    if (taken.length === 0) return [];
    const rows = await this.#queue.load(
      hub,
      taken.map(({ id }) => Number(id)),
    );
    return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  }

  #begin(row: Row): void {
    const { name } = this.#queue;
    this.#running.set(row.id, row);
    this.#probing.begun(name);
    const slow = this.#queue.slow && setTimeout(() => this.#leavePlace(row), this.#queue.slow.milliseconds);
    const over = (): void => {
      clearTimeout(slow);
      this.#running.delete(row.id);
      this.#slow.delete(row.id);
      this.#gather();
    };
    const ended = (end: End): void => {
      this.#probing.ended(name, false);
      this.#hub.counters.countQueued(name, end.kind);
      this.#ended.push({ row, end });
    };
    const waits = (error: unknown): void => {
      this.#probing.ended(name, true);
      this.#hub.log.warning("One of {queue} waits, because the hub is out of order: {error}", { queue: name, error });
      this.#waiting.push(row);
    };
    this.#hub
      .named(name, () => this.#queue.run(this.#inWork, row, this.#cut.signal))
      .then(ended, (error: unknown) => {
        if (error instanceof Stopping) this.#back.push(row);
        else if (isHubsFault(error)) waits(error);
        else ended(this.#queue.broken(error));
      })
      .finally(over);
  }

  #leavePlace(row: Row): void {
    this.#slow.set(row.id, row);
    this.#look();
  }

  /** Half of the places fill again at once, or all of them when nothing is under way; else others may end in a moment. */
  #gather(): void {
    const isEnough = this.#running.size === 0 || this.#ended.length >= this.#queue.together / 2;
    // Others that end in the same turn come along in any case.
    if (isEnough) setImmediate(() => this.#look());
    else this.#gathering ??= setTimeout(() => this.#look(), gatheringMilliseconds);
  }

  /** They have done nothing wrong, and are taken again as soon as there is somebody, or from then on. */
  async #giveBack(hub: Hub, rows: readonly Row[], from?: string): Promise<void> {
    const ids = rows.map(({ id }) => id);
    await this.#rows(hub)
      .set((eb) => ({ lease_until: zeroDate, attempts: eb("attempts", "-", 1) }))
      .set(from === undefined ? {} : { next_at: from })
      .where(isOneOf(hub.engine, sql.ref("id"), ids))
      .where(sql<boolean>`state = 'waiting'`)
      .where("attempts", ">", 0)
      .execute();
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    try {
      await this.#rows(this.#hub)
        .set({ lease_until: momentIn(this.#hub, leaseSeconds * 1000) })
        .where(isOneOf(this.#hub.engine, sql.ref("id"), ids))
        .where(sql<boolean>`state = 'waiting'`)
        .execute();
    } catch (error) {
      this.#leases.noteAway();
      this.#hub.log.warning("Leases of {queue} could not be renewed: {error}", { queue: this.#queue.name, error });
    }
  }

  /** Both tables are alike in what a worker changes. */
  #rows(hub: Hub) {
    return hub.db.updateTable(this.#queue.table as "delivery");
  }
}
