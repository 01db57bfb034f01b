import { z } from "zod";
import { listMessages, setMessageSeen } from "../../../domain/messages/messages.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { JsonText } from "../../../http/json-text.ts";
import { messageFault, softError } from "./message-faults.ts";
import type { SoftResult } from "./message-faults.ts";
import { optionalId, text } from "../parameters.ts";
import { presentMessages } from "./present-message.ts";
import type { MessageAnswers } from "./present-message.ts";
import { messagesJson } from "./present-message-text.ts";
import { messageOptionsInput, showMessages } from "./message-answers.ts";

/** No parameter of a search says how many are wanted; more than this nobody reads. */
const mostFound = 1000;

/** Status 200 whatever happens, because clients take that as proof that these exist. */
export const messageExtensionRows = [
  endpoint({
    path: "svc/direct_messages_setseen",
    methods: ["GET"],
    methodsAs: { friendica: ["GET", "POST"] },
    access: "channel",
    writes: true,
    whileMoved: true,
    summary: "Marks a message as read.",
    answer: "SoftResult",
    example: { id: "44" },
    input: z.object({ id: optionalId("Id of the message.") }),
    async handle(hub, { channel }, { id }, exchange): Promise<SoftResult> {
      if (id === undefined) return softError("message id not specified");
      try {
        await setMessageSeen(hub, channel, id, true);
        return { result: "ok", message: "message set to seen" };
      } catch (error) {
        return softError(messageFault(hub, exchange, error));
      }
    },
    xml: "direct_messages_setseen",
  }),
  endpoint({
    path: "svc/direct_messages_search",
    methods: ["GET"],
    access: "channel",
    summary: "Messages whose text contains `searchstring`, newest first.",
    answer: "MessageSearch | SoftResult",
    example: { searchstring: "tea" },
    input: z.object({ ...messageOptionsInput, searchstring: text("What the messages contain.") }),
    async handle(hub, caller, { searchstring = "", ...wanted }): Promise<MessageAnswers | undefined> {
      const search = searchstring.trim();
      if (search === "") return undefined;
      const found = await listMessages(hub, caller.channel, { box: "all", search, count: mostFound });
      return showMessages(hub, caller, found, wanted);
    },
    present(found, { format }): object {
      if (!found) return softError("searchstring not specified");
      if (found.messages.length === 0) return { success: false, search_results: "nothing found" };
      const search_results = presentMessages(found);
      if (format === "xml") return { success: true, search_results };
      return new JsonText(`{"success":true,"search_results":${messagesJson(search_results)}}`);
    },
    xml: "direct_message_search",
  }),
];
