/** So many different runs of signs are told apart; others fall together with one of them, so what is found must be looked at. */
const different = 65_536;

/**
 * What the search index of SQLite holds of a direct message: every three signs next to one another, without regard to
 * case, as a token in the scope of the channel whose message it is. PostgreSQL has the like as a function (migration 0003).
 */
export function mailGrams(channelId: number, text: string): string[] {
  const signs = Array.from(text.toLowerCase(), (sign) => sign.codePointAt(0)!);
  const grams = new Set<number>();
  for (let at = 2; at < signs.length; at++) {
    const pair = Math.imul(signs[at - 2]!, 1031) + signs[at - 1]!;
    grams.add((Math.imul(pair, 1031) + signs[at]!) & (different - 1));
  }
  return Array.from(grams, (gram) => `${channelId}z${gram.toString(36)}`);
}
