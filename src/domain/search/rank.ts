import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { fromSqlDate, inPieces, isOneOf } from "../../storage/sql.ts";
import type { Sought } from "./read-query.ts";
import { everyToken } from "./tokens.ts";

/** A word counts less and less the more often it stands there; half of what it can count is reached at that number. */
const saturation = 1.2;
/** A text of this length counts as it is; longer ones dilute their words. */
const usualLength = 40;
/** A word of the title counts like so many of the text. */
const inTitle = 3;
/** A text loses half of its worth in that time. */
const halfLife = 180 * 24 * 3600 * 1000;

/** What a long text says later on makes it no better. */
const beginning = sql<string>`substr(message.words, 1, 4000)`;

/** The items in the order of how well they fit, best first; alike ones stay in their order. */
export async function rank(hub: Hub, { all }: Sought, ids: readonly number[]): Promise<number[]> {
  const words = all.flatMap((term) => (term.how === "any" ? [] : term.tokens));
  if (words.length === 0 || ids.length < 2) return [...ids];
  const moment = fromSqlDate(now(hub)).getTime();
  const worth = new Map<number, number>();
  for (const piece of inPieces(ids)) {
    const rows = await hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select(["item.id", "item.created", beginning.as("words")])
      .where(isOneOf(hub.engine, sql.ref("item.id"), piece))
      .execute();
    for (const row of rows) {
      const age = Math.max(0, moment - fromSqlDate(row.created).getTime());
      worth.set(row.id, fit(row.words.split(" "), words) * 2 ** (-age / halfLife));
    }
    // Others are served between two pieces.
    await setImmediate();
  }
  return ids.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0));
}

/** How much of a text is made of these words. */
function fit(tokens: string[], words: readonly string[]): number {
  const title = tokens.indexOf(everyToken);
  const dilution = 0.25 + (0.75 * tokens.length) / usualLength;
  const counts = new Map(words.map((word) => [word, 0]));
  for (const [place, token] of tokens.entries()) {
    const often = counts.get(token);
    if (often !== undefined) counts.set(token, often + (place < title ? inTitle : 1));
  }
  return words.reduce((sum, word) => {
    const often = counts.get(word) ?? 0;
    return sum + often / (often + saturation * dilution);
  }, 0);
}
