import { attributeOf, htmlPieces } from "./html-tokens.ts";

/** Filtered HTML without the links to these addresses, and without what they say. */
export function withoutLinks(html: string, isMeant: (url: string) => boolean): string {
  let inside = false;
  let kept = "";
  for (const piece of htmlPieces(html)) {
    if (piece.kind === "open" && piece.name === "a") inside = isMeant(attributeOf(piece.attributes, "href"));
    if (!inside) kept += piece.source;
    if (piece.kind === "close" && piece.name === "a") inside = false;
  }
  return kept;
}
