import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { addDeed } from "../../jobs/queue.ts";
import { storedJson } from "../../stored-json.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import { isPureShare } from "../bodies/share.ts";
import type { Interaction } from "./approvals.ts";
import { hasValue, markOf } from "./metadata.ts";
import { permitsMark } from "./permits.ts";
import type { Permits } from "./permits.ts";
import { insertMeta } from "./save.ts";
import { isKeptHere } from "./sent-to.ts";
import type { Item } from "./types.ts";
import { termTypes } from "./vocabulary.ts";

/**
 * Whether people of other hubs let stand what people here answer, like and share: the other side of `approvals.ts` (federation
 * contract 7).
 */

/** What whoever wrote a post elsewhere has said; of what was let in the id of the stamp, where it has one. */
export type Consent = { state: "asked" | "refused" | "given"; stamp?: string };

const mark = { cat: "federation", k: "consent", sharing: 0, uid: 0, remote_key: null };

/**
 * Whoever wrote a message elsewhere is asked about something that this channel has done with it, where they want to be asked. Part of
 * the transaction that stores it.
 */
export async function askConsent(
  hub: Hub,
  channel: Channel,
  kind: Exclude<Interaction, "quote">,
  messageId: number,
  about: number,
): Promise<void> {
  const said = await markOf(hub, about, permitsMark);
  const unasked = said === undefined ? undefined : storedJson<Permits>(said).unasked?.[kind];
  const own = `${hub.config.baseUrl}/channel/${channel.channel_address}`;
  if (!unasked || unasked.some((id) => comparableId(id) === comparableId(own)) || (await mentions(hub, about, [own])))
    return;
  await keepConsent(hub, messageId, { state: "asked" });
  await addDeed(hub, channel.channel_id, { deed: "ask", message: messageId, kind });
}

/** The same of a post that shares another one as it is. */
export async function askToShare(
  hub: Hub,
  channel: Channel,
  item: Pick<Item, "shared_id" | "body" | "item_private" | "message_id" | "postopts">,
): Promise<void> {
  const { shared_id, body, item_private } = item;
  if (shared_id === 0 || item_private !== 0 || isKeptHere(item) || !isPureShare(body)) return;
  await askConsent(hub, channel, "share", item.message_id, shared_id);
}

/** Does a post mention whoever has one of these addresses? Then they may answer it. */
export async function mentions(hub: Hub, messageId: number, urls: readonly string[]): Promise<boolean> {
  const row = await hub.db
    .selectFrom("term")
    .select("tid")
    .where("message_id", "=", messageId)
    .where("uid", "=", 0)
    .where("ttype", "=", termTypes.mention)
    .where("url", "in", urls)
    .executeTakeFirst();
  return row !== undefined;
}

/** What is known of it; undefined where nobody was asked, and nobody has said anything. */
export async function consentOf(hub: Hub, messageId: number): Promise<Consent | undefined> {
  const said = await markOf(hub, messageId, mark);
  if (said === undefined) return undefined;
  if (said === "asked" || said === "refused" || said === "given") return { state: said };
  return { state: "given", stamp: said };
}

/** Notes it, in the place of what was known. Part of a transaction. */
export async function keepConsent(hub: Hub, messageId: number, { state, stamp }: Consent): Promise<void> {
  await hub.db
    .deleteFrom("iconfig")
    .where("id", "in", marks(hub).select("iconfig.id").where("message_id", "=", messageId))
    .execute();
  await insertMeta(hub, messageId, [{ ...mark, v: stamp ?? state }]);
}

/** The messages that have this stamp. */
export async function consentedBy(hub: Hub, stamp: string): Promise<number[]> {
  const rows = await marks(hub).select("message_id").where(hasValue(stamp)).execute();
  return rows.map((row) => row.message_id);
}

function marks(hub: Hub) {
  return hub.db
    .selectFrom("iconfig")
    .where("iconfig.uid", "=", sql.lit(mark.uid))
    .where("iconfig.cat", "=", sql.lit(mark.cat))
    .where("iconfig.k", "=", sql.lit(mark.k));
}
