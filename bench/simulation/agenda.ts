/** What is going to happen, in the order of its time: a heap with the next event on top. */
export class Agenda {
  #now = 0;
  #last = 0;
  readonly #heap: { time: number; order: number; happen: () => void }[] = [];

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** Has something happen after so many milliseconds; of what is due at once, what was put down first comes first. */
  after(milliseconds: number, happen: () => void): void {
    const heap = this.#heap;
    heap.push({ time: this.#now + milliseconds, order: this.#last++, happen });
    for (let place = heap.length - 1; place > 0;) {
      const above = (place - 1) >> 1;
      if (!this.#before(place, above)) break;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Lets everything happen that is due by then. */
  runUntil(end: number): void {
    while (this.#heap.length > 0 && this.#heap[0]!.time <= end) {
      const { time, happen } = this.#take();
      this.#now = time;
      happen();
    }
    this.#now = end;
  }

  #take(): { time: number; happen: () => void } {
    const heap = this.#heap;
    this.#swap(0, heap.length - 1);
    const taken = heap.pop()!;
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      if (left >= heap.length) break;
      const next = right < heap.length && this.#before(right, left) ? right : left;
      if (!this.#before(next, place)) break;
      this.#swap(place, next);
      place = next;
    }
    return taken;
  }

  #before(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one]!, this.#heap[other]!];
    return a.time < b.time || (a.time === b.time && a.order < b.order);
  }

  #swap(one: number, other: number): void {
    [this.#heap[one], this.#heap[other]] = [this.#heap[other]!, this.#heap[one]!];
  }
}
