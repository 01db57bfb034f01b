import { decodeEntities } from "./escape.ts";

/** A piece of filtered HTML; `source` is how it stands there. */
export type HtmlToken =
  | { kind: "text"; text: string; source: string }
  | { kind: "open" | "close"; name: string; attributes: string; source: string };

/** A comment, which stands for what depends on the reader (viewer-marks.ts). */
export type HtmlMark = { kind: "mark"; source: string };

/** Elements of filtered HTML that nothing stands in, and that have no end. */
export const voidTags: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "input", "source", "wbr"]);

const token = /<!--|<(\/?)([a-z][a-z0-9-]*)([^<>]*)>|[^<]+|</gi;

/** Splits filtered HTML, in which angle brackets occur only around tags; all sources together are the HTML again. */
export function htmlPieces(html: string): (HtmlToken | HtmlMark)[] {
  return [...eachPiece(html)];
}

/** The same piece by piece, for who needs only the first ones. */
export function* eachPiece(html: string): Generator<HtmlToken | HtmlMark> {
  for (let at = 0; at < html.length;) {
    token.lastIndex = at;
    const match = token.exec(html);
    if (match === null) return;
    at = token.lastIndex;
    if (match[0] === "<!--") {
      const end = html.indexOf("-->", match.index + 4);
      at = end === -1 ? html.length : end + 3;
      yield { kind: "mark", source: html.slice(match.index, at) };
    } else yield tokenOf(match);
  }
}

/** The HTML that these pieces were. */
export function sourceOf(pieces: readonly (HtmlToken | HtmlMark)[]): string {
  return pieces.map(({ source }) => source).join("");
}

/** The same without comments, for who reads what is there for everybody. */
export function htmlTokens(html: string): HtmlToken[] {
  return htmlPieces(html).filter((piece) => piece.kind !== "mark");
}

function tokenOf([source, slash, name, attributes = ""]: RegExpExecArray): HtmlToken {
  if (name === undefined) return { kind: "text", text: source, source };
  return { kind: slash === "" ? "open" : "close", name: name.toLowerCase(), attributes, source };
}

/** The decoded value of an attribute, or '' when it is not there. */
export function attributeOf(attributes: string, name: string): string {
  const at = attributes.indexOf(` ${name}="`);
  if (at === -1) return "";
  const start = at + name.length + 3;
  const end = attributes.indexOf('"', start);
  return end === -1 ? "" : decodeEntities(attributes.slice(start, end));
}

/** Whether an element has one of the classes. */
export function hasClass(attributes: string, ...wanted: string[]): boolean {
  const classes = attributeOf(attributes, "class").split(" ");
  return wanted.some((name) => classes.includes(name));
}
