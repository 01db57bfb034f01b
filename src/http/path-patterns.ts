type Branch<T> = { fixed: Map<string, Branch<T>>; any?: Branch<T>; end?: { value: T; names: string[] } };

/** A value that a path leads to, with the segments that stand for the names in its pattern, as they were sent. */
type Match<T> = { value: T; named: Map<string, string> };

/** Paths in which a segment `:name` stands for any one that is not empty. Where a fixed segment fits as well, it goes first. */
export class PathPatterns<T> {
  readonly #root: Branch<T> = { fixed: new Map() };

  /** Throws for a pattern that differs from another one in its names alone. */
  add(pattern: string, value: T): void {
    const names: string[] = [];
    let branch = this.#root;
    for (const segment of pattern.split("/")) {
      if (segment.startsWith(":")) {
        names.push(segment.slice(1));
        branch = branch.any ??= { fixed: new Map() };
      } else {
        const next = branch.fixed.get(segment) ?? { fixed: new Map() };
        branch.fixed.set(segment, next);
        branch = next;
      }
    }
    if (branch.end) throw new Error(`${pattern} differs from another path in the names of its segments alone`);
    branch.end = { value, names };
  }

  find(path: string): Match<T> | undefined {
    return walk(this.#root, path.split("/"), []);
  }
}

function walk<T>({ fixed, any, end }: Branch<T>, segments: readonly string[], values: string[]): Match<T> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined)
    return end && { value: end.value, named: new Map(end.names.map((name, at) => [name, values[at]!])) };
  const next = fixed.get(segment);
  const found = next && walk(next, rest, values);
  return found ?? (any && segment !== "" ? walk(any, rest, [...values, segment]) : undefined);
}
