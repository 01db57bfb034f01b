/** The text of `{success, <name>}` around the entries of all batches, piece by piece, as they are read. */
export async function* listText<T>(
  name: string,
  batches: AsyncIterable<readonly T[]>,
  write: (entry: T) => string,
): AsyncGenerator<string> {
  yield `{"success":true,"${name}":[`;
  let between = "";
  for await (const batch of batches) {
    yield between + batch.map(write).join(",");
    between = ",";
  }
  yield "]}";
}
