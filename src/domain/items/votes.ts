import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { withFormerVotes, withVotes } from "./poll.ts";
import { storedJson } from "../../stored-json.ts";

/** Who voted in which poll, and for what: rows of their own, which are shown to nobody but the one who voted. */

/** Records a person's vote; false when there is one already. Of two at once the first one counts. */
export async function recordVote(
  hub: Hub,
  message_id: number,
  xchan_id: number,
  names: readonly string[],
): Promise<boolean> {
  const row = await hub.db
    .insertInto("poll_vote")
    .values({ message_id, xchan_id, choices: JSON.stringify(names) })
    .onConflict((conflict) => conflict.columns(["message_id", "xchan_id"]).doNothing())
    .returning("xchan_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Records one choice of a vote that was counted elsewhere; votes for several options come one by one. */
export async function recordFormerVote(hub: Hub, message_id: number, xchan_id: number, name: string): Promise<void> {
  const former = (await ownVotes(hub, xchan_id, [message_id])).get(message_id) ?? [];
  const choices = JSON.stringify([...new Set([...former, name])].slice(0, 100));
  await hub.db
    .insertInto("poll_vote")
    .values({ message_id, xchan_id, choices })
    .onConflict((conflict) => conflict.columns(["message_id", "xchan_id"]).doUpdateSet({ choices }))
    .execute();
}

/** What a person has chosen in these polls, by message; those without a vote are left out. */
export async function ownVotes(
  hub: Hub,
  xchan_id: number,
  messages: readonly number[],
): Promise<Map<number, readonly string[]>> {
  if (messages.length === 0) return new Map();
  const rows = await hub.db
    .selectFrom("poll_vote")
    .select(["message_id", "choices"])
    .where("xchan_id", "=", xchan_id)
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
  return new Map(rows.map((row) => [row.message_id, storedJson<string[]>(row.choices)]));
}

/** Counts a vote in the object of its poll; `people`: 0 for a further choice of somebody who is counted. */
export async function countVote(
  hub: Hub,
  messageId: number,
  names: readonly string[],
  people: 0 | 1 = 1,
): Promise<void> {
  const obj = withVotes(await objectOf(hub, messageId), names, people);
  await hub.db.updateTable("message").set({ obj }).where("id", "=", messageId).execute();
}

/** The object that a newer copy of a poll brings, with the votes that were given here. */
export async function renewedQuestion(hub: Hub, messageId: number, obj: string): Promise<string> {
  return withFormerVotes(obj, await objectOf(hub, messageId));
}

/** Forgets the votes of messages that go. */
export async function forgetVotes(hub: Hub, messages: readonly number[]): Promise<void> {
  await hub.db
    .deleteFrom("poll_vote")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .execute();
}

/** On PostgreSQL others wait until it is written again; SQLite has one writer. */
async function objectOf(hub: Hub, messageId: number): Promise<string> {
  const query = hub.db.selectFrom("message").select("obj").where("id", "=", messageId);
  const row = await (hub.engine === "postgres" ? query.forNoKeyUpdate() : query).executeTakeFirst();
  return row?.obj ?? "";
}
