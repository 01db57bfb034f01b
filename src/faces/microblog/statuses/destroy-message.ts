import { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { deleteMessage, findMessage } from "../../../domain/messages/messages.ts";
import { HubError, missing } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import type { Hub } from "../../../hub.ts";
import { messageFault, softError } from "../messages/message-faults.ts";
import type { SoftResult } from "../messages/message-faults.ts";
import { flag, optionalId, text } from "../parameters.ts";
import { presentMessages } from "../messages/present-message.ts";
import type { MessageAnswers } from "../messages/present-message.ts";
import { showMessage } from "../messages/message-answers.ts";
import { rootElement } from "../xml.ts";

const input = z.object({
  id: optionalId("Id of the message."),
  svc_parenturi: text("Deletes only if the message is of this conversation."),
  svc_verbose: flag("Says in words how it went."),
  // The one difference between the two spellings (microblog contract 2.5): whoever uses this one reads of errors in a
  // success.
  friendica_verbose: flag("The same as `svc_verbose`, but a failure is told with status 200."),
});

type Input = z.output<typeof input>;

/** Deleting direct messages. */
export const destroyMessageRows = [
  endpoint({
    path: "direct_messages/destroy",
    pathId: "id",
    methods: ["POST", "DELETE"],
    access: "channel",
    writes: true,
    summary: "Deletes the caller's copy of a message and answers it as it was, or with `svc_verbose` how it went.",
    answer: "Message | SoftResult",
    example: { id: "44" },
    input,
    async handle(hub, caller, input, exchange): Promise<MessageAnswers | SoftResult> {
      const verbose = input.svc_verbose || input.friendica_verbose;
      if (input.id === undefined)
        return fail(input, "Message id not specified", "message id or parenturi not specified");
      try {
        const deleted = await destroy(hub, caller, input.id, input.svc_parenturi);
        return verbose ? { result: "ok", message: "message deleted" } : deleted;
      } catch (error) {
        return fail(input, messageFault(hub, exchange, error));
      }
    },
    present: (answer) => ("result" in answer ? answer : presentMessages(answer)[0]!),
    xml: (presented: object) =>
      rootElement("result" in presented ? "direct_messages_delete" : "direct_message", presented),
  }),
];

async function destroy(hub: Hub, caller: Caller, id: number, parent = ""): Promise<MessageAnswers> {
  const conversation = parent.trim();
  const mail = await findMessage(hub, caller.channel, id);
  if (conversation !== "" && mail.conv_guid !== conversation) throw missing("Message");
  return showMessage(hub, caller, await deleteMessage(hub, caller.channel, id), {});
}

/** A failure in the form that the caller reads; `softly` is how the verbose forms put it. */
function fail({ svc_verbose, friendica_verbose }: Input, sentence: string, softly = sentence): SoftResult {
  if (friendica_verbose) return softError(softly);
  throw new HubError("invalid", sentence, svc_verbose ? { more: softError(softly) } : {});
}
