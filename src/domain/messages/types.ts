import type { Selectable } from "kysely";
import type { ConvTable, MailTable } from "../../storage/tables/messages.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";

/** One side's copy of a direct message. */
export type Mail = Selectable<MailTable>;

/** One side's record of a conversation. */
export type Conversation = Selectable<ConvTable>;

/** Messages with the people in them, by xchan hash; those whom the hub does not know are not among them. */
export type MailPage = { messages: Mail[]; people: Map<string, Xchan> };
