import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { plainText } from "../../../domain/bodies/plain-text.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import type { User } from "../../../domain/people/users.ts";
import { attachmentsOf } from "./attachments.ts";
import { twitterDate } from "./dates.ts";
import { presentEntities } from "./entities.ts";
import { peopleOf, presentUser } from "./user.ts";
import type { UserObject } from "./user.ts";

/** How a call wants to see direct messages. */
export type MessageLook = {
  /** Absent is title and plain text together (microblog contract 7.6). */
  text: "html" | "plain" | undefined;
  users: boolean;
  entities: boolean;
  /** Send the fields under their `friendica_` names too (microblog contract 2.4). */
  aliases: boolean;
};

/** Direct messages with the people in them, by xchan hash. */
export type ShownMessages = { messages: readonly Mail[]; people: ReadonlyMap<string, User>; look: MessageLook };

export type PresentedMessage = ReturnType<typeof presentMessage>;

/** Direct messages as microblog contract 7.6 has them. A value of undefined is a field that is left out. */
export function presentMessages({ messages, people, look }: ShownMessages): PresentedMessage[] {
  const users = new Map([...people].map(([hash, user]) => [hash, presentUser(user)]));
  return messages.map((mail) => presentMessage(mail, users, people, look));
}

function presentMessage(
  mail: Mail,
  users: ReadonlyMap<string, UserObject>,
  people: ReadonlyMap<string, User>,
  look: MessageLook,
) {
  const sender = users.get(mail.from_xchan);
  const recipient = users.get(mail.to_xchan);
  const text = textOf(mail, look);
  return {
    id: mail.id,
    id_str: String(mail.id),
    sender_id: sender?.id ?? 0,
    sender_screen_name: sender?.screen_name ?? "",
    recipient_id: recipient?.id ?? 0,
    recipient_screen_name: recipient?.screen_name ?? "",
    text,
    title: look.text === undefined ? "" : mail.title,
    created_at: twitterDate(mail.created),
    svc_seen: mail.mail_seen,
    svc_parent_uri: mail.conv_guid,
    friendica_seen: look.aliases ? mail.mail_seen : undefined,
    friendica_parent_uri: look.aliases ? mail.conv_guid : undefined,
    entities: look.entities ? entitiesOf(mail, text, people, look) : undefined,
    // Left out where there is nobody any more: null breaks client libraries (12, trap 52).
    sender: look.users ? sender : undefined,
    recipient: look.users ? recipient : undefined,
  };
}

/** Files that come with a message have no field of their own, so their addresses stand below the words. */
function textOf(mail: Mail, look: MessageLook): string {
  const html = personalise(mail.html, undefined);
  const files = attachmentsOf(mail, "").map(({ url }) => url);
  if (look.text === "html") {
    const links = files.map((url) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`);
    return [html, ...links].filter((part) => part !== "").join("<br>");
  }
  const body = look.entities ? plainText(html, "url") : mail.plain;
  const title = look.text === undefined ? mail.title : "";
  return [title, body, ...files].filter((part) => part !== "").join("\n");
}

function entitiesOf(mail: Mail, text: string, people: ReadonlyMap<string, User>, look: MessageLook): object {
  const users = new Map([...people.values()].map((user) => [user.xchan_id, user]));
  const mentioned = new Map([...people.values()].map((user) => [user.xchan_url, user.xchan_id]));
  const lead = look.text === undefined ? mail.title.length : 0;
  const beside = { attachments: [], known: new Map<string, never>(), lead };
  return presentEntities(text, personalise(mail.html, undefined), mentioned, peopleOf(users), beside);
}
