import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findMessage, listMessages } from "../../../domain/messages/messages.ts";
import type { MailQuery } from "../../../domain/messages/messages.ts";
import { unlessMissing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { JsonText } from "../../../http/json-text.ts";
import { XmlText } from "../../../http/xml.ts";
import type { Element } from "../../../http/xml.ts";
import type { Hub } from "../../../hub.ts";
import { softError } from "./message-faults.ts";
import type { SoftResult } from "./message-faults.ts";
import { findNamed } from "../people/named-person.ts";
import { count, flag, pageNumber, requiredId, text } from "../parameters.ts";
import { include_entities, max_id, since_id } from "../shared-input.ts";
import { presentMessages } from "./present-message.ts";
import type { MessageAnswers } from "./present-message.ts";
import { messagesJson, messagesXml } from "./present-message-text.ts";
import { messageOptionsInput, oneMessage, showMessage, showMessages } from "./message-answers.ts";
import { namespaces, rootElement } from "../xml.ts";

const listInput = z.object({
  ...messageOptionsInput,
  count: count(),
  page: pageNumber(),
  since_id,
  max_id,
  user_id: text("Id of a person: only messages with this partner."),
  screen_name: text("Nick of a person: only messages with this partner."),
  svc_verbose: flag("Says in words that there is nothing, in place of an empty list."),
});
const withEntities = listInput.extend({ include_entities });
const longestConversation = 1000;

type ListInput = z.output<typeof listInput> & { include_entities?: boolean | undefined };
type Listed = { shown: MessageAnswers; verbose: boolean };

const nothing = { messages: [], people: new Map() };

/** The part of a row that answers several messages; who asks for words gets some when there is nothing. */
const manyMessages = {
  answer: "Message[] | SoftResult",
  present({ shown, verbose }: Listed, { format }: Exchange): JsonText | Element | SoftResult {
    if (verbose && shown.messages.length === 0) return softError("no mails available");
    const messages = presentMessages(shown);
    return format === "xml" ? listElement(messagesXml(messages)) : new JsonText(messagesJson(messages));
  },
  xml: (presented: Element | SoftResult): Element =>
    "result" in presented ? rootElement(listName, presented) : presented,
} as const;

const listName = "direct-messages";

function listElement(content: string): Element {
  return { name: listName, attributes: namespaces, children: [new XmlText(content)] };
}

/** Reading direct messages. */
export const messageRows = [
  endpoint({
    path: "direct_messages",
    methods: "*",
    access: "channel",
    summary: "Messages that the caller received, newest first; reading marks none as seen.",
    example: { count: "5" },
    input: withEntities,
    handle: (hub, caller, input, exchange) => list(hub, caller, { box: "received" }, input, exchange),
    ...manyMessages,
  }),
  endpoint({
    path: "direct_messages/sent",
    methods: "*",
    access: "channel",
    summary: "Messages that the caller sent.",
    input: withEntities,
    handle: (hub, caller, input, exchange) => list(hub, caller, { box: "sent" }, input, exchange),
    ...manyMessages,
  }),
  endpoint({
    path: "direct_messages/all",
    methods: "*",
    access: "channel",
    summary: "Messages that the caller received or sent.",
    input: listInput,
    handle: (hub, caller, input) => list(hub, caller, { box: "all" }, input),
    ...manyMessages,
  }),
  endpoint({
    path: "direct_messages/conversation",
    methods: "*",
    access: "channel",
    summary: "All messages of the conversation that `uri` names; an unknown one has none.",
    example: { uri: "5b7e0c" },
    input: listInput.extend({
      uri: text("`svc_parent_uri` of the conversation."),
      count: count(20, longestConversation),
    }),
    async handle(hub, caller, input) {
      const conversation = input.uri?.trim() ?? "";
      if (conversation === "") return listed(hub, caller, nothing, input);
      return list(hub, caller, { box: "all", conversation }, input);
    },
    ...manyMessages,
  }),
  endpoint({
    path: "direct_messages/show",
    pathId: "id",
    methods: ["GET"],
    access: "channel",
    summary: "One message.",
    errors: { missing_parameter: "An id is missing.", missing: "Not Found" },
    example: { id: "44" },
    input: z.object({ ...messageOptionsInput, id: requiredId("Id of the message."), include_entities }),
    async handle(hub, caller, { id, include_entities, ...wanted }, { version11 }) {
      const mail = await findMessage(hub, caller.channel, id);
      return showMessage(hub, caller, mail, { ...wanted, entities: include_entities ?? version11 });
    },
    ...oneMessage,
  }),
];

/** Entities are for the two lists that have an exchange to tell whether they are usual. */
async function list(
  hub: Hub,
  caller: Caller,
  which: Pick<MailQuery, "box" | "conversation">,
  input: ListInput,
  exchange?: Exchange,
): Promise<Listed> {
  const { partner, isUnknown } = await partnerOf(hub, caller, input);
  if (isUnknown) return listed(hub, caller, nothing, input);
  const page = await listMessages(hub, caller.channel, {
    ...which,
    partner,
    sinceId: input.since_id,
    maxId: input.max_id || undefined,
    page: input.page,
    count: input.count,
  });
  return listed(hub, caller, page, input, exchange && (input.include_entities ?? exchange.version11));
}

async function listed(
  hub: Hub,
  caller: Caller,
  page: Parameters<typeof showMessages>[2],
  { getText, getUserObjects, svc_verbose: verbose }: ListInput,
  entities = false,
): Promise<Listed> {
  return { shown: await showMessages(hub, caller, page, { getText, getUserObjects, entities }), verbose };
}

/** Whom the list is narrowed to; a name that nobody has is no error here. */
async function partnerOf(
  hub: Hub,
  caller: Caller,
  { user_id, screen_name }: ListInput,
): Promise<{ partner: string | undefined; isUnknown: boolean }> {
  const found = await unlessMissing(findNamed(hub, caller.observer, { user_id, screen_name }));
  return { partner: typeof found === "object" ? found.xchan_hash : undefined, isUnknown: found === undefined };
}
