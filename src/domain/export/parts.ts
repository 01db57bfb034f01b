/** One key of an export: a value, or records that are read while they are written, some at a time. */
export type Part =
  | { key: string; value: () => Promise<unknown> }
  | { key: string; records: () => AsyncIterable<readonly object[]> };

/** A key with a single value; it is left out when that is undefined. */
export function one(key: string, value: () => Promise<unknown>): Part {
  return { key, value };
}

/** A key with a list that is short enough to be read at once. */
export function list(key: string, read: () => Promise<readonly object[]>): Part {
  return { key, value: read };
}

/** A key with a list of any length; without records it is an empty list. */
export function many(key: string, records: () => AsyncIterable<readonly object[]>): Part {
  return { key, records };
}

/** The parts as the text of one JSON object, in pieces of some records each. */
export async function* writeParts(parts: Iterable<Part>): AsyncGenerator<string> {
  let before = "{";
  for (const part of parts) {
    const name = `${before}${JSON.stringify(part.key)}:`;
    if ("records" in part) {
      yield name;
      yield* writeList(part.records());
    } else {
      const value = await part.value();
      if (value === undefined) continue;
      yield name + JSON.stringify(value);
    }
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

async function* writeList(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const records of batches) {
    if (records.length === 0) continue;
    yield before + JSON.stringify(records).slice(1, -1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
