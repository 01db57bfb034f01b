/** Names and values of a request in the one spelling that OAuth signs. */
export type Pair = readonly [name: string, value: string];

const plain = /^[\w.~-]*$/;
const unreserved = /[\w.~-]/;
/** What is not in the one spelling yet: a byte to be escaped, or an escape in small letters or of a byte that needs none. */
const misspelt = /[^\w.~%-]|%(?![0189A-F][\dA-F]|2[\dABCF]|3[A-F]|40|5[B-E]|60|7[BCDF])/;
const eachOdd = /%([0-9a-f]{2})|[^\w.~-]/gi;

/** Reads a query or an urlencoded body, one character for each byte. Every pair counts, in the bytes in which it was sent. */
export function pairsOf(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    if (equals < 0) pairs.push([respell(part, true), ""]);
    else pairs.push([respell(part.slice(0, equals), true), respell(part.slice(equals + 1), true)]);
  }
  return pairs;
}

/** Text as OAuth spells it: letters, digits and `-._~` as they are, all other bytes as `%XX`. */
export function spell(text: string): string {
  if (plain.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (character) => spellByte(character.charCodeAt(0)));
}

/** What a client has escaped in its own way, in the one spelling; `+` is a space in forms and queries alone. */
export function respell(part: string, plusIsSpace: boolean): string {
  // Nearly every client spells as it signs.
  if (!misspelt.test(part)) return part;
  return part.replace(eachOdd, (odd: string, hex: string | undefined) => {
    if (hex !== undefined) return spellByte(Number.parseInt(hex, 16));
    return odd === "+" && plusIsSpace ? "%20" : spellByte(odd.charCodeAt(0));
  });
}

/** The text that a spelling stands for. */
export function unspell(spelled: string): string {
  if (!spelled.includes("%")) return spelled;
  const bytes = spelled.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function spellByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return unreserved.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
