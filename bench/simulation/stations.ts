import type { Agenda } from "./agenda.ts";

type Piece = { left: number; done: () => void };

/** How long (milliseconds) something has a core before others who wait have their turn. */
const turn = 2;

/** The cores of a machine: whatever has to be worked there takes turns on them. */
export class Cores {
  readonly #agenda: Agenda;
  readonly #waiting: Piece[] = [];
  #free: number;
  #worked = 0;

  constructor(agenda: Agenda, count: number) {
    this.#agenda = agenda;
    this.#free = count;
  }

  /** Milliseconds that all of them together have worked so far. */
  get worked(): number {
    return this.#worked;
  }

  work(milliseconds: number, done: () => void): void {
    this.#waiting.push({ left: milliseconds, done });
    this.#begin();
  }

  #begin(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const piece = this.#waiting.shift()!;
      const time = Math.min(turn, piece.left);
      this.#free--;
      this.#agenda.after(time, () => {
        this.#free++;
        this.#worked += time;
        piece.left -= time;
        if (piece.left > 0) this.#waiting.push(piece);
        else piece.done();
        this.#begin();
      });
    }
  }
}

/** So many at a time do something, and others wait until one has done. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  take(begin: () => void): void {
    if (this.#free === 0) return void this.#waiting.push(begin);
    this.#free--;
    begin();
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** A process with one thread: it does one thing after the other, when it has a core. */
export class Thread {
  readonly #cores: Cores;
  readonly #self = new Places(1);

  constructor(cores: Cores) {
    this.#cores = cores;
  }

  work(milliseconds: number, done: () => void): void {
    this.#self.take(() =>
      this.#cores.work(milliseconds, () => {
        this.#self.give();
        done();
      }),
    );
  }
}
