import { sql } from "kysely";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { inPieces, isOneOf } from "../../storage/sql.ts";
import { emitToChannels } from "../live/emit.ts";
import { queuePushes } from "../push/subscriptions.ts";
import { queueWebhooks } from "../webhooks/queue-webhooks.ts";
import type { Happening } from "../webhooks/queue-webhooks.ts";
import type { WebhookEvent } from "../webhooks/webhook-events.ts";
import { choicesOf, isSilent, unchosenWays } from "./choices.ts";
import type { Ways } from "./choices.ts";
import { judge } from "./judge.ts";
import type { Judged } from "./judge.ts";
import { kindOf } from "./kinds.ts";
import type { NoticeKind } from "./kinds.ts";
import { planMails } from "./mail-times.ts";
import { aboutOf, rowOf } from "./new-notice.ts";
import type { NewNotice, Row } from "./new-notice.ts";

/**
 * Tells channels what somebody else did, by the ways that they have chosen; their own actions are never told, but for the end of their polls. A comment that is
 * told again renews its notice, and so does a further comment that waits to be let in (native contract 2.16).
 */
export async function notify(hub: Hub, notices: readonly NewNotice[]): Promise<void> {
  const ofOthers = notices.filter(({ to, actor, kind }) => to.xchan_id !== actor || kind === "poll");
  if (ofOthers.length === 0) return;
  await inTransaction(hub, async (hub) => {
    const choice = await choicesOf(hub, [...new Set(ofOthers.map(({ to }) => to.channel_id))]);
    const rule = await judge(hub, ofOthers.map(judged));
    const wanted = ofOthers.flatMap((notice) => {
      const { topic } = kindOf(notice.kind);
      const ways = topic ? choice(notice.to.channel_id, topic) : unchosenWays;
      const judgement = rule(judged(notice));
      const isUnwanted = judgement === "drop" || (judgement === "filter" ? !ways.page : isSilent(ways));
      if (isUnwanted) return [];
      if (judgement === "filter") return [{ row: { ...rowOf(hub, notice, nowhere), filtered: 1 }, push: false }];
      return [{ row: rowOf(hub, notice, ways), push: ways.push }];
    });
    const rows = wanted.map(({ row }) => row);
    const fresh = new Set(await withoutRenewed(hub, rows));
    for (const push of [true, false]) {
      const some = wanted.filter((one) => one.push === push && fresh.has(one.row)).map(({ row }) => row);
      for (const values of inPieces(some)) await store(hub, values, push);
    }
    await planMails(hub, rows);
    await queueWebhooks(hub, ofOthers.filter((notice) => rule(judged(notice)) === "accept").flatMap(happeningOf));
    await emitToChannels(
      hub,
      "notices",
      wanted.flatMap(({ row: { uid, listed } }) => (listed === 1 ? [uid] : [])),
    );
  });
}

/** What webhooks are told, whatever ways the channel has chosen for itself; of items that are new they hear in any case. */
function happeningOf(notice: NewNotice): Happening[] {
  const event = webhookEventOf[notice.kind];
  if (!event) return [];
  const { item_id, mail_id, report_id } = aboutOf(notice);
  return [{ uid: notice.to.channel_id, event, subject: item_id || mail_id || report_id || notice.actor }];
}

const webhookEventOf: Partial<Record<NoticeKind, WebhookEvent>> = {
  mention: "mention.received",
  reaction: "reaction.received",
  share: "share.received",
  mail: "message.received",
  request: "connection.requested",
  follower: "connection.made",
  confirmed: "connection.made",
  report: "report.filed",
  "sign-up": "account.requested",
};

/** What is kept apart is told by no way; what is let in later stands on the page. */
const nowhere: Ways = { page: false, push: false, mail: "never" };

function judged(notice: NewNotice): Judged {
  const { item_id: item, mail_id: mail } = aboutOf(notice);
  return { uid: notice.to.channel_id, actor: notice.actor, kind: notice.kind, item, mail };
}

async function store(hub: Hub, rows: readonly Row[], push: boolean): Promise<void> {
  const stored = await hub.db.insertInto("notify").values(rows).returning(["id", "uid"]).execute();
  if (push) await queuePushes(hub, stored);
}

/** Those of the notices that no notice which is here already stands for. */
async function withoutRenewed(hub: Hub, rows: readonly Row[]): Promise<Row[]> {
  const comments = rows.filter(({ kind }) => kind === "comment").map((row) => row.item_id);
  const renewed = new Set(comments.length === 0 ? [] : await renewComments(hub, comments));
  const fresh: Row[] = [];
  for (const row of rows) {
    const isRenewed =
      row.kind === "held" ? await renewHeld(hub, row) : row.kind === "comment" && renewed.has(row.item_id);
    if (!isRenewed) fresh.push(row);
  }
  return fresh;
}

/** Renews the notices of comments by the recipients' items of them, and answers of which there were some. */
async function renewComments(hub: Hub, items: readonly number[]): Promise<number[]> {
  const rows = await hub.db
    .updateTable("notify")
    .set({ created: now(hub), seen: sql<number>`1 - listed` })
    .where(isOneOf(hub.engine, sql.ref("item_id"), items))
    .where("item_id", ">", sql.lit(0))
    .where("kind", "=", "comment")
    .returning("item_id")
    .execute();
  return rows.map((row) => row.item_id);
}

/** Counts one more comment that waits, or begins to count anew once the owner has looked. */
async function renewHeld(hub: Hub, { uid, verb, actor_id, created, listed, seen, mail }: Row): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("notify")
    .set({
      verb,
      actor_id,
      created,
      listed,
      seen,
      mail,
      count: sql<number>`case when seen = 0 then count + 1 else 1 end`,
    })
    .where("uid", "=", uid)
    .where("kind", "=", sql.lit("held"))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Somebody's request has been answered with yes: in the place of its notice stands that they are a connection. It is a new one, for
 * whoever asks what is new, and has been looked at, as the owner knows.
 */
export async function notifyAccepted(hub: Hub, to: NewNotice["to"], hash: string, connection: number): Promise<void> {
  const asked = await hub.db
    .deleteFrom("notify")
    .where("uid", "=", to.channel_id)
    .where("kind", "=", sql.lit("request"))
    .where("actor_id", "=", (eb) => eb.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", hash))
    .returning(["actor_id", "listed", "filtered"])
    .execute();
  const last = asked.at(-1);
  if (!last) return;
  const { actor_id: actor, listed, filtered } = last;
  const row = rowOf(hub, { kind: "follower", to, actor, connection }, nowhere);
  await store(hub, [{ ...row, listed, filtered }], false);
  await emitToChannels(hub, "notices", [to.channel_id]);
}
