import { z } from "zod";
import {
  addFilter,
  addFilterWord,
  addFilteredPost,
  changeFilter,
  findFilter,
  findFilterWith,
  listFilters,
  removeFilter,
  removeFilteredPost,
} from "../../../domain/items/filters.ts";
import type { Filter, FilterFields, WordChange } from "../../../domain/items/filters.ts";
import { findStatus } from "../../../domain/items/find.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { entriesOf, within } from "../../../http/nested.ts";
import { asText, lastOf } from "../../../http/values.ts";
import type { Hub } from "../../../hub.ts";
import { id, isYes, objects, optionalFlag, optionalTexts, readId, text } from "../parameters.ts";
import { presentFilter, presentFilteredPost, presentKeyword } from "../present/filter.ts";
import { actionIn, contextsIn, endIn } from "./filter-input.ts";

const read = { access: "channel", scope: "read:filters" } as const;
const write = { access: "channel", scope: "write:filters", writes: true } as const;
const filterId = z.object({ id: id("Id of the filter.") });
const wordId = z.object({ id: id("Id of the words.") });
const entryId = z.object({ id: id("Id of the entry.") });

const fields = {
  title: text("What it is called."),
  context: optionalTexts("Where it counts: `home`, `notifications`, `public`, `thread`, `account`."),
  filter_action: text("`warn`, `hide` or `blur`; `warn` when left out."),
  expires_in: text("Seconds until it ends; nothing for never."),
  keywords_attributes: objects(
    "Words: `keyword`, `whole_word`, with `id` those that are there, with `_destroy` to remove.",
  ),
};

const whole = z.object(fields);
type FilterInput = z.output<typeof whole>;

const oneFilter = { answer: "Filter", present: presentFilter } as const;

