/** How many channels get their copies in one transaction: each is brought to the disk, and nobody else writes meanwhile. */
export const together = 100;

/** How many get them in one statement: nobody else is answered meanwhile. */
export const batch = 25;

/** The same in their order, `size` at a time. */
export function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
