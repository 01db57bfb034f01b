import type { Node } from "../translate/node.ts";

/**
 * What is written out under a name, the first of several, as a document of its own: as it stands in what was judged, since more may
 * have come with it than its author vouches for.
 */
export function partOf(node: Node, name: string): Uint8Array {
  const [part] = node.nodes(name);
  return Buffer.from(JSON.stringify(part?.written ?? null));
}
