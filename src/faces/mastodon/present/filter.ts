import type { z } from "zod";
import type { Filter, FilteredPost, FilterWord } from "../../../domain/items/filters.ts";
import type { FilterMatch } from "../../../domain/items/word-filters.ts";
import type {
  Filter as FilterEntity,
  FilterKeyword,
  FilterResult,
  FilterStatus,
  FilterV1,
} from "../entities/filter.ts";
import { datetime } from "./dates.ts";

/** Mastodon contract 11.19. */
export function presentFilter(filter: Filter): z.infer<typeof FilterEntity> {
  return {
    ...fieldsOf(filter),
    keywords: filter.words.map(presentKeyword),
    statuses: filter.posts.map(presentFilteredPost),
  };
}

export function presentKeyword({ id, phrase, wholeWords }: FilterWord): z.infer<typeof FilterKeyword> {
  return { id: String(id), keyword: phrase, whole_word: wholeWords };
}

export function presentFilteredPost({ id, item }: FilteredPost): z.infer<typeof FilterStatus> {
  return { id: String(id), status_id: String(item) };
}

export function presentMatch({ filter, words, post }: FilterMatch): z.infer<typeof FilterResult> {
  return {
    filter: fieldsOf(filter),
    keyword_matches: words.length > 0 ? words : null,
    status_matches: post === undefined ? null : [String(post)],
  };
}

/** Mastodon contract 11.20: each of its words by itself. */
export function presentWordAsFilter(filter: Filter, word: FilterWord): z.infer<typeof FilterV1> {
  const { context, expires_at, filter_action } = fieldsOf(filter);
  return {
    id: String(word.id),
    phrase: word.phrase,
    context,
    expires_at,
    irreversible: filter_action === "hide",
    whole_word: word.wholeWords,
  };
}

function fieldsOf({
  id,
  title,
  contexts,
  action,
  ends,
}: FilterMatch["filter"]): z.infer<typeof FilterResult>["filter"] {
  return {
    id: String(id),
    title,
    context: contexts,
    expires_at: ends === undefined ? null : datetime(ends),
    filter_action: action,
  };
}
