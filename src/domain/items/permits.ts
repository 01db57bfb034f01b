import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { storedJson } from "../../stored-json.ts";
import { isPureShare } from "../bodies/share.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import { markOf } from "./metadata.ts";
import { quotersOf } from "./quoters.ts";
import type { NewMeta } from "./save.ts";

/** What authors of other hubs let others do with a post (federation contract 7). */

/** Who may do what, where that is not everybody: `followers` of the author, and people by their ids. */
export type Permits = Allowed & {
  /** Who may answer whatever the comment policy says. */
  reply?: string[];
  /** Who may do so without being asked, where there are others who may after asking, or where others cannot see that they may. */
  unasked?: { reply?: string[]; like?: string[]; share?: string[] };
};

type Allowed = { like?: string[]; share?: string[]; quote?: string[] };

/** Where that is noted of a message. */
export const permitsMark = { cat: "federation", k: "permits", sharing: 0, uid: 0, remote_key: null };

/** It as metadata of a message; nothing where everybody may do everything. */
export function permitsMeta(permits: Permits): NewMeta[] {
  return Object.keys(permits).length > 0 ? [{ ...permitsMark, v: JSON.stringify(permits) }] : [];
}

const refusals = { like: "likes_limited", share: "shares_limited", quote: "quotes_limited" } as const;

/** Throws denied where the author of a message says that this channel may not do that with it. */
export async function refuseUnpermitted(
  hub: Hub,
  channel: Channel,
  messageId: number,
  what: keyof Allowed,
): Promise<void> {
  const said = await markOf(hub, messageId, permitsMark);
  const permitted = said === undefined ? undefined : storedJson<Permits>(said)[what];
  if (!permitted) return;
  const own = comparableId(`${hub.config.baseUrl}/channel/${channel.channel_address}`);
  if (permitted.some((id) => comparableId(id) === own)) return;
  if (permitted.includes("followers") && (await followsOneOf(hub, channel, messageId))) return;
  if (await isOf(hub, channel, messageId)) return;
  throw refusal(refusals[what]);
}

/** The same of what a new text shares, as it is or with words of its own. */
export async function refuseUnpermittedShare(
  hub: Hub,
  channel: Channel,
  { shared_id, body }: { shared_id: number; body: string },
): Promise<void> {
  if (shared_id === 0) return;
  await (isPureShare(body)
    ? refuseUnpermitted(hub, channel, shared_id, "share")
    : refuseUnpermittedQuote(hub, channel, shared_id));
}

/** The same of a quotation, which people of this hub permit by their settings. */
export async function refuseUnpermittedQuote(hub: Hub, channel: Channel, messageId: number): Promise<void> {
  await refuseUnpermitted(hub, channel, messageId, "quote");
  await refuseUnwantedQuote(hub, channel, messageId);
}

async function refuseUnwantedQuote(hub: Hub, channel: Channel, messageId: number): Promise<void> {
  const author = await hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .innerJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select("channel.channel_id")
    .where("message.id", "=", messageId)
    .executeTakeFirst();
  if (!author || author.channel_id === channel.channel_id) return;
  const quoters = await quotersOf(hub, { message_id: messageId }, author.channel_id);
  const may = quoters === "everybody" || (quoters === "connections" && (await followsOneOf(hub, channel, messageId)));
  if (!may) throw refusal(refusals.quote);
}

/** Has the channel written the message, or does it own its thread? */
async function isOf(hub: Hub, { xchan_id }: Channel, messageId: number): Promise<boolean> {
  const row = await hub.db
    .selectFrom("item")
    .select("id")
    .where("message_id", "=", messageId)
    .where((x) => x.or([x("author_id", "=", xchan_id), x("owner_id", "=", xchan_id)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Does the channel follow whoever wrote a message, or owns its thread? */
async function followsOneOf(hub: Hub, { channel_id }: Channel, messageId: number): Promise<boolean> {
  const row = await hub.db
    .selectFrom("item")
    .innerJoin("xchan", (join) =>
      join.on((x) => x.or([x("xchan_id", "=", x.ref("item.author_id")), x("xchan_id", "=", x.ref("item.owner_id"))])),
    )
    .innerJoin("abook", "abook.abook_xchan", "xchan.xchan_hash")
    .select("abook_id")
    .where("item.message_id", "=", messageId)
    .where("abook_channel", "=", channel_id)
    .where("follow_out", "=", "accepted")
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets what the last version of a message said. Part of a transaction. */
export async function forgetPermits(hub: Hub, messageId: number): Promise<void> {
  await hub.db
    .deleteFrom("iconfig")
    .where("message_id", "=", messageId)
    .where("uid", "=", permitsMark.uid)
    .where("cat", "=", permitsMark.cat)
    .where("k", "=", permitsMark.k)
    .execute();
}
