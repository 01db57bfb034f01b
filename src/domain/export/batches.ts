import { setImmediate as othersTurn } from "node:timers/promises";

const together = 100;

/** Rows by key, a hundred at a time; in between others get their turn. */
export async function* batches<Row>(
  read: (after: Row | undefined, count: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await read(after, together);
    if (rows.length > 0) yield rows;
    if (rows.length < together) return;
    after = rows.at(-1);
    await othersTurn();
  }
}
