import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { ReportTable } from "../../storage/tables/reports.ts";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import { longestReport } from "./report.ts";

const mostPerHour = 20;
const hour = 3600 * 1000;

/** What those who run another hub say of people here: nicks of channels, and UUIDs of what they wrote. */
export type ForeignReport = {
  id: string;
  host: string;
  nicks: readonly string[];
  uuids: readonly string[];
  comment: string;
};

/**
 * Keeps a complaint from elsewhere, one report for each channel that it is about; nobody but administrators learns of it, who are told. It
 * may come twice. What is about nobody here, and what comes after too many others of that host within an hour, is dropped.
 */
export async function receiveReport(hub: Hub, { id, host, nicks, uuids, comment }: ForeignReport): Promise<void> {
  const messages = await messagesNamed(hub, uuids);
  const people = new Map((await peopleNamed(hub, nicks)).map((person) => [person, [] as number[]]));
  for (const { author_id, id: message } of messages) people.set(author_id, [...(people.get(author_id) ?? []), message]);
  let room = mostPerHour - (await countLately(hub, host));
  for (const [person, theirs] of people) {
    if (room-- <= 0) return;
    await keep(hub, {
      flag_id: people.size === 1 ? id : `${id} ${person}`,
      host,
      reporter_id: 0,
      person_id: person,
      messages: JSON.stringify(theirs),
      comment: comment.slice(0, longestReport),
      created: now(hub),
    });
  }
}

function keep(hub: Hub, report: Insertable<ReportTable>): Promise<void> {
  return inTransaction(hub, async (hub) => {
    const made = await hub.db
      .insertInto("report")
      .values(report)
      .onConflict((conflict) => conflict.column("flag_id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (made) await addJob(hub, "notify-report", { report: made.id });
  });
}

/** Only what channels of this hub wrote. */
async function messagesNamed({ db, engine }: Hub, uuids: readonly string[]) {
  return db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["message.id", "message.author_id"])
    .where(isOneOf(engine, sql.ref("message.uuid"), [...uuids], "text"))
    .where("channel.channel_removed", "=", 0)
    .execute();
}

async function peopleNamed({ db, engine }: Hub, nicks: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("xchan.xchan_id")
    .where(isOneOf(engine, sql.ref("channel.channel_address"), [...nicks], "text"))
    .where("channel.channel_removed", "=", 0)
    .execute();
  return rows.map(({ xchan_id }) => xchan_id);
}

async function countLately(hub: Hub, host: string): Promise<number> {
  const { count } = await hub.db
    .selectFrom("report")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("host", "=", host)
    .where("created", ">", momentIn(hub, -hour))
    .executeTakeFirstOrThrow();
  return Number(count);
}
