import type { Filter } from "../items/filters.ts";
import { zeroDate } from "../../storage/sql.ts";

/** A filter with its words; posts that were put into it by hand stay behind. */
export function filterRecord({ title, contexts, action, ends, words }: Filter): Record<string, unknown> {
  return {
    title,
    context: contexts.join(" "),
    action,
    ends: ends ?? zeroDate,
    words: words.map(({ phrase, wholeWords }) => ({ phrase, whole_words: wholeWords ? "1" : "0" })),
  };
}
