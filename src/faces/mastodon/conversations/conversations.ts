import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findTalk, listTalks, removeTalk, setTalkSeen } from "../../../domain/messages/messages.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Hub } from "../../../hub.ts";
import { id } from "../parameters.ts";
import { edgesOf, pageInput, pageLinks } from "../paging.ts";
import { lastStatus, presentConversation, showTalks, talkNamed } from "./conversation-answers.ts";
import type { Conversations } from "./conversation-answers.ts";

const page = z.object(pageInput(20));
const conversationId = z.object({ id: id("Id of the conversation.") });

const paged = {
  handle: (hub: Hub, caller: Caller, input: z.output<typeof page>) => pageOfTalks(hub, caller, input),
  headers: ({ edges }: Conversations, exchange: Exchange) => pageLinks(edges, exchange),
};

/** Mastodon contract 12.6: direct threads and messages alike. */
export const conversationRows = [
  endpoint({
    path: "v1/conversations",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "Whom the caller talks with in direct posts and messages; the last first. Bounds are those of `Link`.",
    answer: "Conversation[]",
    input: page,
    ...paged,
    present: (shown) => shown.talks.map((talk) => presentConversation(shown, talk)),
  }),
  endpoint({
    path: "v1/timelines/direct",
    methods: ["GET"],
    access: "channel",
    scope: "read:statuses",
    summary: "What was said last in each of these conversations.",
    answer: "Status[]",
    input: page,
    ...paged,
    present: (shown) => shown.talks.map((talk) => lastStatus(shown, talk)),
  }),
  mark("read", "Marks all of a conversation as read.", true),
  mark("unread", "Marks what others said last in it as unread.", false),
  endpoint({
    path: "v1/conversations/:id",
    methods: ["DELETE"],
    access: "channel",
    scope: "write:conversations",
    writes: true,
    summary: "Removes a conversation for the caller; the others keep it.",
    answer: "Nothing",
    example: { id: "812" },
    input: conversationId,
    handle: (hub, { channel }, input) => removeTalk(hub, channel, talkNamed(input.id)),
    present: () => ({}),
  }),
];

async function pageOfTalks(hub: Hub, caller: Caller, input: z.output<typeof page>): Promise<Conversations> {
  const { limit: count, max_id: below, since_id: since, min_id: above } = input;
  const { talks, more } = await listTalks(hub, caller.channel, { count, below, since, above });
  const edges = edgesOf(
    talks.map(({ key }) => key),
    more,
  );
  return showTalks(hub, caller, talks, edges);
}

function mark(name: string, summary: string, seen: boolean): Endpoint {
  return endpoint({
    path: `v1/conversations/:id/${name}`,
    methods: ["POST"],
    access: "channel",
    scope: "write:conversations",
    writes: true,
    whileMoved: true,
    summary,
    answer: "Conversation",
    example: { id: "812" },
    input: conversationId,
    async handle(hub, caller, input) {
      await setTalkSeen(hub, caller.channel, talkNamed(input.id), seen);
      return showTalks(hub, caller, [await findTalk(hub, caller.channel, talkNamed(input.id))]);
    },
    present: (shown) => presentConversation(shown, shown.talks[0]!),
  });
}
