import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import { observerElsewhere } from "../../identity/channels/observer.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { isDeleted } from "../deleted-ids.ts";
import { mayPostTo, passOn, takeOver } from "../delivery/forum.ts";
import { lockThread, no } from "../queries.ts";
import type { Audience } from "./readers.ts";
import type { Store } from "./spread.ts";

/**
 * The forums of this hub that a post of somebody elsewhere is addressed to, and that let its author write there, take it over as
 * they do posts of this hub (federation contract 6.5). Answers those that have. May run twice.
 */
export async function offerToForums(
  hub: Hub,
  author: Xchan,
  audience: Audience,
  created: string,
  store: Store,
): Promise<Set<number>> {
  const observer = observerElsewhere(author);
  const taken = new Set<number>();
  for (const id of await forumsHere(hub, audience.named)) {
    const forum = await findChannelById(hub, id);
    if (!forum || !(await mayPostTo(hub, observer, forum, audience.isPublic))) continue;
    taken.add(id);
    await inTransaction(hub, async (hub) => {
      const message = await store(hub);
      await lockThread(hub, message.id);
      if (await isDeleted(hub, message.mid)) return;
      const shared = { message_id: message.id, author_id: author.xchan_id, source_id: author.xchan_id, postopts: "" };
      const own = await takeOver(hub, forum, observer, { ...shared, created });
      if (own) await passOn(hub, forum, own);
    });
  }
  return taken;
}

async function forumsHere(hub: Hub, ids: ReadonlySet<number>): Promise<number[]> {
  if (ids.size === 0) return [];
  const rows = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("channel_id")
    .where(isOneOf(hub.engine, sql.ref("channel_id"), [...ids]))
    .where("xchan_pubforum", "=", 1)
    .where("channel_removed", "=", no)
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => row.channel_id);
}
