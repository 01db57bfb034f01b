import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";

/** Those notices of a channel that tell of these direct messages. */
export function areOfMails({ engine }: Hub, uid: number, mails: readonly number[]): RawBuilder<boolean> {
  return sql<boolean>`uid = ${uid} and mail_id > 0 and ${isOneOf(engine, sql.ref("mail_id"), mails)}`;
}
