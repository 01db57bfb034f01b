import { z } from "zod";
import { sendMessage } from "../../../domain/messages/messages.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { unknownMessage } from "./message-faults.ts";
import { findNamed, personInput } from "../people/named-person.ts";
import { optionalId, text } from "../parameters.ts";
import { messageOptionsInput, oneMessage, showMessage } from "./message-answers.ts";

const titleLength = 10;

/** Sending direct messages. */
export const sendMessageRows = [
  endpoint({
    path: "direct_messages/new",
    methods: ["POST", "PUT"],
    access: "channel",
    writes: true,
    summary: "Sends a message, or answers one with `replyto`.",
    errors: {
      nothing_to_send: "text or recipient not specified",
      unknown_answered: [400, unknownMessage],
      text_too_long: [400, "Text is too long."],
      missing: "Recipient not found",
      takes_no_messages: [403, "Permission denied."],
      denied: "Permission denied.",
    },
    example: { screen_name: "bob", text: "Come at four." },
    input: z.object({
      text: text("What the message says."),
      user_id: personInput.user_id,
      screen_name: personInput.screen_name,
      profileurl: personInput.profileurl,
      replyto: optionalId("Id of the message that it answers."),
      title: text("Its title; the beginning of the text unless given."),
      getText: messageOptionsInput.getText,
    }),
    async handle(hub, caller, { text = "", replyto, title, getText, ...named }) {
      const body = text.trim();
      const recipient = body === "" ? "nobody named" : await findNamed(hub, caller.observer, named);
      if (recipient === "nobody named")
        throw new HubError("invalid", "text or recipient not specified", { reason: "nothing_to_send" });
      const mail = await sendMessage(hub, caller.channel, {
        to: recipient.xchan_hash,
        body,
        ...(replyto === undefined ? begins(body, title?.trim() ?? "") : { replyTo: replyto }),
      });
      return showMessage(hub, caller, mail, { getText });
    },
    ...oneMessage,
  }),
];

/** What answers nothing and has no title of its own goes on where the two of them stopped. */
function begins(body: string, title: string): { title: string; goesOn: boolean } {
  return title === "" ? { title: titleOf(body), goesOn: true } : { title, goesOn: false };
}

/** The title of a message without one. */
function titleOf(body: string): string {
  const characters = [...body];
  return characters.length > titleLength ? `${characters.slice(0, titleLength).join("")}...` : body;
}
