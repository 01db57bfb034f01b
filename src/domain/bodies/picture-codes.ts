import { escapeHtml } from "./escape.ts";
import { attributeOf, hasClass, htmlPieces, htmlTokens } from "./html-tokens.ts";

/** Where nothing is replaced: what stands there is quoted to the letter. */
const verbatim = ["code", "pre", "kbd", "samp"];

/** Filtered HTML in whose words each of these codes between colons is a picture, which says its code where it cannot be shown. */
export function withPictureCodes(html: string, codes: readonly string[], addressOf: (code: string) => string): string {
  if (codes.length === 0 || !html.includes(":")) return html;
  const known = new Set(codes);
  let inside = 0;
  return htmlPieces(html)
    .map((piece) => {
      if (piece.kind !== "text") {
        if (piece.kind !== "mark" && verbatim.includes(piece.name)) inside += piece.kind === "open" ? 1 : -1;
        return piece.source;
      }
      if (inside > 0) return piece.source;
      return piece.source.replace(/:([\w-]{1,64}):/g, (text, code: string) =>
        known.has(code) ? picture(text, addressOf(code)) : text,
      );
    })
    .join("");
}

function picture(text: string, address: string): string {
  return `<img class="emoji" src="${escapeHtml(address)}" alt="${text}" title="${text}">`;
}

/** The codes that are pictures in a text, and where these are. */
export function picturesOfCodes(html: string): Map<string, string> {
  if (!html.includes('class="emoji"')) return new Map();
  const found = htmlTokens(html).flatMap((token) => {
    if (token.kind !== "open" || token.name !== "img") return [];
    const { attributes } = token;
    const [, code] = /^:([\w-]{1,64}):$/.exec(attributeOf(attributes, "alt")) ?? [];
    return code !== undefined && hasClass(attributes, "emoji") ? [[code, attributeOf(attributes, "src")] as const] : [];
  });
  return new Map(found);
}
