import { refusal } from "../../../errors.ts";

/** No record of an export is nested deeper; reading deep nesting takes long, and its readers call themselves. */
const deepest = 100;

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const comma = 0x2c;

/**
 * Passes the bytes of a JSON text on, as long as it is nested no deeper than anything of ours and has no more than
 * `mostValues` values. Throws invalid, too-large.
 */
export async function* shallow(bytes: AsyncIterable<Uint8Array>, mostValues = Infinity): AsyncGenerator<Uint8Array> {
  let [depth, values] = [0, 0];
  let [inText, escaped] = [false, false];
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (byte === comma) values += 1;
      else if (closing.has(byte)) depth -= 1;
      else if (opening.has(byte)) [depth, values] = [depth + 1, values + 1];
      if (depth > deepest) throw refusal("export_too_deep");
    }
    if (values > mostValues) throw refusal("old_hub_answer_too_full");
    yield chunk;
  }
}
