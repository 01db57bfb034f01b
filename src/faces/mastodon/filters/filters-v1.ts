import { z } from "zod";
import { addFilter, changeFilter, findFilterWith, listFilters, removeFilter } from "../../../domain/items/filters.ts";
import type { Filter } from "../../../domain/items/filters.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { id, optionalFlag, optionalTexts, text } from "../parameters.ts";
import { presentWordAsFilter } from "../present/filter.ts";
import { contextsIn, endIn } from "./filter-input.ts";

const read = { access: "channel", scope: "read:filters" } as const;
const write = { access: "channel", scope: "write:filters", writes: true } as const;

const fields = z.object({
  phrase: text("The words."),
  context: optionalTexts("Where it counts: `home`, `notifications`, `public`, `thread`, `account`."),
  irreversible: optionalFlag("Posts are left out, and not folded."),
  whole_word: optionalFlag("Only as whole words."),
  expires_in: text("Seconds until it ends; nothing for never."),
});
const named = z.object({ id: id("Id of the words.") });

type Named = { filter: Filter; id: number };

const one = {
  answer: "FilterV1",
  present: ({ filter, id }: Named) =>
    presentWordAsFilter(
      filter,
      filter.words.find((word) => word.id === id)!,
    ),
} as const;

/** Mastodon contract 11.20: each of the caller's words as a filter of its own. */
export const oldFilterRows = [
  endpoint({
    ...read,
    path: "v1/filters",
    methods: ["GET"],
    summary: "Words that the caller filters.",
    answer: "FilterV1[]",
    input: z.object({}),
    handle: (hub, { channel }) => listFilters(hub, channel.channel_id),
    present: (filters) => filters.flatMap((filter) => filter.words.map((word) => presentWordAsFilter(filter, word))),
  }),
  endpoint({
    ...write,
    path: "v1/filters",
    methods: ["POST"],
    summary: "Filters words.",
    example: { phrase: "coffee", "context[]": "home" },
    input: fields,
    async handle(hub, { channel }, input): Promise<Named> {
      const { phrase = "", whole_word: wholeWords } = input;
      const filter = await addFilter(
        hub,
        channel,
        {
          title: phrase,
          contexts: contextsIn(input.context) ?? [],
          action: input.irreversible ? "hide" : "warn",
          ends: endIn(hub, input.expires_in) ?? undefined,
        },
        [{ phrase, wholeWords }],
      );
      return { filter, id: filter.words[0]!.id };
    },
    ...one,
  }),
  endpoint({
    ...read,
    path: "v1/filters/:id",
    methods: ["GET"],
    summary: "Words that are filtered.",
    example: { id: "3" },
    input: named,
    handle: async (hub, { channel }, input): Promise<Named> => ({
      filter: await findFilterWith(hub, channel.channel_id, "words", input.id),
      id: input.id,
    }),
    ...one,
  }),
  endpoint({
    ...write,
    path: "v1/filters/:id",
    methods: ["PUT"],
    summary: "Changes words that are filtered, and their filter; what is left out stays.",
    example: { id: "3", phrase: "tea" },
    input: fields.extend({ id: id("Id of the words.") }),
    async handle(hub, { channel }, input): Promise<Named> {
      const filter = await findFilterWith(hub, channel.channel_id, "words", input.id);
      const contexts = contextsIn(input.context);
      const ends = endIn(hub, input.expires_in);
      const changes = {
        ...(contexts && { contexts }),
        ...(input.irreversible !== undefined && { action: input.irreversible ? ("hide" as const) : ("warn" as const) }),
        ...(ends !== undefined && { ends: ends ?? undefined }),
      };
      const word = { id: input.id, phrase: input.phrase, wholeWords: input.whole_word };
      return { filter: await changeFilter(hub, channel, filter.id, changes, [word]), id: input.id };
    },
    ...one,
  }),
  endpoint({
    ...write,
    path: "v1/filters/:id",
    methods: ["DELETE"],
    summary: "Filters words no more; their filter goes with the last of them.",
    answer: "Nothing",
    example: { id: "3" },
    input: named,
    async handle(hub, { channel }, input) {
      const filter = await findFilterWith(hub, channel.channel_id, "words", input.id);
      if (filter.words.length === 1) await removeFilter(hub, channel, filter.id);
      else await changeFilter(hub, channel, filter.id, {}, [{ id: input.id, gone: true }]);
    },
    present: () => ({}),
  }),
];
