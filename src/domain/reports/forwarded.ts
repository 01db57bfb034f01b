import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { findAddressee } from "../identity/xchans/actors.ts";
import type { Addressee } from "../identity/xchans/actors.ts";
import { storedJson } from "../../stored-json.ts";

/** What those who run another hub are told: of whom of theirs, of which of their posts by mid, and the words. */
export type Forwarded = { flagId: string; comment: string; person: Addressee; mids: string[] };

/** A report that is told to the hub of the person; undefined where they cannot be reached. */
export async function findForwarded(hub: Hub, id: number): Promise<Forwarded | undefined> {
  const row = await hub.db
    .selectFrom("report")
    .innerJoin("xchan", "xchan.xchan_id", "report.person_id")
    .select(["flag_id", "comment", "messages", "xchan_hash"])
    .where("report.id", "=", id)
    .where("forwarded", "=", 1)
    .executeTakeFirst();
  const person = row && (await findAddressee(hub, row.xchan_hash));
  if (!row || !person) return undefined;
  const ids = storedJson<number[]>(row.messages);
  const messages = await hub.db
    .selectFrom("message")
    .select("mid")
    .where(isOneOf(hub.engine, sql.ref("id"), ids))
    .orderBy("id")
    .execute();
  return { flagId: row.flag_id, comment: row.comment, person, mids: messages.map(({ mid }) => mid) };
}
