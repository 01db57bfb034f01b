/** How many rows one statement removes or reads at the most: nothing can interrupt it, and everybody waits for it. */
export const oneStep = 500;

/** Removes rows by a statement that takes as many as it is told, again and again until none are left. */
export async function removeInSteps(some: (most: number) => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while ((await some(oneStep)).numDeletedRows === BigInt(oneStep));
}

/** Reads a list by a statement that reads as many as it is told behind a key, which grows from row to row, until none are left. */
export async function readInSteps<Row extends { key: string }>(
  some: (after: string, most: number) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const rows = await some(all.at(-1)?.key ?? "", oneStep);
    all.push(...rows);
    if (rows.length < oneStep) return all;
  }
}
