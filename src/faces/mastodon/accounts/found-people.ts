import { z } from "zod";
import { listDirectory } from "../../../domain/people/directory.ts";
import { dismissSuggestion, suggestedPeople } from "../../../domain/people/suggestions.ts";
import type { SuggestionReason } from "../../../domain/people/suggestions.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { flag, id, limit, offset, text } from "../parameters.ts";
import { presentAccount } from "../present/account.ts";
import { seeing } from "../seeing.ts";
import { manyAccounts, showAccounts } from "./account-answers.ts";
import { namedAccount } from "./named-account.ts";

const suggestions = z.object({ limit: limit(40) });

const sources = {
  friends: "friends_of_friends",
  tags: "most_interactions",
  active: "most_interactions",
} as const satisfies Record<SuggestionReason, string>;

/** Mastodon contract 12.2 and 12.3: people whom the caller may want to know. */
export const foundPeopleRows = [
  endpoint({
    path: "v1/directory",
    methods: ["GET"],
    access: "public",
    mayBeStale: true,
    summary: "People on this hub who are listed.",
    input: z.object({
      limit: limit(40),
      offset: offset(1000),
      order: text("`active`: who has posted last goes first; `new`: who came last."),
      local: flag("Changes nothing: the directory has people of this hub alone."),
    }),
    async handle(hub, caller, { limit: count, offset: skip, order }) {
      const anybody = await seeing(hub, caller);
      const by = order === "new" ? "newest" : "active";
      const { entries } = await listDirectory(hub, anybody.observer, { order: by, skip, count });
      return showAccounts(
        hub,
        anybody,
        entries.map(({ xchan_id }) => xchan_id),
      );
    },
    ...manyAccounts,
  }),
  endpoint({
    path: "v2/suggestions",
    methods: ["GET"],
    access: "channel",
    scope: "read",
    summary: "People on this hub whom the caller may like to follow, and why.",
    answer: "Suggestion[]",
    input: suggestions,
    async handle(hub, caller, { limit: count }) {
      const found = await suggestedPeople(hub, caller.channel, count);
      const ids = found.map(({ xchan_id }) => xchan_id);
      return { found, shown: await showAccounts(hub, caller, ids) };
    },
    present: ({ found, shown }) =>
      found.map(({ xchan_id, reason }) => ({
        source: "past_interactions" as const,
        sources: [sources[reason]],
        account: presentAccount(shown, xchan_id),
      })),
  }),
  endpoint({
    path: "v1/suggestions",
    methods: ["GET"],
    access: "channel",
    scope: "read",
    summary: "The same without the reasons, as older applications know it.",
    input: suggestions,
    async handle(hub, caller, { limit: count }) {
      const found = await suggestedPeople(hub, caller.channel, count);
      return showAccounts(
        hub,
        caller,
        found.map(({ xchan_id }) => xchan_id),
      );
    },
    ...manyAccounts,
  }),
  endpoint({
    path: "v1/suggestions/:account_id",
    aliases: ["v2/suggestions/:account_id"],
    methods: ["DELETE"],
    access: "channel",
    scope: "write:accounts",
    writes: true,
    summary: "Suggests somebody no more.",
    answer: "Nothing",
    example: { account_id: "17" },
    input: z.object({ account_id: id("Id of the person.") }),
    async handle(hub, { channel, observer }, { account_id }) {
      const { xchan_hash } = await namedAccount(hub, observer, account_id);
      await dismissSuggestion(hub, channel, xchan_hash);
      return {};
    },
  }),
];
