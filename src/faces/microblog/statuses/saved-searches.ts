import { z } from "zod";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import {
  dropSearch,
  findSearch,
  listSavedSearches,
  saveSearch,
} from "../../../domain/items/timelines/saved-searches.ts";
import type { SavedSearch } from "../../../domain/items/timelines/saved-searches.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { requiredId, text } from "../parameters.ts";
import { twitterDate } from "../present/dates.ts";

const byId = z.object({ id: requiredId("Id of the saved search.") });
const errors = { missing_parameter: "An id is missing.", missing: "There is no saved search with this id." };
const oneSearch = { answer: "SavedSearch", present: presentSearch, xml: "search" } as const;

/** Saved searches. */
export const savedSearchRows = [
  endpoint({
    path: "saved_searches/list",
    methods: "*",
    access: "channel",
    summary: "The caller's saved searches.",
    answer: "SavedSearch[]",
    input: z.object({}),
    async handle(hub, { channel }) {
      return (await listSavedSearches(hub, channel)).map((search) => dated(search, channel));
    },
    present: (searches) => searches.map(presentSearch),
    xml: "terms",
  }),
  endpoint({
    path: "saved_searches/create",
    methods: ["POST"],
    access: "channel",
    writes: true,
    summary: "Saves a search; one that is there already is answered again.",
    example: { query: "#tea" },
    input: z.object({ query: text("What is searched for.") }),
    handle: async (hub, { channel }, { query }) => dated(await saveSearch(hub, channel, query ?? ""), channel),
    ...oneSearch,
  }),
  endpoint({
    path: "saved_searches/show",
    pathId: "id",
    methods: ["GET"],
    access: "channel",
    summary: "One of the caller's saved searches.",
    errors,
    example: { id: "4" },
    input: byId,
    handle: async (hub, { channel }, { id }) => dated(await findSearch(hub, channel, id), channel),
    ...oneSearch,
  }),
  endpoint({
    path: "saved_searches/destroy",
    pathId: "id",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Removes a saved search and answers it.",
    errors,
    example: { id: "4" },
    input: byId,
    handle: async (hub, { channel }, { id }) => dated(await dropSearch(hub, channel, id), channel),
    ...oneSearch,
  }),
];

/** Clients break without a date; the oldest searches have none of their own and take the channel's. */
function dated(search: SavedSearch, { channel_created }: Channel): SavedSearch {
  return search.created === "" ? { ...search, created: channel_created } : search;
}

/** Microblog contract 7.16. */
function presentSearch({ id, query, created }: SavedSearch): object {
  return {
    id,
    id_str: String(id),
    name: query,
    query,
    position: null,
    created_at: twitterDate(created),
  };
}
