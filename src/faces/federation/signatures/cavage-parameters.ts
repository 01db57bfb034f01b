/** Longer values are never honest. */
const mostCharacters = 4096;

const parameter = /[ \t]*(\w+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))[ \t]*/y;

/** The parameters of a signature by draft-cavage: `keyId="…",algorithm="…"`, in any order. Undefined when they cannot be read. */
export function readParameters(text: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  const reader = new RegExp(parameter);
  for (let at = 0; ; at = reader.lastIndex + 1) {
    reader.lastIndex = at;
    const [, name, quoted, bare = ""] = reader.exec(text) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? bare;
    if (name === undefined || parameters.has(name) || value.length > mostCharacters) return undefined;
    parameters.set(name, value);
    if (reader.lastIndex === text.length) return parameters;
    if (text[reader.lastIndex] !== ",") return undefined;
  }
}
