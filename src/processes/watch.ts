import cluster from "node:cluster";
import type { Worker } from "node:cluster";
import type { Log } from "../log.ts";
import type { Message, Told } from "./messages.ts";

/** A process that has lived for so long (milliseconds) is replaced at once; others after a wait that doubles each time. */
const livedWell = 10_000;
const [firstWait, longestWait] = [500, 30_000];
/** Who has not answered within so many milliseconds is left out. */
const patience = 2000;

/** One of the places for a process, and how things went with those that had it. */
type Slot = { part: number; worker: Worker | undefined; since: number; isReady: boolean; wait: number };

/** What somebody wants to know of all: what was answered, and who has not answered yet. */
type Question = { told: Told[]; asked: Set<number>; end: () => void };

type Watching = {
  count: number;
  log: Log;
  /** The first process takes requests. */
  ready: (answer: unknown) => void;
};

/**
 * Starts as many processes of the hub behind one port, and replaces those that end, until `stop` comes. The first one brings the tables
 * up to date before the others begin. Answers the exit code: that of the first process if it never came to take requests.
 */
export async function watchProcesses({ count, log, ready }: Watching, stop: Promise<void>): Promise<number> {
  // Were the watcher to share connections out, one that it is handing to a process which dies would stay open for ever without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const watcher = new Watcher(log);
  void stop.then(() => watcher.stop());
  const first = await watcher.start(1);
  if (first.kind === "ended") return first.code;
  ready(first.answer);
  for (let part = 2; part <= count; part++) void watcher.start(part);
  await watcher.over;
  return 0;
}

type Start = { kind: "ready"; answer: unknown } | { kind: "ended"; code: number };

class Watcher {
  readonly #log: Log;
  readonly #slots = new Map<number, Slot>();
  readonly #questions = new Map<string, Question>();
  readonly #over = Promise.withResolvers<void>();
  #isStopping = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves when all have ended after `stop`. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Fills a place for the first time. Answers how that went; who was ready once is replaced from then on. */
  start(part: number): Promise<Start> {
    const slot: Slot = { part, worker: undefined, since: 0, isReady: false, wait: firstWait };
    this.#slots.set(part, slot);
    return new Promise((resolve) => this.#fill(slot, resolve));
  }

  /** Has all end as they do when they are told to; whoever ends is not replaced any more. */
  stop(): void {
    this.#isStopping = true;
    for (const { worker } of this.#slots.values()) worker?.process.kill("SIGTERM");
    this.#look();
  }

  #fill(slot: Slot, started?: (start: Start) => void): void {
    if (this.#isStopping) return started?.({ kind: "ended", code: 0 });
    const worker = cluster.fork({ HUBBUB_PART: String(slot.part) });
    Object.assign(slot, { worker, since: performance.now(), isReady: false });
    worker.on("message", (message: Message) => {
      if (message.kind === "ready") {
        slot.isReady = true;
        started?.(message);
      } else this.#hear(slot, message);
    });
    worker.once("exit", (code, signal) => {
      slot.worker = undefined;
      for (const open of this.#questions.values()) this.#answered(open, slot.part);
      if (started && !slot.isReady) started({ kind: "ended", code: this.#isStopping ? 0 : (code ?? 1) });
      if (this.#isStopping) return this.#look();
      // What could not even begin has said why, and ends all of it.
      if (started && !slot.isReady && slot.part === 1) return;
      this.#replace(slot, signal ?? `code ${code}`);
    });
  }

  #replace(slot: Slot, reason: string): void {
    const lived = performance.now() - slot.since;
    const wait = lived > livedWell ? 0 : slot.wait;
    slot.wait = lived > livedWell ? firstWait : Math.min(slot.wait * 2, longestWait);
    this.#log.warning("Process {part} has ended ({reason}); another takes its place", {
      part: slot.part,
      reason,
      wait,
    });
    setTimeout(() => this.#fill(slot), wait);
  }

  #look(): void {
    if ([...this.#slots.values()].every(({ worker }) => worker === undefined)) this.#over.resolve();
  }

  #hear({ part }: Slot, message: Message): void {
    if (message.kind === "ask") this.#askAll(part, message.question);
    if (message.kind !== "tell") return;
    const open = this.#questions.get(`${message.by} ${message.question}`);
    open?.told.push({ part, value: message.value });
    if (open) this.#answered(open, part);
  }

  /** Nothing more comes from there: it has answered, or has ended. */
  #answered({ asked, end }: Question, part: number): void {
    if (asked.delete(part) && asked.size === 0) end();
  }

  #askAll(by: number, question: number): void {
    const key = `${by} ${question}`;
    const able = [...this.#slots.values()].filter(({ worker, isReady }) => isReady && worker?.isConnected());
    const told: Told[] = [];
    const end = (): void => {
      clearTimeout(timer);
      this.#questions.delete(key);
      const all = told.toSorted((one, other) => one.part - other.part);
      this.#send(this.#slots.get(by)?.worker, { kind: "told", question, all });
    };
    const timer = setTimeout(end, patience);
    this.#questions.set(key, { told, asked: new Set(able.map(({ part }) => part)), end });
    for (const { worker } of able) this.#send(worker, { kind: "asked", question, by });
  }

  /** One that ends just now hears nothing. */
  #send(worker: Worker | undefined, message: Message): void {
    if (worker?.isConnected()) worker.send(message, undefined, () => undefined);
  }
}
