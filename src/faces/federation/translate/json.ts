/** JSON from elsewhere, before anything else looks at it (federation contract 10, 13). */

export const jsonLimits = { depth: 64, nodes: 20_000 };

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Is it an object with members, and no list? */
export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export type JsonFault = "not_json" | "too_deep" | "too_many_nodes";

/** Names that mean something to JavaScript, and to nobody else. */
const dropped: readonly string[] = ["__proto__", "constructor", "prototype"];

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The value in these bytes. What no text may have (NUL, half a surrogate pair) is replaced by U+FFFD, which no id may
 * have; of doubled keys the last one counts.
 */
export function readJson(bytes: Uint8Array): { value: Json } | { fault: JsonFault } {
  try {
    const value = JSON.parse(utf8.decode(bytes)) as Json;
    const whole: Json[] = [value];
    const fault = clean(whole);
    return fault ? { fault } : { value: whole[0]! };
  } catch {
    return { fault: "not_json" };
  }
}

/** Level by level, so that no depth of the value makes the stack deep. */
function clean(whole: Json[]): JsonFault | undefined {
  let level: (Json[] | { [key: string]: Json })[] = [whole];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > jsonLimits.depth) return "too_deep";
    const below: typeof level = [];
    for (const parent of level) {
      const keys = Object.keys(parent);
      nodes += keys.length;
      if (nodes > jsonLimits.nodes) return "too_many_nodes";
      for (const key of keys) cleanMember(parent as { [key: string]: Json }, key, below);
    }
    level = below;
  }
  return undefined;
}

function cleanMember(parent: { [key: string]: Json }, key: string, below: object[]): void {
  const value = parent[key]!;
  if (dropped.includes(key)) delete parent[key];
  else if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) parent[key] = value.toWellFormed().replaceAll("\0", "\uFFFD");
  } else if (typeof value === "object" && value !== null) below.push(value);
}
