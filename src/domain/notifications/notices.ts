import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Insertable, UpdateQueryBuilder, UpdateResult } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { emitToChannels } from "../live/emit.ts";
import { sendsMail } from "../mail/queue-mail.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { bigLimit, inPieces, isOneOf } from "../../storage/sql.ts";
import type { Tables } from "../../storage/tables/index.ts";
import type { NotifyTable } from "../../storage/tables/items.ts";
import { queuePushes } from "../push/subscriptions.ts";
import { queueWebhooks } from "../webhooks/queue-webhooks.ts";
import type { Happening } from "../webhooks/queue-webhooks.ts";
import type { WebhookEvent } from "../webhooks/webhook-events.ts";
import { choicesOf, isSilent, unchosenWays } from "./choices.ts";
import type { Ways } from "./choices.ts";
import { judge } from "./judge.ts";
import type { Judged } from "./judge.ts";
import { groupKeyOf } from "./groups.ts";
import { mailNumber, planMails } from "./mail-times.ts";
import { kindOf } from "./kinds.ts";
import type { NoticeKind } from "./kinds.ts";
import { noticeOf, selectAllNotices, selectNotices } from "./stored.ts";
import type { Notice } from "./stored.ts";

/** What somebody did, with the ids of what it is about as the recipient has it. */
export type Deed =
  | { kind: "wall" | "post" | "mention" | "reaction"; item: number; verb: string }
  /** `thread` is the top of its thread. */
  | { kind: "comment"; item: number; verb: string; thread: number }
  /** `of` is the message that was shared. */
  | { kind: "share"; item: number; of: number }
  | { kind: "tag" | "edit" | "poll"; item: number }
  | { kind: "held"; verb: string }
  | { kind: "mail"; mail: number }
  | { kind: "request" | "stranger" | "sign-up" | "warned" | "webhook-off" }
  | { kind: "report"; report: number }
  | { kind: "follower" | "confirmed" | "declined"; connection: number };

export type NewNotice = Deed & {
  to: { channel_id: number; xchan_id: number };
  /** Id of the xchan; 0 for the hub itself. */
  actor: number;
};

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

/** The notices of a channel: unseen ones first, then newest first. */
export async function listNotices(hub: Hub, uid: number, limit = 50): Promise<Notice[]> {
  const unseen = await page(hub, uid, 0, limit);
  const seen = unseen.length < limit ? await page(hub, uid, 1, limit - unseen.length) : [];
  return [...unseen, ...seen];
}

/** Of what waits for somebody no more is counted: the pages say "99+". */
export const mostWaiting = 100;

/** How many notices the channel has not looked at, up to `mostWaiting`. */
export async function countUnseen(hub: Hub, uid: number): Promise<number> {
  const [found] = await compiled(hub, "count unseen notices", { uid }, (slots) => {
    const unseen = hub.db
      .selectFrom("notify")
      .select("id")
      .where("uid", "=", slots.uid)
      .where("seen", "=", sql.lit(0))
      .limit(sql.lit(mostWaiting));
    return hub.db.selectFrom(unseen.as("unseen")).select((eb) => eb.fn.countAll<number>().as("count"));
  });
  return Number(found!.count);
}

/** Marks one notice as seen, or as not seen, and answers it; throws missing for one of somebody else. */
export async function markSeen(hub: Hub, uid: number, id: number, seen = true): Promise<Notice> {
  await mark(hub, uid, (notices) => notices.where("id", "=", id), seen);
  return ownNotice(selectNotices(hub), uid, id);
}

async function ownNotice(notices: ReturnType<typeof selectNotices>, uid: number, id: number): Promise<Notice> {
  const row = await notices.where("notify.id", "=", id).where("notify.uid", "=", uid).executeTakeFirst();
  if (!row) throw missing("Notice");
  return noticeOf(row);
}

/** Marks a notice of the channel and those that stand with it (groups.ts) as seen, or as not seen. */
export async function markGroupSeen(hub: Hub, uid: number, id: number, seen = true): Promise<Notice> {
  const own = hub.db.selectFrom("notify as one").where("one.id", "=", id).where("one.uid", "=", uid);
  await mark(
    hub,
    uid,
    (notices) => notices.where("listed", "=", 1).where("group_key", "in", own.select("one.group_key")),
    seen,
  );
  return ownNotice(selectAllNotices(hub), uid, id);
}

/** Marks everything as seen. */
export async function markAllSeen(hub: Hub, uid: number): Promise<void> {
  await mark(hub, uid, (notices) => notices.where("seen", "=", 0));
}

/** Marks what this person asked for as seen: it has been answered or withdrawn. */
export async function markRequestSeen(hub: Hub, uid: number, hash: string): Promise<void> {
  await mark(hub, uid, (notices) =>
    notices
      .where("kind", "=", sql.lit("request"))
      .where("actor_id", "=", (eb) => eb.selectFrom("xchan").select("xchan_id").where("xchan_hash", "=", hash)),
  );
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
  await emitToOwners(hub, [{ uid: to.channel_id }]);
}

/** Marks the notices of these direct messages as seen: they have been read. */
export async function markMailsSeen(hub: Hub, uid: number, mails: readonly number[]): Promise<void> {
  if (mails.length > 0) await mark(hub, uid, (notices) => notices.where(ofMails(hub, uid, mails)));
}

type Notices = UpdateQueryBuilder<Tables, "notify", "notify", UpdateResult>;

/** Marks notices of the channel; whoever listens hears that what waits for it has changed. */
async function mark(hub: Hub, uid: number, which: (all: Notices) => Notices, seen = true): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const all = hub.db
      .updateTable("notify")
      .set({ seen: seen ? 1 : 0 })
      .where("uid", "=", uid);
    const { numUpdatedRows } = await which(all).executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await emitToChannels(hub, "notices", [uid]);
  });
}

