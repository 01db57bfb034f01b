import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { contentColumns } from "./columns.ts";

/**
 * A message is one row for all who have it. Those who have left its audience keep it in another row when it changes: of the same
 * author and mid, with a version below 0, and nothing changes that text any more (decision 157).
 */

const columns = [
  ...contentColumns.filter((column) => column !== "message.uuid").map((column) => column.slice("message.".length)),
  "author_id",
  "created",
  "words",
  "shares_purely",
];

/** What other tables say of a message, apart from what only one channel says of it. */
const besides = {
  term: ["oid", "uid", "otype", "ttype", "term", "term_key", "url", "imgurl", "term_hash", "parent_hash", "created"],
  iconfig: ["uid", "cat", "k", "v", "sharing"],
  message_version: ["revision", "written", "title", "summary", "html", "attach", "item_nsfw", "question"],
  message_link: ["card_id"],
  poll_vote: ["xchan_id", "choices"],
};

/** What one channel says of a message goes along with its row. */
const ofChannels = ["item", "term", "iconfig", "filter_status"] as const;

/** Lets these channels keep a message as it is now. Part of the transaction that is about to change it. */
export async function keepText(hub: Hub, messageId: number, uids: readonly number[]): Promise<void> {
  const kept = await copyMessage(hub, messageId);
  for (const [table, names] of Object.entries(besides)) await copyBesides(hub, { table, names, messageId, kept });
  for (const table of ofChannels)
    await hub.db
      .updateTable(table)
      .set({ message_id: kept })
      .where("message_id", "=", messageId)
      .where(isOneOf(hub.engine, sql.ref("uid"), uids))
      .execute();
}

/** Texts that channels keep as they were, and what is to be read of them now. */
export type Keeping = { kept: readonly number[]; text: number; uids: readonly number[] };

/** The channels have the message as all others do again. Part of a transaction. */
export async function joinText(hub: Hub, { kept, text, uids }: Keeping): Promise<void> {
  for (const table of ofChannels)
    await hub.db
      .updateTable(table)
      .set({ message_id: text })
      .where(isOneOf(hub.engine, sql.ref("message_id"), kept))
      .where(isOneOf(hub.engine, sql.ref("uid"), uids))
      .execute();
}

async function copyMessage(hub: Hub, messageId: number): Promise<number> {
  const version = sql`(select coalesce(min(former.version), 0) - 1 from message former
    where former.mid = message.mid and former.author_id = message.author_id and former.version < 0)`;
  const { rows } = await sql<{ id: number }>`insert into message (uuid, version, ${listed(columns)})
    select cast(${randomUUID()} as text), ${version}, ${listed(columns)} from message where id = ${messageId}
    returning id`.execute(hub.db);
  return rows[0]!.id;
}

type Copying = { table: string; names: readonly string[]; messageId: number; kept: number };

async function copyBesides(hub: Hub, { table, names, messageId, kept }: Copying): Promise<void> {
  const everybodys = names.includes("uid") ? sql`and uid = 0` : sql``;
  await sql`insert into ${sql.table(table)} (message_id, ${listed(names)})
    select cast(${kept} as bigint), ${listed(names)} from ${sql.table(table)}
    where message_id = ${messageId} ${everybodys}`.execute(hub.db);
}

function listed(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** The ids of these messages in all of their rows: also in those that some people have kept. */
export async function withKeptTexts(hub: Hub, messages: readonly number[]): Promise<number[]> {
  const rows = await hub.db
    .selectFrom("message as one")
    .innerJoin("message as every", (join) =>
      join.onRef("every.mid", "=", "one.mid").onRef("every.author_id", "=", "one.author_id"),
    )
    .select("every.id")
    .where(isOneOf(hub.engine, sql.ref("one.id"), messages))
    .where(sql<SqlBool>`(every.id = one.id or (every.version <= 0 and one.version <= 0))`)
    .execute();
  return [...new Set(rows.map((row) => row.id))];
}

/** Is it anybody's copy of this message, also of those who keep it as it was? */
export async function isCopyOf(hub: Hub, messageId: number): Promise<RawBuilder<SqlBool>> {
  return isOneOf(hub.engine, sql.ref("message_id"), await withKeptTexts(hub, [messageId]));
}
