import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Hub } from "../../hub.ts";
import { mailGrams } from "../../storage/mail-grams.ts";

/** Of the messages that the index names so many are looked at, beside those that are skipped; rarely one is named wrongly. */
const mostNamed = 4000;
/** A text of one or two signs is in no index: so many of the newest messages are looked through. */
const lookedThrough = 5000;
/** So many runs of three signs say enough of a longer text. */
const mostGrams = 8;

export type Bounds = { sinceId?: number | undefined; maxId?: number | undefined; skip: number };

/**
 * Ids of the channel's messages whose body may hold the text: the newest so many, and all that can hold it are among them.
 * What it costs does not depend on how many messages there are.
 */
export async function messagesNaming(hub: Hub, channelId: number, text: string, bounds: Bounds): Promise<number[]> {
  const isIndexed = [...text.toLowerCase()].length > 2;
  const candidates = isIndexed ? named(hub, channelId, text, bounds) : newest(channelId, bounds);
  const rows = await hub.db
    .selectFrom(sql<{ id: number }>`(${candidates})`.as("found"))
    .select("found.id")
    .execute();
  return rows.map((row) => row.id);
}

function named(hub: Hub, channelId: number, text: string, bounds: Bounds): RawBuilder<unknown> {
  const most = sql`order by id desc limit 0 + ${mostNamed + bounds.skip}`;
  if (hub.engine === "sqlite") {
    const question = some(mailGrams(channelId, text)).join(" AND ");
    return sql`select rowid as id from mail_search where mail_search match ${question} and ${inBounds("rowid", bounds)} ${most}`;
  }
  // Else the planner would look at one message after the other.
  const found = sql`select id from mail where mail_grams(channel_id, body) @> mail_grams(${channelId}, ${text})
    and body <> '' and ${inBounds("id", bounds)} offset 0`;
  return sql`select id from (${found}) as named ${most}`;
}

function newest(channelId: number, bounds: Bounds): RawBuilder<unknown> {
  return sql`select id from mail where channel_id = ${channelId} and ${inBounds("id", bounds)}
    order by id desc limit 0 + ${lookedThrough + bounds.skip}`;
}

function inBounds(id: string, { sinceId = 0, maxId = Number.MAX_SAFE_INTEGER }: Bounds): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(id)} > ${sinceId} and ${sql.ref(id)} <= ${maxId}`;
}

/** Some of these from all over the text. */
function some(grams: readonly string[]): readonly string[] {
  if (grams.length <= mostGrams) return grams;
  return Array.from({ length: mostGrams }, (_, n) => grams[Math.floor((n * (grams.length - 1)) / (mostGrams - 1))]!);
}
