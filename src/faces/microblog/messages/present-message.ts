import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { maySayNames, plainText } from "../../../domain/bodies/plain-text.ts";
import type { NameOf } from "../../../domain/bodies/plain-text.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import type { User } from "../../../domain/people/users.ts";
import { attachmentsOf } from "../../../domain/items/timelines/status-attachments.ts";
import { twitterDate } from "../present/dates.ts";
import { presentEntities } from "../statuses/present-entities.ts";
import type { Mentioned } from "../statuses/present-entities.ts";
import { namesOf, peopleOf, presentUser } from "../people/present-user.ts";
import type { UserObject } from "../people/present-user.ts";

/** How a call wants to see direct messages. */
export type MessageOptions = {
  /** Absent is title and plain text together. */
  text: "html" | "plain" | undefined;
  users: boolean;
  entities: boolean;
  /** Send the fields under their `friendica_` names too. */
  aliases: boolean;
};

/** Direct messages with the people in them, by xchan hash. */
export type MessageAnswers = { messages: readonly Mail[]; people: ReadonlyMap<string, User>; options: MessageOptions };

export type PresentedMessage = ReturnType<typeof presentMessage>;

/** What all messages of an answer are presented with. */
type Sheet = { users: ReadonlyMap<string, UserObject>; mentioned: Mentioned; options: MessageOptions };

/** Direct messages. A value of undefined is a field that is left out. */
export function presentMessages({ messages, people, options }: MessageAnswers): PresentedMessage[] {
  const users = new Map([...people].map(([hash, user]) => [hash, presentUser(user)]));
  const sheet = { users, mentioned: mentionedAmong([...people.values()]), options };
  return messages.map((mail) => presentMessage(mail, sheet));
}

/** Of those who are mentioned in messages only the people in them are known. */
function mentionedAmong(people: readonly User[]): Mentioned {
  const users = new Map(people.map((user) => [user.xchan_id, user]));
  const idOf = new Map(people.map((user) => [user.xchan_url, user.xchan_id]));
  return { idOf, people: peopleOf(users), nameOf: namesOf(idOf, users) };
}

function presentMessage(mail: Mail, { users, mentioned, options }: Sheet) {
  const sender = users.get(mail.from_xchan);
  const recipient = users.get(mail.to_xchan);
  const text = textOf(mail, options, mentioned.nameOf);
  return {
    id: mail.id,
    id_str: String(mail.id),
    sender_id: sender?.id ?? 0,
    sender_screen_name: sender?.screen_name ?? "",
    recipient_id: recipient?.id ?? 0,
    recipient_screen_name: recipient?.screen_name ?? "",
    text,
    title: options.text === undefined ? "" : mail.title,
    created_at: twitterDate(mail.created),
    svc_seen: mail.mail_seen,
    svc_parent_uri: mail.conv_guid,
    friendica_seen: options.aliases ? mail.mail_seen : undefined,
    friendica_parent_uri: options.aliases ? mail.conv_guid : undefined,
    entities: options.entities ? entitiesOf(mail, text, mentioned, options) : undefined,
    // Left out where there is nobody any more: null breaks client libraries (microblog contract 12, trap 52).
    sender: options.users ? sender : undefined,
    recipient: options.users ? recipient : undefined,
  };
}

/** Files that come with a message have no field of their own, so their addresses stand below the words. */
function textOf(mail: Mail, options: MessageOptions, nameOf: NameOf): string {
  const html = personalise(mail.html, undefined);
  const files = attachmentsOf(mail, "").map(({ url }) => url);
  if (options.text === "html") {
    const links = files.map((url) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`);
    return [html, ...links].filter((part) => part !== "").join("<br>");
  }
  const asStored = !options.entities && !maySayNames(html);
  const body = asStored ? mail.plain : plainText(html, options.entities ? "url" : "label", nameOf);
  const title = options.text === undefined ? mail.title : "";
  return [title, body, ...files].filter((part) => part !== "").join("\n");
}

function entitiesOf(mail: Mail, text: string, mentioned: Mentioned, options: MessageOptions): object {
  const lead = options.text === undefined ? mail.title.length : 0;
  const beside = { attachments: [], known: new Map<string, never>(), lead };
  return presentEntities(text, personalise(mail.html, undefined), mentioned, beside);
}
