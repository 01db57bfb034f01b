/**
 * Finds out that pages come round again, however many there are in a circle, and remembers one of them (after R. P. Brent):
 * each page is compared with the last one whose place is a power of two.
 */
export class Circle {
  #mark = "";

  /** The number of the page that has been remembered before the page `number` comes; undefined before the first one. */
  static markBefore(number: number): number | undefined {
    return number === 0 ? undefined : 2 ** Math.floor(Math.log2(number)) - 1;
  }

  /** Takes the name of what stands on a page that is to be remembered. */
  remember(name: string): void {
    this.#mark = name;
  }

  /** Is the page `number` (from 0) the one that is remembered? */
  closes(number: number, name: string): boolean {
    if (name === this.#mark) return true;
    if (Number.isInteger(Math.log2(number + 1))) this.#mark = name;
    return false;
  }
}
