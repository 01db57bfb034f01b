import { z } from "zod";
import { pageOfPeople } from "../../../domain/connections/connections.ts";
import type { PeopleList } from "../../../domain/connections/connections.ts";
import { activeGroup, activeGroups } from "../../../domain/groups/groups.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { id } from "../parameters.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { manyAccounts, showAccounts } from "./account-answers.ts";

/** Mastodon contract 12.3 and 12.6: lists of people that the caller alone sees. */
export const ownListRows = [
  peopleRow("blocks", "read:blocks", "blocked", "Whom the caller blocks."),
  peopleRow("mutes", "read:mutes", "muted", "Whom the caller ignores."),
  peopleRow("follow_requests", "read:follows", "incoming", "Who waits for the caller's answer."),
  endpoint({
    path: "v1/lists",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "The caller's groups.",
    answer: "List[]",
    input: z.object({}),
    handle: (hub, { channel }) => activeGroups(hub, channel.channel_id),
    present: (groups) => groups.map(presentList),
  }),
  endpoint({
    path: "v1/lists/:id",
    methods: ["GET"],
    access: "channel",
    scope: "read:lists",
    summary: "One of the caller's groups.",
    answer: "List",
    example: { id: "3" },
    input: z.object({ id: id("Id of the group.") }),
    handle: (hub, { channel }, input) => activeGroup(hub, channel.channel_id, input.id),
    present: presentList,
  }),
];

function peopleRow(name: string, scope: string, list: PeopleList, summary: string): Endpoint {
  return endpoint({
    path: `v1/${name}`,
    methods: ["GET"],
    access: "channel",
    scope,
    summary,
    input: z.object(pageInput(40)),
    async handle(hub, caller, input) {
      const { keys, next } = await pageOfPeople(hub, caller.channel.channel_id, list, windowOf(input));
      return showAccounts(hub, caller, keys, edgesOf(keys, next > 0));
    },
    ...manyAccounts,
  });
}

function presentList({ id, gname }: { id: number; gname: string }) {
  return { id: String(id), title: gname, replies_policy: "list", exclusive: false };
}
