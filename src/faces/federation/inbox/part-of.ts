import { readJson } from "../translate/json.ts";

/** What a document has under a name, the first of several, as a document of its own. */
export function partOf(bytes: Uint8Array, name: string): Uint8Array {
  const parsed = readJson(bytes);
  const json = "value" in parsed ? parsed.value : undefined;
  if (typeof json !== "object" || json === null || Array.isArray(json)) return Buffer.from("null");
  const [part] = [json[name]].flat();
  return Buffer.from(JSON.stringify(part ?? null));
}
