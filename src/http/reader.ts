import type { Endpoint } from "./endpoint.ts";
import type { Face } from "./face.ts";
import { nestedJson, nestedPairs, nestedParts } from "./nested.ts";
import { readJson, readPairs, readParts } from "./parameters.ts";
import type { Parameters } from "./parameters.ts";

/** Reads parameters from each place where they may stand. */
type Reader = {
  /** A query or an urlencoded body, one character for each byte. */
  pairs(text: string): Parameters;
  parts(parts: readonly { name: string; bytes: Uint8Array }[]): Parameters;
  json(bytes: Uint8Array, whole: string | undefined): Parameters;
};

/** How this face reads names and texts of what its row is sent. */
export function readerOf(face: Face, row: Endpoint): Reader {
  const { names } = face;
  const badText = row.writes && face.refusesNul ? "refuse-nul" : face.badText;
  if (names === "nested")
    return {
      pairs: (text) => nestedPairs(text, badText),
      parts: (parts) => nestedParts(parts, badText),
      json: (bytes, whole) => nestedJson(bytes, badText, whole),
    };
  return {
    pairs: (text) => readPairs(text, badText),
    parts: (parts) => readParts(parts, badText),
    json: (bytes, whole) => readJson(bytes, badText, whole),
  };
}
