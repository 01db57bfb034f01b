/** A record that has a value for each of these names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