/** Mastodon contract 12.8, of today's form. */
export const filterRows = [
  endpoint({
    ...read,
    path: "v2/filters",
    methods: ["GET"],
    summary: "What the caller filters.",
    answer: "Filter[]",
    input: z.object({}),
    handle: (hub, { channel }) => listFilters(hub, channel.channel_id),
    present: (filters) => filters.map(presentFilter),
  }),
  endpoint({
    ...write,
    path: "v2/filters",
    methods: ["POST"],
    summary: "Adds a filter.",
    example: { title: "Coffee", "context[]": "home", "keywords_attributes[][keyword]": "coffee" },
    input: whole,
    handle: (hub, { channel }, input) =>
      addFilter(hub, channel, { ...emptyFilter, ...fieldsIn(hub, input) }, wordsIn(input.keywords_attributes)),
    ...oneFilter,
  }),
  endpoint({
    ...read,
    path: "v2/filters/:id",
    methods: ["GET"],
    summary: "One filter.",
    example: { id: "3" },
    input: filterId,
    handle: (hub, { channel }, input) => findFilter(hub, channel.channel_id, input.id),
    ...oneFilter,
  }),
  endpoint({
    ...write,
    path: "v2/filters/:id",
    methods: ["PUT"],
    summary: "Changes a filter; what is left out stays.",
    example: { id: "3", title: "Tea" },
    input: whole.extend({ id: id("Id of the filter.") }),
    handle: (hub, { channel }, input) =>
      changeFilter(hub, channel, input.id, fieldsIn(hub, input), wordsIn(input.keywords_attributes)),
    ...oneFilter,
  }),
  endpoint({
    ...write,
    path: "v2/filters/:id",
    methods: ["DELETE"],
    summary: "Removes a filter with all that is in it.",
    answer: "Nothing",
    example: { id: "3" },
    input: filterId,
    handle: (hub, { channel }, input) => removeFilter(hub, channel, input.id),
    present: () => ({}),
  }),
  endpoint({
    ...read,
    path: "v2/filters/:id/keywords",
    methods: ["GET"],
    summary: "The words of a filter.",
    answer: "FilterKeyword[]",
    example: { id: "3" },
    input: filterId,
    handle: (hub, { channel }, input) => findFilter(hub, channel.channel_id, input.id),
    present: ({ words }) => words.map(presentKeyword),
  }),
  endpoint({
    ...write,
    path: "v2/filters/:id/keywords",
    methods: ["POST"],
    summary: "Adds words to a filter.",
    answer: "FilterKeyword",
    example: { id: "3", keyword: "coffee" },
    input: filterId.extend({
      keyword: text("The words."),
      whole_word: optionalFlag("Only as whole words."),
    }),
    handle: (hub, { channel }, input) =>
      addFilterWord(hub, channel, input.id, { phrase: input.keyword, wholeWords: input.whole_word }),
    present: presentKeyword,
  }),
  endpoint({
    ...read,
    path: "v2/filters/keywords/:id",
    methods: ["GET"],
    summary: "Words of a filter.",
    answer: "FilterKeyword",
    example: { id: "3" },
    input: wordId,
    handle: async (hub, { channel }, input) =>
      wordOf(await findFilterWith(hub, channel.channel_id, "words", input.id), input.id),
    present: presentKeyword,
  }),
  endpoint({
    ...write,
    path: "v2/filters/keywords/:id",
    methods: ["PUT"],
    summary: "Changes words of a filter.",
    answer: "FilterKeyword",
    example: { id: "3", keyword: "tea" },
    input: wordId.extend({ keyword: text("The words."), whole_word: optionalFlag("Only as whole words.") }),
    async handle(hub, { channel }, input) {
      const filter = await findFilterWith(hub, channel.channel_id, "words", input.id);
      const word = { id: input.id, phrase: input.keyword, wholeWords: input.whole_word };
      return wordOf(await changeFilter(hub, channel, filter.id, {}, [word]), input.id);
    },
    present: presentKeyword,
  }),
  endpoint({
    ...write,
    path: "v2/filters/keywords/:id",
    methods: ["DELETE"],
    summary: "Takes words out of a filter.",
    answer: "Nothing",
    example: { id: "3" },
    input: wordId,
    async handle(hub, { channel }, input) {
      const filter = await findFilterWith(hub, channel.channel_id, "words", input.id);
      await changeFilter(hub, channel, filter.id, {}, [{ id: input.id, gone: true }]);
    },
    present: () => ({}),
  }),
  endpoint({
    ...read,
    path: "v2/filters/:id/statuses",
    methods: ["GET"],
    summary: "Single posts of a filter.",
    answer: "FilterStatus[]",
    example: { id: "3" },
    input: filterId,
    handle: (hub, { channel }, input) => findFilter(hub, channel.channel_id, input.id),
    present: ({ posts }) => posts.map(presentFilteredPost),
  }),
  endpoint({
    ...write,
    path: "v2/filters/:id/statuses",
    methods: ["POST"],
    summary: "Puts a post into a filter.",
    answer: "FilterStatus",
    example: { id: "3", status_id: "812" },
    input: filterId.extend({ status_id: id("Id of the post.") }),
    async handle(hub, { channel }, input) {
      const item = await findStatus(hub, channel, { id: input.status_id });
      return addFilteredPost(hub, channel, input.id, { message: item.message_id, item: input.status_id });
    },
    present: presentFilteredPost,
  }),
  endpoint({
    ...read,
    path: "v2/filters/statuses/:id",
    methods: ["GET"],
    summary: "A post of a filter.",
    answer: "FilterStatus",
    example: { id: "3" },
    input: entryId,
    async handle(hub, { channel }, input) {
      const { posts } = await findFilterWith(hub, channel.channel_id, "posts", input.id);
      return posts.find((post) => post.id === input.id)!;
    },
    present: presentFilteredPost,
  }),
  endpoint({
    ...write,
    path: "v2/filters/statuses/:id",
    methods: ["DELETE"],
    summary: "Takes a post out of a filter.",
    answer: "Nothing",
    example: { id: "3" },
    input: entryId,
    handle: (hub, { channel }, input) => removeFilteredPost(hub, channel, input.id),
    present: () => ({}),
  }),
];

const emptyFilter: FilterFields = { title: "", contexts: [], action: "warn", ends: undefined };

function fieldsIn(hub: Hub, input: FilterInput): Partial<FilterFields> {
  const contexts = contextsIn(input.context);
  const action = actionIn(input.filter_action);
  const ends = endIn(hub, input.expires_in);
  return {
    ...(input.title !== undefined && { title: input.title }),
    ...(contexts && { contexts }),
    ...(action && { action }),
    ...(ends !== undefined && { ends: ends ?? undefined }),
  };
}

function wordsIn(values: readonly unknown[] | undefined): WordChange[] {
  return entriesOf(values ?? []).map((entry) => {
    const named = asText(lastOf(within(entry, "id")));
    return {
      id: named === undefined ? undefined : (readId(named) ?? 0),
      phrase: asText(lastOf(within(entry, "keyword"))),
      wholeWords: isYes(lastOf(within(entry, "whole_word"))),
      gone: isYes(lastOf(within(entry, "_destroy"))) ?? false,
    };
  });
}

function wordOf({ words }: Filter, id: number): Filter["words"][number] {
  return words.find((word) => word.id === id)!;
}
