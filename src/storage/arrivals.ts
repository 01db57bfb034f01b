import { AsyncLocalStorage } from "node:async_hooks";

/** Somebody for whom something is done. */
export type Visitor = { place: number; milliseconds: number };

/** What is being done, by a name for the log, and for whom; work that nobody waits for has no visitor. */
type Doing = { name: string; visitor: Visitor | undefined };

/** After so many milliseconds of the loop somebody goes behind those who came meanwhile: a long export holds up nobody. */
const longest = 25;

/** Who came when: whatever is done for somebody has the place of their arrival, however often it has to wait. */
export class Arrivals {
  readonly #doings = new AsyncLocalStorage<Doing>();
  #last = 0;
  #isSomebodyAtTheDoor = false;

  /** Does the work of one who comes now. */
  enter<T>(work: () => T): T {
    return this.#doings.run({ name: "", visitor: this.#newcomer() }, work);
  }

  /** Does work of that name that nobody waits for. */
  named<T>(name: string, work: () => T): T {
    return this.#doings.run({ name, visitor: undefined }, work);
  }

  /** Names the work of the one who asks. */
  name(name: string): void {
    const doing = this.#doings.getStore();
    if (doing) doing.name = name;
  }

  /** The name of what is being done, if it has one. */
  get doing(): string {
    return this.#doings.getStore()?.name ?? "";
  }

  /** A connection has come in. */
  cameIn(): void {
    this.#isSomebodyAtTheDoor = true;
  }

  /** Has a connection come in since this was asked last? */
  takeSomebodyAtTheDoor(): boolean {
    const answer = this.#isSomebodyAtTheDoor;
    this.#isSomebodyAtTheDoor = false;
    return answer;
  }

  /** Whoever asks; one who has never come stands behind everybody. */
  get visitor(): Visitor {
    return this.#doings.getStore()?.visitor ?? this.#newcomer();
  }

  /** So many milliseconds of the loop went to a visitor. */
  took(visitor: Visitor, milliseconds: number): void {
    visitor.milliseconds += milliseconds;
    if (visitor.milliseconds > longest) Object.assign(visitor, this.#newcomer());
  }

  #newcomer(): Visitor {
    return { place: ++this.#last, milliseconds: 0 };
  }
}
