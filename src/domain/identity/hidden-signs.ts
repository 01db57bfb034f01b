/**
 * Signs that are not seen but turn text around, join what looks apart, or break lines: a name with them can pretend to be another one. What
 * scripts and emoji need to be written (U+200B to U+200D) is not among them.
 */
export const hiddenSigns = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/gu;

/** A text in one line, without them. */
export function inOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(hiddenSigns, "")
    .replaceAll(/ +/g, " ")
    .trim();
}
