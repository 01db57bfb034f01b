/** The beginning of a text; a character of two halves is kept whole or left out. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
