const newline = 10;

/** The lines of a text, whatever they hold: nothing but a line feed ends one. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let parts: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString();
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
  if (parts.some((part) => part.length > 0)) yield Buffer.concat(parts).toString();
  return undefined;
}

/** Lines as larger pieces of text, because a stream is slow when it gets single lines. */
export async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length >= 65_536) {
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}
