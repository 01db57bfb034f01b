import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { sqlDate } from "../../storage/sql.ts";
import { unwantedBy } from "../connections/unwanted.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { setThreadSeen } from "../items/timelines/direct-threads.ts";
import { dropThreads } from "../items/tombstones.ts";
import { deleteConversation } from "./remove.ts";
import { markMessagesSeen, setMessageSeen } from "./seen.ts";
import { partsOfMails, partsOfThreads } from "./talk-parts.ts";
import type { Mail, Talk, TalkName } from "./types.ts";

/**
 * What somebody talks about with a few others: a direct thread, or the messages that were exchanged with one person. Both are listed
 * together (mastodon contract 11.21).
 */

/** Keys that bound a page; with `above` it is that right above it. All are outside. */
export type TalkWindow = {
  count: number;
  below?: number | undefined;
  above?: number | undefined;
  since?: number | undefined;
};

type Own = Pick<Channel, "channel_id" | "channel_hash" | "xchan_id">;

/** A page of the channel's talks, the newest first; people whom it blocks or ignores have none with it. `more`: the list may go on. */
export async function listTalks(hub: Hub, channel: Own, window: TalkWindow): Promise<{ talks: Talk[]; more: boolean }> {
  const up = window.above !== undefined;
  const bounds = { below: window.below, above: window.above ?? window.since };
  const order = sql.raw(up ? "asc" : "desc");
  const count = window.count + 1;
  const branch = (rows: RawBuilder<unknown>) =>
    sql`select * from (${rows} order by moment ${order}, id ${order} limit ${count}) as branch`;
  const { rows } = await sql<Row>`${branch(threadRows(channel, bounds))} union all ${branch(mailRows(channel, bounds))}
    order by moment ${order}, kind ${order}, id ${order} limit ${count}`.execute(hub.db);
  const page = rows.slice(0, window.count);
  const talks = await assemble(hub, channel, up ? page.toReversed() : page);
  return { talks, more: up || rows.length > window.count };
}

/** One of the channel's talks. Throws missing, alike for those of others and for those that never were. */
export async function findTalk(hub: Hub, channel: Own, { kind, id }: TalkName): Promise<Talk> {
  const rows = kind === "thread" ? threadRows(channel, {}, id) : mailRows(channel, {}, id);
  const [talk] = await assemble(hub, channel, (await rows.execute(hub.db)).rows);
  if (!talk) throw missing("Conversation");
  return talk;
}

/** Marks all of a talk as read, or what was said last by others as unread. Throws missing. */
export async function setTalkSeen(hub: Hub, channel: Channel, name: TalkName, seen: boolean): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const talk = await findTalk(hub, channel, name);
    if (talk.last.mail) await setMailsSeen(hub, channel, talk.last.mail, seen);
    else await setThreadSeen(hub, channel, talk.id, seen);
  });
}

/** Removes the channel's own copies of all that was said; the others keep theirs. Throws missing. */
export async function removeTalk(hub: Hub, channel: Channel, name: TalkName): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { id, last } = await findTalk(hub, channel, name);
    if (last.mail) await deleteConversation(hub, channel, last.mail.id);
    else await dropThreads(hub, [id]);
  });
}

async function setMailsSeen(hub: Hub, channel: Channel, last: Mail, seen: boolean): Promise<void> {
  const ofTalk = hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", channel.channel_id)
    .where("conv_guid", "=", last.conv_guid)
    .where("mail_deleted", "=", 0);
  if (seen) return markMessagesSeen(hub, channel, await ofTalk.where("mail_seen", "=", 0).execute());
  const received = ofTalk.where("from_xchan", "<>", channel.channel_hash).orderBy("id", "desc").limit(1);
  for (const mail of await received.execute()) await setMessageSeen(hub, channel, mail.id, false);
}

type Row = { kind: number; id: number; moment: string };
type Bounds = { below?: number | undefined; above?: number | undefined };

const kinds = { thread: 0, mails: 1 } as const;

function threadRows({ channel_id: uid }: Own, bounds: Bounds, id?: number): RawBuilder<Row> {
  const moment = sql.ref("item.commented");
  return sql<Row>`select ${sql.lit(kinds.thread)} as kind, item.id, item.commented as moment from item
    where item.uid = ${uid} and item.item_direct = 1 and item.item_normal = 1
    and item.author_id not in (${unwantedBy(uid)}) ${within(moment, sql.ref("item.id"), kinds.thread, bounds)}
    ${id === undefined ? sql`` : sql`and item.id = ${id}`}`;
}

/** With whom messages were exchanged is said by any of them. */
function mailRows({ channel_id: uid, channel_hash: own }: Own, bounds: Bounds, id?: number): RawBuilder<Row> {
  const partner = sql`(select coalesce(x.xchan_id, 0) from mail m left join xchan x
    on x.xchan_hash = case when m.from_xchan = ${own} then m.to_xchan else m.from_xchan end
    where m.channel_id = conv.uid and m.conv_guid = conv.guid and m.mail_deleted = 0 order by m.id desc limit 1)`;
  return sql<Row>`select ${sql.lit(kinds.mails)} as kind, conv.id, conv.updated as moment from conv
    where conv.uid = ${uid} and ${partner} not in (${unwantedBy(uid)})
    ${within(sql.ref("conv.updated"), sql.ref("conv.id"), kinds.mails, bounds)}
    ${id === undefined ? sql`` : sql`and conv.id = ${id}`}`;
}

/**
 * A key is one number, since applications know no other bounds: the seconds since 2000, and the rest of the id, by which those of the same
 * second are told apart.
 */
const second = 2 ** 22;
const rest = 2 ** 21;
const begin = Date.UTC(2000, 0, 1);

function keyOf({ kind, id, moment }: Row): number {
  const seconds = (Date.parse(`${moment.replace(" ", "T")}Z`) - begin) / 1000;
  return Math.max(0, seconds) * second + Number(kind) * rest + (Number(id) % rest);
}

/** The bound above which all talks are that have moved in the same second as this key, or later. */
export function allOfSecond(key: number): number {
  return Math.floor(key / second) * second - 1;
}

function within(
  moment: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  kind: number,
  { below, above }: Bounds,
): RawBuilder<unknown> {
  const bound = (key: number, sign: string) => {
    const date = sqlDate(new Date(begin + Math.floor(key / second) * 1000));
    const outside = sql.raw(sign);
    return sql`and ${moment} ${outside}= ${date}
      and (${moment} ${outside} ${date} or ${id} % ${sql.lit(rest)} ${outside} ${(key % second) - kind * rest})`;
  };
  return sql`${below === undefined ? sql`` : bound(below, "<")} ${above === undefined ? sql`` : bound(above, ">")}`;
}

async function assemble(hub: Hub, channel: Own, rows: readonly Row[]): Promise<Talk[]> {
  const named = (kind: number) => rows.filter((row) => Number(row.kind) === kind).map(({ id }) => Number(id));
  const [threads, mails] = await Promise.all([
    partsOfThreads(hub, channel, named(kinds.thread)),
    partsOfMails(hub, channel, named(kinds.mails)),
  ]);
  return rows.flatMap((row) => {
    const name = { kind: Number(row.kind) === kinds.thread ? "thread" : "mails", id: Number(row.id) } as const;
    const found = (name.kind === "thread" ? threads : mails).get(name.id);
    return found ? [{ ...name, key: keyOf(row), ...found }] : [];
  });
}
