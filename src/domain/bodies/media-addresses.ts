import { attribute } from "./escape.ts";
import { attributeOf, htmlPieces } from "./html-tokens.ts";
import type { HtmlMark, HtmlToken } from "./html-tokens.ts";

/** The attributes whose addresses a browser fetches by itself, by element. */
const fetched: Readonly<Record<string, readonly string[]>> = {
  audio: ["src"],
  img: ["src"],
  source: ["src"],
  video: ["src", "poster"],
};

/** Filtered HTML with other addresses for the pictures, films and sounds in it; what keeps its address stays to the letter. */
export function withMediaAddresses(html: string, addressOf: (url: string) => string): string {
  if (!/ (?:src|poster)="/.test(html)) return html;
  return htmlPieces(html)
    .map((piece) => written(piece, addressOf))
    .join("");
}

function written(piece: HtmlToken | HtmlMark, addressOf: (url: string) => string): string {
  if (piece.kind !== "open") return piece.source;
  return (fetched[piece.name] ?? []).reduce((source, name) => {
    const url = attributeOf(piece.attributes, name);
    const address = url === "" ? url : addressOf(url);
    if (address === url) return source;
    const from = source.indexOf(` ${name}="`);
    const to = source.indexOf('"', from + name.length + 3) + 1;
    return source.slice(0, from) + attribute(name, address) + source.slice(to);
  }, piece.source);
}
