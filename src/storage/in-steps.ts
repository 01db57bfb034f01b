/** How many rows one statement removes at the most: nothing can interrupt it, and everybody waits for it. */
export const oneStep = 500;

/** Removes rows by a statement that takes as many as it is told, again and again until none are left. */
export async function removeInSteps(some: (most: number) => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while ((await some(oneStep)).numDeletedRows === BigInt(oneStep));
}
