import { applicationHtml } from "../../../domain/bodies/application-html.ts";
import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { recipientsOf } from "../../../domain/messages/messages.ts";
import type { Mail } from "../../../domain/messages/messages.ts";
import type { Hub } from "../../../hub.ts";
import { namesOf, pageOf, presentAccount } from "./account.ts";
import type { Accounts } from "./account.ts";
import { datetime } from "./dates.ts";
import { presentMedia } from "./media.ts";
import type { StatusObject } from "./status-object.ts";

/** Messages with all that is shown of them. */
export type MailSheet = {
  mails: readonly Mail[];
  /** Ids of those who wrote them or get them by their hashes. */
  sides: ReadonlyMap<string, number>;
  /** What they answer, by mid. */
  answered: ReadonlyMap<string, Mail>;
  accounts: Accounts;
  hub: Hub;
};

/** Ids of messages and of conversations by message begin here: no item ever gets such a one (mastodon contract 5.1). */
export const firstOfMails = 2 ** 51;
/** What files of messages have their ids of; no message of the other kind gets that far. */
const firstOfFiles = 2 ** 40;

/** A message as a status: for those to whom it went, and nothing can be done with it but answering and removing (mastodon contract 6.5). */
export function presentMail(sheet: MailSheet, mail: Mail): StatusObject {
  const { sides, accounts, hub } = sheet;
  const answered = mail.parent_mid === mail.mid ? undefined : sheet.answered.get(mail.parent_mid);
  const titled = mail.title === "" || mail.title === answered?.title ? "" : `<h1>${escapeHtml(mail.title)}</h1>`;
  const readers = recipientsOf(mail).flatMap((hash) => accounts.users.get(sides.get(hash) ?? 0) ?? []);
  return {
    id: idOfMail(mail),
    uri: mail.mid,
    url: null,
    created_at: datetime(mail.created),
    edited_at: null,
    account: presentAccount(accounts, sides.get(mail.from_xchan) ?? 0),
    content: applicationHtml(titled + mail.html, { personAt: () => undefined, tagUrl: () => hub.config.baseUrl }),
    visibility: "direct",
    sensitive: false,
    spoiler_text: "",
    media_attachments: presentMedia(
      hub,
      new Map(),
      { attach: mail.attach, message_id: firstOfFiles + mail.id, item_private: 1 },
      mail.html,
      mail.channel_id,
    ),
    application: null,
    mentions: readers.map((reader) => ({
      id: String(reader.xchan_id),
      ...namesOf(reader),
      url: pageOf(reader, hub.config.baseUrl),
    })),
    tags: [],
    emojis: [],
    reblogs_count: 0,
    favourites_count: 0,
    replies_count: 0,
    quotes_count: 0,
    in_reply_to_id: answered ? idOfMail(answered) : null,
    in_reply_to_account_id: answered ? String(sides.get(answered.from_xchan) ?? 0) : null,
    poll: null,
    card: null,
    quote: null,
    quote_id: null,
    quote_approval: { automatic: [], manual: [], current_user: "denied" },
    language: null,
    favourited: false,
    reblogged: false,
    bookmarked: false,
    muted: false,
    filtered: [],
    tagged_collections: [],
    local_only: false,
    hubbub: { title: mail.title, thread: idOfMail(answered ?? mail), activities: {} },
    reblog: null,
  };
}

function idOfMail({ id }: Pick<Mail, "id">): string {
  return String(firstOfMails + id);
}
