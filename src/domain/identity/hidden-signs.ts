/** Signs that are not seen but turn text around or break lines: a name with them can pretend to be another one. */
export const hiddenSigns = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A name in one line, without them. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(hiddenSigns, "").replaceAll(/ +/g, " ").trim();
}
