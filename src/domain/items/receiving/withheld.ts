import { sql } from "kysely";
import type { SqlBool } from "kysely";
import { inTransaction, momentIn } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf, listHolds } from "../../../storage/sql.ts";
import { layOutAnyhow } from "../../bodies/texts.ts";
import { unwantedBy } from "../../connections/unwanted.ts";
import { channelSettings, families } from "../../identity/channels/channel-settings.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import { may } from "../../permissions/may.ts";
import { keepFirstContact } from "../first-contacts.ts";
import { findKnownMessage } from "./known-message.ts";
import { contentHtml } from "./layout.ts";
import { audienceHere, isFollowedHere } from "./readers.ts";
import type { Audience } from "./readers.ts";
import type { ReceivedPost } from "./received.ts";

/** Whom a post means here, without the channels that hold it back until they have let its author in. */
export type Meant = Audience & { withheld: readonly number[] };

/** This is the one place that decides it: whatever is done for a named channel is not done for one that holds back. */
export async function meantBy(hub: Hub, post: ReceivedPost): Promise<Meant> {
  const audience = await audienceHere(hub, post.author, post.audience);
  const withheld = await holdingBack(hub, post, [...audience.named]);
  return { ...audience, named: audience.named.difference(new Set(withheld)), withheld };
}

/** Keeps it for the channels that hold it back. Outside of transactions: texts are laid out before one. */
export async function keepWithheld(hub: Hub, post: ReceivedPost, { withheld }: Meant, isEdit: boolean): Promise<void> {
  if (withheld.length === 0) return;
  // As little as it takes to decide: nobody is asked for pictures of it.
  const { plain } = await layOutAnyhow(hub, await contentHtml(hub, post), "text/html");
  const { author, mid, document, isForwarded } = post;
  const is_private = post.audience.for === "named" ? 1 : 0;
  const held = {
    author_id: author.xchan_id,
    mid,
    is_private,
    plain: [post.title, plain].join("\n").trim(),
    document,
    forwarded: isForwarded ? 1 : 0,
  };
  for (const id of withheld) {
    const channel = await findChannelById(hub, id);
    const takes = !post.direct || (await may(hub, observerElsewhere(author), "post_mail", id));
    if (channel && takes) await inTransaction(hub, (hub) => keepFirstContact(hub, channel, held, isEdit));
  }
}

const day = 24 * 3600 * 1000;

/**
 * Those of these channels that want to be asked about somebody like the author first: whom the hub has known for a few days only, whom
 * nobody here follows, and to whom the channel has neither written nor said that they are welcome. What answers something of this
 * hub, or stands in a thread that the channel has, comes from no stranger.
 */
async function holdingBack(hub: Hub, { author, mid, inReplyTo, document }: ReceivedPost, named: readonly number[]) {
  if (named.length === 0 || document === "") return [];
  const days = await daysOf(hub, named);
  const asking = [...days].flatMap(([uid, most]) => (author.xchan_created > momentIn(hub, -most * day) ? [uid] : []));
  if (asking.length === 0 || (await isFollowedHere(hub, author.xchan_hash))) return [];
  const answered = inReplyTo === undefined ? undefined : ((await findKnownMessage(hub, inReplyTo))?.mid ?? inReplyTo);
  if (answered !== undefined && (await isOurs(hub, answered))) return [];
  const has = (id: string) => sql<SqlBool>`exists (select 1 from item join message on message.id = item.message_id
    where item.uid = channel.channel_id and message.mid = ${id})`;
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("channel.channel_id")
    .where(isOneOf(hub.engine, sql.ref("channel.channel_id"), asking))
    .where("xchan.xchan_pubforum", "=", 0)
    .where(sql<SqlBool>`${author.xchan_id} not in (${unwantedBy(sql.ref("channel.channel_id"))})`)
    .where(sql<SqlBool>`not exists (select 1 from config c where c.uid = channel.channel_id
      and c.cat = ${sql.lit(families.letIn)} and c.k = ${author.xchan_hash})`)
    .where(
      sql<SqlBool>`not exists (select 1 from mail where mail.channel_id = channel.channel_id and mail.mid = ${mid})`,
    )
    .where(sql<SqlBool>`not exists (select 1 from mail where mail.channel_id = channel.channel_id
      and mail.to_xchan = ${author.xchan_hash} and mail.mail_deleted = 0)`)
    .where(sql<SqlBool>`not exists (select 1 from mail where mail.channel_id = channel.channel_id
      and mail.from_xchan = channel.channel_hash and mail.also_to <> '' and mail.mail_deleted = 0
      and ${listHolds(hub.engine, sql.ref("mail.also_to"), sql`${author.xchan_hash}`)})`)
    .where((eb) => eb.not(has(mid)))
    .where((eb) => eb.not(has(answered ?? mid)))
    .execute();
  return rows.map(({ channel_id }) => channel_id);
}

/** How many days somebody is new to these channels, as far as that matters to them. */
async function daysOf(hub: Hub, uids: readonly number[]): Promise<Map<number, number>> {
  const { cat, k, read } = channelSettings.newFor;
  const rows = await hub.db
    .selectFrom("config")
    .select(["uid", "v"])
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .where("cat", "=", cat)
    .where("k", "=", k)
    .execute();
  return new Map(rows.map(({ uid, v }) => [uid, read(v)] as const).filter(([, days]) => days > 0));
}

async function isOurs(hub: Hub, mid: string): Promise<boolean> {
  const row = await hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select("message.id")
    .where("message.mid", "=", mid)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
