import { JSONParser } from "@streamparser/json";
import type { HubError } from "../../../errors.ts";
import { refusal } from "../../../errors.ts";
import { shallow } from "./shallow.ts";

/** A value two levels down: an entry of a list at the top, or a field of an object there. */
export type JsonEntry = { section: string; key: string | number; value: unknown };

/** More than the pictures of one photo need, less than what fills the memory. */
const mostBytesOfEntry = 64 * 1024 * 1024;

/**
 * The values two levels below the top of a JSON object, as they come: `{"item": [...]}` gives the items one by one,
 * `{"channel": {...}}` the fields. Throws invalid for what is no JSON object, with the place where it breaks; `name` is
 * that of the entry in an archive.
 */
export async function* jsonEntries(bytes: AsyncIterable<Uint8Array>, name = ""): AsyncGenerator<JsonEntry> {
  const parser = new JSONParser({ paths: ["$.*.*"], keepStack: false });
  let found: JsonEntry[] = [];
  parser.onValue = ({ value, key, stack }) => {
    found.push({ section: String(stack.at(-1)?.key ?? ""), key: key ?? "", value });
  };
  let ended = false;
  parser.onEnd = () => (ended = true);
  let pending = 0;
  let place = 0;
  for await (const chunk of shallow(bytes)) {
    place += chunk.length;
    if (ended && String.fromCharCode(...chunk.subarray(0, 64)).trim() === "") continue;
    try {
      parser.write(chunk);
    } catch (cause) {
      throw noJson(name, place - chunk.length, cause);
    }
    pending = found.length > 0 ? 0 : pending + chunk.length;
    if (pending > mostBytesOfEntry) throw refusal("export_record_too_large");
    yield* found;
    found = [];
  }
  if (!ended) throw noJson(name, place);
}

function noJson(name: string, place: number, cause?: unknown): HubError {
  const what = name === "" ? "This is not a whole export: the JSON" : `The archive is damaged or cut off: ${name}`;
  return refusal("export_ends_after", { what, byte: place, cause });
}
