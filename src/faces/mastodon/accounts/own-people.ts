import { z } from "zod";
import {
  approve,
  blockHost,
  findConnectionTo,
  listHostBlocks,
  pageOfPeople,
  refuse,
  unblockHost,
} from "../../../domain/connections/connections.ts";
import type { PeopleList } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { missing, unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { id, requiredText } from "../parameters.ts";
import { edgesOf, pageInput, windowOf } from "../paging.ts";
import { manyAccounts, showAccounts } from "./account-answers.ts";
import { namedAccount } from "./named-account.ts";
import { oneRelationship, relatedTo } from "./relationship-answers.ts";

const host = z.object({ domain: requiredText("Host of the server, such as `other.example`.") });

/** Mastodon contract 12.3: people and servers that the caller alone sees listed. */
export const ownPeopleRows = [
  peopleRow("blocks", "read:blocks", "blocked", "Whom the caller blocks."),
  peopleRow("mutes", "read:mutes", "muted", "Whom the caller ignores."),
  peopleRow("follow_requests", "read:follows", "incoming", "Who waits for the caller's answer."),
  answerRow("authorize", "Lets somebody in who has asked to follow.", async (hub, { channel }, abookId) => {
    await approve(hub, channel, abookId);
  }),
  answerRow("reject", "Refuses somebody who has asked to follow.", (hub, { channel }, abookId) =>
    refuse(hub, channel, abookId),
  ),
  endpoint({
    path: "v1/domain_blocks",
    methods: ["GET"],
    access: "channel",
    scope: "read:blocks",
    summary: "Servers that the caller blocks, by name.",
    answer: "Host[]",
    input: z.object({}),
    handle: (hub, { channel }) => listHostBlocks(hub, channel.channel_id),
    present: (blocks) => blocks.filter(({ kind }) => kind === "block").map((block) => block.host),
  }),
  endpoint({
    path: "v1/domain_blocks",
    methods: ["POST"],
    access: "channel",
    scope: "write:blocks",
    writes: true,
    summary: "Blocks a whole server: nothing of anybody there is shown, and who followed from there does so no more.",
    answer: "Nothing",
    example: { domain: "other.example" },
    input: host,
    async handle(hub, { channel }, { domain }) {
      await blockHost(hub, channel, domain, "block");
      return {};
    },
  }),
  endpoint({
    path: "v1/domain_blocks",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:blocks",
    writes: true,
    summary: "Ends the block of a server.",
    answer: "Nothing",
    example: { domain: "other.example" },
    input: host,
    async handle(hub, { channel }, { domain }) {
      await unlessMissing(unblockHost(hub, channel, domain));
      return {};
    },
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

type Answer = (hub: Hub, caller: Caller, abookId: number) => Promise<void>;

/** The path names the person, not the request. */
function answerRow(name: string, summary: string, answer: Answer): Endpoint {
  return endpoint({
    path: `v1/follow_requests/:account_id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope: "write:follows",
    writes: true,
    summary,
    example: { account_id: "17" },
    input: z.object({ account_id: id("Id of the person.") }),
    async handle(hub, caller, { account_id }) {
      const { xchan_id, xchan_hash } = await namedAccount(hub, caller.observer, account_id);
      const connection = await findConnectionTo(hub, caller.channel.channel_id, xchan_hash);
      if (connection?.abook_pending !== 1) throw missing("Connection");
      await answer(hub, caller, connection.abook_id);
      return relatedTo(hub, caller, [xchan_id]);
    },
    ...oneRelationship,
  });
}
