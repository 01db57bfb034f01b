import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { HubError, refusal, TookTooLong } from "./errors.ts";

/** A module whose exported functions are called in threads of their own; arguments and results are copied. */
export type Crew = {
  module: URL;
  /** How many threads there are at most. */
  threads: number;
  /** How many calls may wait for one of them. */
  queue: number;
  /**
   * How much of a processor one call may take, in milliseconds, from when it has a thread to itself; ten times as long by the
   * clock, since it is not its fault when the machine has other things to do.
   */
  limit: number;
};

type Work = Record<string, (...args: never[]) => unknown>;

export type Calls<Module> = {
  /**
   * Calls a function of the module in a thread. Throws what the function throws; `too-many` when too many calls wait
   * already; TookTooLong beyond the limit, and the thread ends with it.
   */
  run<Name extends keyof Module & string>(
    name: Name,
    ...args: Parameters<Extract<Module[Name], Work[string]>>
  ): Promise<Awaited<ReturnType<Extract<Module[Name], Work[string]>>>>;
};

/** So many times its limit a call may take by the clock. */
const patience = 10;
const shortestLook = 10;
/** A thread without work ends after so many milliseconds, because each takes 10 MB. */
const idleMilliseconds = 10_000;
/** What is sent again after so many seconds may find a free thread. */
const retryAfter = 5;

/** The worker threads of a hub: started when they are needed, ended when they are not, below the priority of requests. */
export class Threads {
  readonly #pools = new Map<string, Pool>();

  /** The threads of this crew, as `typeof` the module that they run: `hub.threads.of<typeof work>(crew).run("count", 3)`. */
  of<Module>(crew: Crew): Calls<Module> {
    const known = this.#pools.get(crew.module.href);
    if (known) return known as Calls<Module>;
    const pool = new Pool(crew);
    this.#pools.set(crew.module.href, pool);
    return pool as Calls<Module>;
  }

  /** Ends all threads; what they are doing fails. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}

type Task = { name: string; args: unknown[]; resolve: (value: unknown) => void; reject: (error: unknown) => void };

class Pool {
  readonly #crew: Crew;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  run(name: string, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const thread = this.#free();
      const task = { name, args, resolve, reject };
      if (thread) thread.take(task);
      else if (this.#waiting.length < this.#crew.queue) this.#waiting.push(task);
      else reject(refusal("busy", { retryAfter }));
    });
  }

  async close(): Promise<void> {
    for (const task of this.#waiting.splice(0)) task.reject(closing());
    await Promise.all([...this.#threads].map((thread) => thread.end(closing())));
  }

  #free(): Thread | undefined {
    const idle = [...this.#threads].find((thread) => thread.isIdle);
    return idle ?? (this.#threads.size < this.#crew.threads ? this.#start() : undefined);
  }

  #start(): Thread {
    const thread = new Thread(
      this.#crew,
      () => this.#goOn(),
      () => this.#remove(thread),
    );
    this.#threads.add(thread);
    return thread;
  }

  #remove(thread: Thread): void {
    this.#threads.delete(thread);
    this.#goOn();
  }

  #goOn(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#free();
      if (!thread) return;
      thread.take(this.#waiting.shift()!);
    }
  }
}

function closing(): Error {
  return new Error("The hub is closing");
}

type Failure = { error: Error; fields?: Omit<HubError, keyof Error> };
type Answer = "ready" | { value: unknown } | Failure;

class Thread {
  readonly #worker: Worker;
  readonly #limit: number;
  readonly #whenFree: () => void;
  #ready = false;
  #ended = false;
  #task: Task | undefined;
  #timers: NodeJS.Timeout[] = [];

  constructor({ module, limit }: Crew, whenFree: () => void, whenGone: () => void) {
    this.#limit = limit;
    this.#whenFree = whenFree;
    // The room that bin/hubbub.js gives the thread of the requests for short-lived objects would be kept after each of these.
    setFlagsFromString("--min-semi-space-size=1");
    this.#worker = new Worker(new URL("../bin/thread.js", import.meta.url), {
      workerData: module.href,
      // What started this process is none of the threads' business.
      execArgv: [],
      env: {},
    });
    this.#worker.on("message", (answer: Answer) => this.#hear(answer));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => {
      this.#fail(new Error("A worker thread ended in the middle of its work"));
      whenGone();
    });
  }

  get isIdle(): boolean {
    return !this.#task && !this.#ended;
  }

  take(task: Task): void {
    this.#task = task;
    this.#stopTimers();
    // A process that waits for the answer must not come to its end meanwhile.
    this.#worker.ref();
    this.#worker.postMessage([task.name, task.args], []);
    if (this.#ready) this.#watch();
  }

  async end(reason: Error): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  #fail(reason: Error): void {
    this.#ended = true;
    this.#stopTimers();
    this.#settle((task) => task.reject(reason));
  }

  #watch(): void {
    const task = this.#task!;
    const late = (): void => void this.end(new TookTooLong(`${task.name} took longer than ${this.#limit} ms`));
    const before = this.#worker.cpuUsage();
    const look = async (): Promise<void> => {
      const { user, system } = await this.#worker.cpuUsage(await before);
      const left = this.#limit - (user + system) / 1000;
      if (this.#task !== task) return;
      if (left > 0) this.#lookIn(left, look);
      else late();
    };
    // A thread that has ended has nothing to say of itself.
    before.catch(() => undefined);
    this.#lookIn(this.#limit, look);
    this.#timers.push(setTimeout(late, patience * this.#limit));
  }

  #lookIn(milliseconds: number, look: () => Promise<void>): void {
    this.#timers.push(setTimeout(() => void look().catch(() => undefined), Math.max(milliseconds, shortestLook)));
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #hear(answer: Answer): void {
    if (answer === "ready") {
      this.#ready = true;
      if (this.#task) this.#watch();
      return;
    }
    this.#stopTimers();
    this.#settle((task) => ("error" in answer ? task.reject(errorOf(answer)) : task.resolve(answer.value)));
    this.#whenFree();
    if (this.#task) return;
    this.#worker.unref();
    this.#timers = [setTimeout(() => void this.end(closing()), idleMilliseconds).unref()];
  }

  #settle(how: (task: Task) => void): void {
    const task = this.#task;
    this.#task = undefined;
    if (task) how(task);
  }
}

function errorOf({ error, fields }: Failure): Error {
  return fields ? new HubError(fields.kind, error.message, fields) : error;
}
