/** The words of a text, folded, with one space before, between and after them: so whole words are found by looking for a part. */
export function wordsOnly(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, " ")
    .trim()} `;
}
