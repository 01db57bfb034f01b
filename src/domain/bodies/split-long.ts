import { eachPiece, sourceOf, voidTags } from "./html-tokens.ts";
import type { HtmlMark, HtmlToken } from "./html-tokens.ts";

/** How long something is, in letters; what takes room without any counts as some. */
const [ofLine, ofPicture] = [60, 400];
/** Pictures that follow each other make one grid: the first four have the room of one, and each further one has so much. */
const [together, ofFurther] = [4, 130];
/** So much is seen at once, or up to twice as much where nothing ends before; a rest that is shorter than this stays with it. */
const [seen, leastRest] = [900, 500];

/** So many characters of empty lines are looked through for something else. */
const mostEmpty = 2000;

/** What has more letters is no word. */
const longestWord = 100;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

type Piece = HtmlToken | HtmlMark;
type Open = HtmlToken & { kind: "open" };

/** What may end in the middle of its text and begin anew. */
const divisible = new Set("b blockquote div em font i p s span strong u".split(" "));

/**
 * Filtered HTML of a long text in two, each well-formed: its beginning and the rest; undefined for one that is short enough. The cut
 * is where something ends that stands by itself, else between two words. Of the rest only the beginning is read.
 */
export function splitLong(html: string): [beginning: string, rest: string] | undefined {
  if (html.length < seen) return undefined;
  const open: Open[] = [];
  const before: Piece[] = [];
  const ruler = newRuler();
  let at = 0;
  for (const piece of eachPiece(html)) {
    const left = Math.max(0, 2 * seen - ruler.length);
    if (piece.kind === "text" && piece.source.length > left && open.every(isDivisible))
      return between(before, piece.source, { left, open, after: html.slice(at + piece.source.length) });
    before.push(piece);
    at += piece.source.length;
    ruler.add(piece);
    if (piece.kind === "open" && !voidTags.has(piece.name)) open.push(piece as Open);
    else if (piece.kind === "close") open.pop();
    if (ruler.length < seen || open.length > 0 || !endsSomething(piece)) continue;
    const rest = withoutEmptyStart(html.slice(at));
    if (ruler.pictures > 0 && ruler.pictures < together && beginsWithPicture.test(rest)) continue;
    return isLong(rest) ? [sourceOf(withoutEmptyEnd(before)), rest] : undefined;
  }
  return undefined;
}

/** Cuts a text after the letters that are left to be seen. */
function between(
  before: readonly Piece[],
  text: string,
  { left, open, after }: { left: number; open: readonly Open[]; after: string },
): [string, string] | undefined {
  const cut = betweenWords(text, left);
  if (text.length - cut < leastRest && !isLong(text.slice(cut) + after)) return undefined;
  const closing = open.toReversed().map(({ name }) => `</${name}>`);
  const opening = open.map((tag) => tag.source);
  return [
    [sourceOf(before), text.slice(0, cut), ...closing].join(""),
    [...opening, text.slice(cut).trimStart(), after].join(""),
  ];
}

/** Where the next word ends, be it in a language without spaces; here, where what stands around is no word. */
function betweenWords(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  if (space !== -1 && space - from < longestWord) return space;
  const start = Math.max(0, from - longestWord);
  for (const { index } of segmenter.segment(text.slice(start, from + longestWord))) {
    const isWhole = !/&[^;]*$/.test(text.slice(start, start + index));
    if (start + index > from && isWhole) return start + index;
  }
  return text.slice(0, from).isWellFormed() ? from : from + 1;
}

/** Is this too much to stay with what comes before? */
function isLong(rest: string): boolean {
  const ruler = newRuler();
  for (const piece of eachPiece(rest)) {
    ruler.add(piece);
    if (ruler.length >= leastRest) return true;
  }
  return false;
}

/** How long all is that was added, and how many pictures there are since the last word. */
type Ruler = { length: number; pictures: number; add: (piece: Piece) => void };

function newRuler(): Ruler {
  const ruler: Ruler = {
    length: 0,
    pictures: 0,
    add(piece) {
      const { pictures } = ruler;
      if (isPicture(piece)) {
        ruler.pictures++;
        ruler.length += pictures === 0 ? ofPicture : pictures < together ? 0 : ofFurther;
      } else if (pictures === 0 || !isBetweenPictures(piece)) {
        ruler.pictures = 0;
        ruler.length += lengthOf(piece);
      }
    },
  };
  return ruler;
}

function lengthOf(piece: Piece): number {
  if (piece.kind === "text") return piece.source.length;
  if (piece.kind !== "open") return 0;
  return piece.name === "br" || piece.name === "li" || piece.name === "p" || piece.name === "tr" ? ofLine : 0;
}

function isPicture(piece: Piece): boolean {
  return piece.kind === "open" && piece.name === "img" && !piece.attributes.includes("emoji");
}

const beginsWithPicture = /^(?:\s|<p>|<a [^<>]*>)*<img /;

/** What makes two pictures no less one grid (galleries.ts). */
function isBetweenPictures(piece: Piece): boolean {
  if (piece.kind === "text") return piece.source.trim() === "";
  return piece.kind !== "mark" && (piece.name === "a" || piece.name === "br" || piece.name === "p");
}

/** Nothing may be there twice that has a name. */
function isDivisible({ name, attributes }: Open): boolean {
  return divisible.has(name) && !attributes.includes(" id=");
}

function endsSomething(piece: Piece): boolean {
  if (piece.kind === "close") return piece.name !== "a" && (piece.name === "p" || !divisible.has(piece.name));
  return piece.kind === "open" && (piece.name === "br" || piece.name === "hr");
}

/** Where a text is cut, a part needs no empty lines at that end. */
function withoutEmptyStart(html: string): string {
  let at = 0;
  for (const piece of eachPiece(html)) {
    if (isSolid(piece) || at > mostEmpty) break;
    at += piece.source.length;
  }
  return html.slice(at);
}

function withoutEmptyEnd(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.slice(0, pieces.findLastIndex(isSolid) + 1);
}

function isSolid(piece: Piece): boolean {
  return piece.kind === "text" ? piece.source.trim() !== "" : piece.kind !== "open" || piece.name !== "br";
}
