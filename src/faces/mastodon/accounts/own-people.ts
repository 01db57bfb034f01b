import { z } from "zod";
import {
  approve,
  blockHost,
  findConnectionTo,
  listHostBlocks,
  pageOfPeople,
  refuse,
  relationsWith,
  unblockHost,
} from "../../../domain/connections/connections.ts";
import type { PeopleList, Relation } from "../../../domain/connections/connections.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { missing, unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { id, requiredText } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks, pageOf, windowOf } from "../paging.ts";
import type { PageInput } from "../paging.ts";
import { datetime } from "../present/dates.ts";
import { manyAccounts, showAccounts } from "./account-answers.ts";
import type { AccountAnswers } from "./account-answers.ts";
import { namedAccount } from "./named-account.ts";
import { oneRelationship, relatedTo } from "./relationship-answers.ts";

const host = z.object({ domain: requiredText("Host of the server, such as `other.example`.") });

/** With what the caller has said of when it ends. */
type Muted = AccountAnswers & { relations: ReadonlyMap<number, Relation> };

/** Mastodon contract 12.3: people and servers that the caller alone sees listed. */
export const ownPeopleRows = [
  peopleRow("blocks", "read:blocks", "blocked", "Whom the caller blocks."),
  endpoint({
    path: "v1/mutes",
    methods: ["GET"],
    access: "channel",
    scope: "read:mutes",
    summary: "Whom the caller ignores.",
    answer: "MutedAccount[]",
    input: z.object(pageInput(40)),
    async handle(hub, caller, input): Promise<Muted> {
      const shown = await showList(hub, caller, "muted", input);
      return { ...shown, relations: await relationsWith(hub, caller.channel.channel_id, shown.ids) };
    },
    present: ({ relations, ...shown }) =>
      manyAccounts.present(shown).map((account) => {
        const ends = relations.get(Number(account.id))?.ignoringEnds;
        return { ...account, mute_expires_at: ends === undefined ? null : datetime(ends) };
      }),
    headers: (shown: Muted, exchange) => manyAccounts.headers(shown, exchange),
  }),
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
    summary: "Servers that the caller blocks, the last first.",
    answer: "Host[]",
    input: z.object(pageInput(100)),
    async handle(hub, { channel }, input) {
      const all = await listHostBlocks(hub, channel.channel_id);
      const blocks = all.filter(({ kind }) => kind === "block");
      return pageOf(blocks, windowOf(input));
    },
    present: ({ page }) => page.map((block) => block.host),
    headers: ({ edges }, exchange) => pageLinks(edges, exchange),
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
    handle: (hub, caller, input) => showList(hub, caller, list, input),
    ...manyAccounts,
  });
}

async function showList(hub: Hub, caller: Caller, list: PeopleList, input: PageInput): Promise<AccountAnswers> {
  const { keys, next } = await pageOfPeople(hub, caller.channel.channel_id, list, windowOf(input));
  return showAccounts(hub, caller, keys, edgesOf(keys, next > 0));
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
