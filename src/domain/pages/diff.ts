/** One line of a comparison. */
export type DiffLine = { kind: "same" | "added" | "removed"; text: string };

/** Beyond this many pairs of lines the middle of two texts counts as replaced as a whole. */
const mostPairs = 4_000_000;

/** The lines of two texts side by side: what stayed, what went and what came. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [lines(before), lines(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return [
    ...mark("same", old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...mark("same", old.slice(old.length - end)),
  ];
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split(/\r?\n/);
}

function mark(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

function middle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length === 0 || fresh.length === 0 || old.length * fresh.length > mostPairs)
    return [...mark("removed", old), ...mark("added", fresh)];
  const common = lengths(old, fresh);
  const width = fresh.length + 1;
  const result: DiffLine[] = [];
  let [from, to] = [0, 0];
  while (from < old.length && to < fresh.length) {
    if (old[from] === fresh[to]) {
      result.push({ kind: "same", text: old[from]! });
      from++;
      to++;
    } else if (common[(from + 1) * width + to]! >= common[from * width + to + 1]!)
      result.push({ kind: "removed", text: old[from++]! });
    else result.push({ kind: "added", text: fresh[to++]! });
  }
  return [...result, ...mark("removed", old.slice(from)), ...mark("added", fresh.slice(to))];
}

/** How many lines the rests of the two texts have in common, for every place in both. */
function lengths(oldLines: string[], freshLines: string[]): Uint32Array {
  // Numbers are compared at once, however long and alike the lines are.
  const numbers = new Map<string, number>();
  const number = (line: string): number => {
    if (!numbers.has(line)) numbers.set(line, numbers.size);
    return numbers.get(line)!;
  };
  const [old, fresh] = [oldLines.map(number), freshLines.map(number)];
  const width = fresh.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let from = old.length - 1; from >= 0; from--) {
    for (let to = fresh.length - 1; to >= 0; to--) {
      const at = from * width + to;
      table[at] = old[from] === fresh[to] ? table[at + width + 1]! + 1 : Math.max(table[at + width]!, table[at + 1]!);
    }
  }
  return table;
}
