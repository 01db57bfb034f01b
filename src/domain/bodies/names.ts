/**
 * One line of plain text, for titles, names and other places that hold no markup: without `<` and `>`, white space
 * collapsed, cut at a number of characters.
 */
export function plainLine(text: string, max: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[<>]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (plain.length <= max) return plain;
  return Array.from(plain.slice(0, max * 2))
    .slice(0, max)
    .join("")
    .trimEnd();
}
