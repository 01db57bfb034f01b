import type { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { peopleOf } from "../../../domain/messages/messages.ts";
import type { Mail, MailPage } from "../../../domain/messages/messages.ts";
import { loadUsers } from "../../../domain/people/users.ts";
import type { Hub } from "../../../hub.ts";
import { presentMessages } from "./present-message.ts";
import type { MessageOptions, MessageAnswers } from "./present-message.ts";
import { optionalFlag, text } from "../parameters.ts";

/** The parameters that say how messages look. */
export const messageOptionsInput = {
  getText: text("`html` or `plain`: the body alone in that form, with the title apart."),
  getUserObjects: optionalFlag("False leaves out the people."),
};

type OptionsInput = { [name in keyof typeof messageOptionsInput]?: z.output<(typeof messageOptionsInput)[name]> } & {
  entities?: boolean;
};

/** Any other value than `html` means plain text: an old client sends `true`. */
function optionsOf(hub: Hub, { getText, getUserObjects, entities = false }: OptionsInput): MessageOptions {
  const isAbsent = getText === undefined || getText.trim() === "";
  return {
    text: isAbsent ? undefined : getText.trim().toLowerCase() === "html" ? "html" : "plain",
    users: getUserObjects ?? true,
    entities,
    aliases: hub.config.aliasFields,
  };
}

/** Loads the people of a page of messages as users: a fixed number of queries for any page. */
export async function showMessages(
  hub: Hub,
  caller: Caller,
  { messages, people }: MailPage,
  wanted: OptionsInput,
): Promise<MessageAnswers> {
  const ids = [...people.values()].map((xchan) => xchan.xchan_id);
  const users = ids.length === 0 ? [] : [...(await loadUsers(hub, caller.observer, ids)).values()];
  return { messages, people: new Map(users.map((user) => [user.xchan_hash, user])), options: optionsOf(hub, wanted) };
}

/** The same for one message. */
export async function showMessage(hub: Hub, caller: Caller, mail: Mail, wanted: OptionsInput): Promise<MessageAnswers> {
  return showMessages(hub, caller, { messages: [mail], people: await peopleOf(hub, [mail]) }, wanted);
}

/** The part of a row that answers one message. */
export const oneMessage = {
  answer: "Message",
  present: (shown: MessageAnswers): object => presentMessages(shown)[0]!,
  xml: "direct_message",
} as const;
