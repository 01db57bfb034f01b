import { inTag } from "../../../http/xml.ts";
import { fieldsOf } from "../xml.ts";
import type { PresentedMessage } from "./present-message.ts";
import type { UserObject } from "../people/present-user.ts";

/** Direct messages as JSON. Most of such a page are the same few people, so each is written once and repeated. */
export function messagesJson(messages: readonly PresentedMessage[]): string {
  const user = once((person) => JSON.stringify(person));
  const written = messages.map(({ sender, recipient, ...said }) => {
    let text = JSON.stringify(said).slice(0, -1);
    if (sender) text += `,"sender":${user(sender)}`;
    if (recipient) text += `,"recipient":${user(recipient)}`;
    return `${text}}`;
  });
  return `[${written.join(",")}]`;
}

/** The same as elements of XML. */
export function messagesXml(messages: readonly PresentedMessage[]): string {
  const user = once((person) => fieldsOf("user", person));
  const written = messages.map(({ sender, recipient, ...said }) => {
    let text = fieldsOf("direct_message", said);
    if (sender) text += inTag("sender", user(sender));
    if (recipient) text += inTag("recipient", user(recipient));
    return inTag("direct_message", text);
  });
  return written.join("");
}

function once(write: (person: UserObject) => string): (person: UserObject) => string {
  const written = new Map<UserObject, string>();
  return (person) => {
    let text = written.get(person);
    if (text === undefined) written.set(person, (text = write(person)));
    return text;
  };
}
