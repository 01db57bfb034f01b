/**
 * What texts and questions are cut into, so that both find the same: words of letters and digits of any script, without
 * regard to case, width and accents. Scripts that are written without spaces are cut into overlapping pairs of signs.
 */

/** No word is longer; the rest of it is not looked at. */
const longestWord = 40;

/** So much of a text is folded at once, or twice that where there is no space. */
const pieceLength = 4096;

const wordlike = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]+/gu;
/** Accents of the alphabets that have them, and the vowel points of Hebrew and Arabic; other scripts need their marks. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** The text in the one form in which texts are compared. */
export function fold(text: string): string {
  const bare = text.normalize("NFKD").replace(accents, "").normalize("NFC");
  // By way of the capitals, which ß and the like have in common with others.
  return bare.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Words in the order of the text, at most so many. */
export function wordsIn(text: string, most = Infinity): string[] {
  const words: string[] = [];
  for (const piece of piecesOf(text)) {
    if (words.length >= most) break;
    for (const run of fold(piece).match(wordlike) ?? []) addWords(words, run);
  }
  return words.slice(0, most);
}

function addWords(words: string[], run: string): void {
  for (const part of partsOf(run)) {
    // A pair of signs for each place, and the last sign alone, so that a single one finds all words that have it.
    if (part.unspaced) for (const pair of pairsOf([...part.text])) words.push(pair);
    else words.push(part.text.length > longestWord ? [...part.text].slice(0, longestWord).join("") : part.text);
  }
}

/** The text in pieces that end between words, so that no more of a long one is folded than is wanted. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const space = text.slice(at + pieceLength, at + 2 * pieceLength).search(/\s/);
    const end = at + (space === -1 ? 2 * pieceLength : pieceLength + space);
    yield text.slice(at, end);
    at = end;
  }
}

/** The words that a text must have next to one another to hold this one: the last of its signs may be followed by others. */
export function soughtWords(text: string): { words: string[]; isOpen: boolean } {
  const words = wordsIn(text);
  const parts = [...fold(text).matchAll(wordlike)].flatMap(([run]) => partsOf(run));
  const last = parts.at(-1);
  if (!last?.unspaced) return { words, isOpen: false };
  // Of several signs the last pair says enough; a single one is the beginning of any pair.
  return [...last.text].length > 1 ? { words: words.slice(0, -1), isOpen: false } : { words, isOpen: true };
}

type Part = { text: string; unspaced: boolean };

function partsOf(run: string): Part[] {
  if (run.search(unspaced) === -1) return [{ text: run, unspaced: false }];
  const parts: Part[] = [];
  let at = 0;
  for (const match of run.matchAll(unspaced)) {
    if (match.index > at) parts.push({ text: run.slice(at, match.index), unspaced: false });
    parts.push({ text: match[0], unspaced: true });
    at = match.index + match[0].length;
  }
  if (at < run.length) parts.push({ text: run.slice(at), unspaced: false });
  return parts;
}

function pairsOf(signs: string[]): string[] {
  return signs.map((sign, place) => sign + (signs[place + 1] ?? ""));
}
