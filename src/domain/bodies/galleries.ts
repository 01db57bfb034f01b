import { attributeOf, hasClass, htmlPieces, sourceOf, voidTags } from "./html-tokens.ts";
import type { HtmlMark, HtmlToken } from "./html-tokens.ts";

/** A picture that stands by itself in a body, with where it leads; sizes are 0 where the body does not tell. */
export type BodyPicture = {
  url: string;
  alt: string;
  title: string;
  link: string;
  width: number;
  height: number;
  /** What it looks like from afar, and the point that stays in sight, as whoever sent it says. */
  blurhash: string;
  focus: string;
};

type Piece = HtmlToken | HtmlMark;

/**
 * Filtered HTML, cut where pictures stand by themselves: each list has those that follow each other without a word between them. What
 * stands in a line with words, in a table or in a list, has a style or is small, stays where it is.
 */
export function splitAtPictures(html: string): (string | BodyPicture[])[] {
  if (!html.includes("<img")) return [html];
  const pieces = htmlPieces(html);
  const parts: (string | BodyPicture[])[] = [];
  let before: Piece[] = [];
  const open: string[] = [];
  /** Everything before has been looked at. */
  let looked = 0;
  for (let at = 0; at < pieces.length;) {
    if (at >= looked && open.every((name) => name === "share") && isLineStart(before)) {
      const found = readPictures(pieces, at);
      if (found.pictures.length > 0 && isLineEnd(pieces, found.end)) {
        parts.push(sourceOf(withoutBreaks(before)), found.pictures);
        before = [];
        at = nextSolid(pieces, found.end);
        continue;
      }
      looked = found.looked;
    }
    const piece = pieces[at++]!;
    if (piece.kind === "open" && !voidTags.has(piece.name)) open.push(isShare(piece) ? "share" : piece.name);
    else if (piece.kind === "close") open.pop();
    before.push(piece);
  }
  parts.push(sourceOf(before));
  return parts.filter((part) => part.length > 0);
}

const blocks = new Set(
  "article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr ol p pre section table ul".split(
    " ",
  ),
);

/** Pictures of what is shared stand by themselves in there. */
function isShare({ attributes }: { attributes: string }): boolean {
  return hasClass(attributes, "shared", "shared-body");
}

/** The pictures that begin here, up to the last one behind which nothing is left open. */
function readPictures(
  pieces: readonly Piece[],
  from: number,
): { pictures: BodyPicture[]; end: number; looked: number } {
  const pictures: BodyPicture[] = [];
  let [whole, end, at] = [0, from, from];
  let inParagraph = false;
  while (at < pieces.length) {
    const picture = pictureAt(pieces, at);
    const piece = pieces[at]!;
    if (picture) {
      pictures.push(picture.picture);
      at = picture.end;
    } else if (piece.kind === "open" && piece.name === "p" && piece.attributes === "" && !inParagraph) {
      inParagraph = true;
      at++;
    } else if (piece.kind === "close" && piece.name === "p" && inParagraph) {
      inParagraph = false;
      at++;
    } else if (isBlank(piece) || isBreak(piece)) {
      at++;
      continue;
    } else break;
    if (!inParagraph && pictures.length > 0) [whole, end] = [pictures.length, at];
  }
  if (whole === 1 && isSmall(pictures[0]!)) whole = 0;
  return { pictures: pictures.slice(0, whole), end, looked: at };
}

const smallest = 100;

function isSmall({ width, height }: BodyPicture): boolean {
  return width > 0 && height > 0 && Math.max(width, height) <= smallest;
}

/** A picture, or a link that holds one and nothing else. */
function pictureAt(pieces: readonly Piece[], at: number): { picture: BodyPicture; end: number } | undefined {
  const piece = pieces[at];
  if (piece?.kind !== "open") return undefined;
  if (piece.name === "img") {
    const picture = read(piece.attributes, "");
    return picture && { picture, end: at + 1 };
  }
  if (piece.name !== "a") return undefined;
  const inside = pieces.slice(at + 1, at + 6).filter((one) => !isBlank(one));
  const [image, end] = inside;
  if (image?.kind !== "open" || image.name !== "img" || end?.kind !== "close" || end.name !== "a") return undefined;
  const picture = read(image.attributes, attributeOf(piece.attributes, "href"));
  return picture && { picture, end: pieces.indexOf(end, at) + 1 };
}

function read(attributes: string, link: string): BodyPicture | undefined {
  const [url, alt, title, style] = ["src", "alt", "title", "style"].map((name) => attributeOf(attributes, name));
  if (!url || style !== "" || hasClass(attributes, "emoji", "avatar")) return undefined;
  const size = (name: string): number => parseInt(attributeOf(attributes, name), 10) || 0;
  const [blurhash, focus] = [attributeOf(attributes, "data-blurhash"), attributeOf(attributes, "data-focus")];
  return { url, alt: alt!, title: title!, link, width: size("width"), height: size("height"), blurhash, focus };
}

function isLineStart(before: readonly Piece[]): boolean {
  const last = before.findLast((piece) => !isBlank(piece));
  return last === undefined || isBreak(last) || isBlock(last);
}

function isLineEnd(pieces: readonly Piece[], at: number): boolean {
  let next = at;
  while (next < pieces.length && isBlank(pieces[next]!)) next++;
  const piece = pieces[next];
  return piece === undefined || isBreak(piece) || isBlock(piece);
}

function isBlank(piece: Piece): boolean {
  return piece.kind === "text" && piece.text.trim() === "";
}

function isBreak(piece: Piece): boolean {
  return piece.kind === "open" && piece.name === "br";
}

function isBlock(piece: Piece): boolean {
  return (piece.kind === "open" || piece.kind === "close") && blocks.has(piece.name);
}

/** What stands by itself needs no breaks around it. */
function withoutBreaks(before: readonly Piece[]): Piece[] {
  const last = before.findLastIndex((piece) => !isBlank(piece) && !isBreak(piece));
  return before.slice(0, last + 1);
}

function nextSolid(pieces: readonly Piece[], from: number): number {
  let next = from;
  while (next < pieces.length && (isBlank(pieces[next]!) || isBreak(pieces[next]!))) next++;
  return next;
}
