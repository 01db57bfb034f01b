import type { Selectable } from "kysely";
import type { ConvTable, MailTable } from "../../storage/tables/messages.ts";
import type { StatusItem } from "../items/columns.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

/** One side's copy of a direct message. */
export type Mail = Selectable<MailTable>;

/** One side's record of a conversation. */
export type Conversation = Selectable<ConvTable>;

/** Messages with the people in them, by xchan hash; those whom the hub does not know are not among them. */
export type MailPage = { messages: Mail[]; people: Map<string, Xchan> };

/** A direct thread by the id of its top in the channel's own copy, or messages by the id of their conversation. */
export type TalkName = { kind: "thread" | "mails"; id: number };

export type Talk = TalkName & {
  /** Where it stands in the list; what is said in it moves it up. */
  key: number;
  unseen: boolean;
  /** Ids of the identities that take part, the channel's own only where there is nobody else. */
  people: number[];
  /** What was said last. */
  last: { item: StatusItem; mail?: never } | { mail: Mail; item?: never };
};
