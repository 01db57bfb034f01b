import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";

/**
 * What people of elsewhere did with what people of this hub wrote, and may: each such stamp has an address, where others look whether
 * it still holds (federation contract 7).
 */

/** What somebody does with a post of somebody else, and may need a stamp for. */
export type Interaction = "quote" | "reply" | "like" | "share";

/** A stamp that was given: to whom, and for which post or deed of theirs. */
export type Approval = { uuid: string; person_id: number; quoting: string; isRevoked: boolean };

/** What somebody has been told about something that they did with this message; undefined where they were told nothing. */
export async function approvalOf(
  hub: Hub,
  messageId: number,
  kind: Interaction,
  quoting: string,
): Promise<Approval | undefined> {
  const row = await select(hub, kind)
    .where("message_id", "=", messageId)
    .where("quoting", "=", quoting)
    .executeTakeFirst();
  return row && read(row);
}

/** Stamps it, once. Part of a transaction. */
export async function approve(
  hub: Hub,
  row: { message_id: number; kind: Interaction; person_id: number; quoting: string },
): Promise<Approval | undefined> {
  await hub.db
    .insertInto("approval")
    .values({ ...row, uuid: randomUUID(), created: now(hub) })
    .onConflict((conflict) => conflict.columns(["message_id", "kind", "quoting"]).doNothing())
    .execute();
  return approvalOf(hub, row.message_id, row.kind, row.quoting);
}

/** Where a stamp that holds stands: for what, on which message, by the uuid of that. */
export async function findApproval(
  hub: Hub,
  uuid: string,
): Promise<{ kind: Interaction; quoting: string; message: string } | undefined> {
  const row = await hub.db
    .selectFrom("approval")
    .innerJoin("message", "message.id", "approval.message_id")
    .select(["approval.kind", "approval.quoting", "message.uuid as message"])
    .where("approval.uuid", "=", uuid)
    .where("approval.revoked", "=", zeroDate)
    .executeTakeFirst();
  return row && { ...row, kind: row.kind as Interaction };
}

/** So many are shown of one message. */
const mostListed = 200;

/** The posts that may quote a message, the newest stamp first. */
export async function listApprovals(hub: Hub, messageId: number): Promise<Approval[]> {
  const rows = await select(hub, "quote")
    .where("message_id", "=", messageId)
    .where("revoked", "=", zeroDate)
    .orderBy("id", "desc")
    .limit(mostListed)
    .execute();
  return rows.map(read);
}

/** Answers what the stamp was for; undefined where the message has no such stamp, or has it no more. Part of a transaction. */
export async function revoke(
  hub: Hub,
  messageId: number,
  uuid: string,
): Promise<Pick<Approval, "person_id" | "quoting"> | undefined> {
  return hub.db
    .updateTable("approval")
    .set({ revoked: now(hub) })
    .where("uuid", "=", uuid)
    .where("message_id", "=", messageId)
    .where("revoked", "=", zeroDate)
    .returning(["person_id", "quoting"])
    .executeTakeFirst();
}

/**
 * Takes back the stamps of answers of elsewhere that go, unless what they answer goes along; answers which these are, whose channel
 * gave them and to whom. Part of a transaction.
 */
export async function revokeForAnswers(
  hub: Hub,
  messages: readonly number[],
): Promise<{ approval: string; channel: number; person: string }[]> {
  const rows = await hub.db
    .selectFrom("message as answer")
    .innerJoin("message as answered", "answered.mid", "answer.thr_parent")
    .innerJoin("approval", (join) =>
      join.onRef("approval.message_id", "=", "answered.id").onRef("approval.quoting", "=", "answer.mid"),
    )
    .innerJoin("xchan as giver", "giver.xchan_id", "answered.author_id")
    .innerJoin("channel", "channel.channel_hash", "giver.xchan_hash")
    .innerJoin("xchan as person", "person.xchan_id", "approval.person_id")
    .select(["approval.uuid as approval", "channel.channel_id as channel", "person.xchan_hash as person"])
    .where(isOneOf(hub.engine, sql.ref("answer.id"), messages))
    .where(sql<SqlBool>`not ${isOneOf(hub.engine, sql.ref("answered.id"), messages)}`)
    .where("approval.kind", "=", sql.lit("reply"))
    .where("approval.revoked", "=", zeroDate)
    .orderBy("approval.id")
    .execute();
  if (rows.length > 0)
    await hub.db
      .updateTable("approval")
      .set({ revoked: now(hub) })
      .where(
        "uuid",
        "in",
        rows.map(({ approval }) => approval),
      )
      .execute();
  return rows;
}

function select(hub: Hub, kind: Interaction) {
  return hub.db
    .selectFrom("approval")
    .select(["uuid", "person_id", "quoting", "revoked"])
    .where("kind", "=", sql.lit(kind));
}

function read({ revoked, ...row }: Omit<Approval, "isRevoked"> & { revoked: string }): Approval {
  return { ...row, isRevoked: revoked !== zeroDate };
}