/** Removes the notices of these direct messages: they are gone. */
export async function dropNoticesOfMails(hub: Hub, uid: number, mails: readonly number[]): Promise<void> {
  if (mails.length === 0) return;
  const dropped = await hub.db
    .deleteFrom("notify")
    .where(ofMails(hub, uid, mails))
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

function ofMails({ engine }: Hub, uid: number, mails: readonly number[]) {
  return sql<boolean>`uid = ${uid} and mail_id > 0 and ${isOneOf(engine, sql.ref("mail_id"), mails)}`;
}

/** Removes the notice of comments that wait to be let in. */
export async function dropHeldNotice(hub: Hub, uid: number): Promise<void> {
  const dropped = await hub.db
    .deleteFrom("notify")
    .where("uid", "=", uid)
    .where("kind", "=", sql.lit("held"))
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

/** Removes the notices of one kind that a channel has of somebody. */
export async function dropNoticesBy(hub: Hub, uid: number, kind: NoticeKind, actor: number): Promise<void> {
  const dropped = await hub.db
    .deleteFrom("notify")
    .where("uid", "=", uid)
    .where("kind", "=", kind)
    .where("actor_id", "=", actor)
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

/** Removes notices of one kind about these items of channels: something newer is told in their place. */
export async function dropNoticesOfKind(hub: Hub, kind: NoticeKind, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  const dropped = await hub.db
    .deleteFrom("notify")
    .where(isOneOf(hub.engine, sql.ref("item_id"), itemIds))
    .where("item_id", ">", sql.lit(0))
    .where("kind", "=", kind)
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

/** Removes notices about these items of channels: what nobody sees, no notice tells of. */
export async function dropNoticesAbout(hub: Hub, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  const dropped = await hub.db
    .deleteFrom("notify")
    .where(isOneOf(hub.engine, sql.ref("item_id"), itemIds))
    .where("item_id", ">", sql.lit(0))
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

/** Removes what all who have a copy of the message were told of one reaction of somebody. */
export async function dropNoticesOfReaction(
  hub: Hub,
  messageId: number,
  { verb, actor }: { verb: string; actor: number },
): Promise<void> {
  const dropped = await hub.db
    .deleteFrom("notify")
    .where("item_id", "in", hub.db.selectFrom("item").select("id").where("message_id", "=", messageId))
    .where("item_id", ">", sql.lit(0))
    .where("kind", "=", "reaction")
    .where("verb", "=", verb)
    .where("actor_id", "=", actor)
    .returning("uid")
    .execute();
  await emitToOwners(hub, dropped);
}

async function emitToOwners(hub: Hub, notices: readonly { uid: number }[]): Promise<void> {
  await emitToChannels(hub, "notices", [...new Set(notices.map(({ uid }) => uid))]);
}

/** Takes a notice over as it was elsewhere. */
export async function restoreNotice(hub: Hub, notice: Omit<Insertable<NotifyTable>, "group_key">): Promise<void> {
  const { kind, verb = "", actor_id = 0, item_id, created, hash } = notice;
  const thing = kind === "reaction" || kind === "tag" ? item_id : 0;
  const group_key = groupKeyOf({ kind, verb, actor_id, created, hash, thing });
  await hub.db
    .insertInto("notify")
    .values({ ...notice, group_key })
    .execute();
}

const keptFor = 90 * 24 * 3600 * 1000;

/** Removes seen notices of more than 90 days ago; a scheduled job does this, so that the table does not grow for ever. */
export async function trimNotices(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  const old = hub.db.selectFrom("notify").select("id").where("seen", "=", 1).where("created", "<", oldest);
  await removeInSteps((most) => hub.db.deleteFrom("notify").where("id", "in", old.limit(most)).executeTakeFirst());
}

type Row = ReturnType<typeof rowOf>;

function rowOf(hub: Hub, notice: NewNotice, ways: Ways) {
  const told = {
    hash: randomBytes(32).toString("hex"),
    kind: notice.kind,
    verb: "verb" in notice ? notice.verb : "",
    actor_id: notice.actor,
    created: now(hub),
  };
  return {
    ...told,
    uid: notice.to.channel_id,
    ...aboutOf(notice),
    group_key: groupKeyOf({ ...told, thing: thingOf(notice) }),
    listed: ways.page ? 1 : 0,
    // Nothing of what no list shows waits there to be seen.
    seen: ways.page ? 0 : 1,
    mail: sendsMail(hub) ? mailNumber(ways.mail) : 0,
    filtered: 0,
  };
}

/** The columns with what a notice is about. */
function aboutOf(deed: Deed): { item_id: number; mail_id: number; abook_id: number; report_id: number } {
  return {
    item_id: "item" in deed ? deed.item : 0,
    mail_id: "mail" in deed ? deed.mail : 0,
    abook_id: "connection" in deed ? deed.connection : 0,
    report_id: "report" in deed ? deed.report : 0,
  };
}

/** What a notice is about, for those that stand together. */
function thingOf(deed: Deed): number {
  if (deed.kind === "comment") return deed.thread;
  if (deed.kind === "share") return deed.of;
  return "item" in deed ? deed.item : 0;
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

async function page(hub: Hub, uid: number, seen: 0 | 1, limit: number): Promise<Notice[]> {
  const rows = await compiled(hub, "notices", { uid, seen, limit }, (slots) =>
    selectNotices(hub)
      .where("notify.uid", "=", slots.uid)
      .where("notify.seen", "=", slots.seen)
      .orderBy("notify.created", "desc")
      .orderBy("notify.id", "desc")
      .limit(bigLimit(hub.engine, slots.limit)),
  );
  return rows.map(noticeOf);
}
