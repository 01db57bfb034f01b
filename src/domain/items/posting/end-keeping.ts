import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { JobPayload } from "../../../jobs/kinds.ts";
import { findChannelById } from "../../identity/channels/channels.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { emit } from "../../live/emit.ts";
import { stillReads } from "../../permissions/thread-readers.ts";
import { joinText } from "../kept-text.ts";
import { lockThread, no, selectItems, yes } from "../queries.ts";
import type { Item } from "../types.ts";
import { dropUnused } from "./trim.ts";

/**
 * Whoever is in the audience of a thread of this channel again, and keeps some of it as it was, has it from now on as everybody else
 * (decision 165). A job; it may run twice.
 */
export async function endKeeping(hub: Hub, { owner: uid }: JobPayload<"end-keeping">): Promise<void> {
  const owner = await findChannelById(hub, uid);
  if (!owner) return;
  for (const { top } of await keptThreads(hub, uid)) await inTransaction(hub, (hub) => endInThread(hub, owner, top));
}

/** What is kept of what stands on the channel's wall, by the ids of the tops there. */
function keptOf(hub: Hub, uid: number) {
  return hub.db
    .selectFrom("message as kept")
    .innerJoin("message as text", (join) =>
      join.onRef("text.mid", "=", "kept.mid").onRef("text.author_id", "=", "kept.author_id").on("text.version", "=", 0),
    )
    .innerJoin("item as wall", (join) =>
      join.onRef("wall.message_id", "=", "text.id").on("wall.uid", "=", uid).on("wall.item_wall", "=", yes),
    )
    .where("kept.version", "<", sql.lit(0));
}

async function keptThreads(hub: Hub, uid: number): Promise<{ top: number }[]> {
  return keptOf(hub, uid).select("wall.parent as top").distinct().orderBy("top").execute();
}

async function endInThread(hub: Hub, owner: Channel, id: number): Promise<void> {
  const thread = selectItems(hub).where("item.id", "=", id).where("item.item_normal", "=", yes);
  const found = await thread.executeTakeFirst();
  if (!found) return;
  await lockThread(hub, found.message_id);
  const top = await thread.executeTakeFirst();
  if (!top) return;
  const returned = await keepingReaders(hub, owner, top);
  const byText = Map.groupBy(returned, ({ text }) => text);
  for (const [text, some] of byText) {
    const [kept, uids] = [some.map((one) => one.kept), some.map(({ uid }) => uid)];
    await joinText(hub, { kept, text, uids });
  }
  await dropUnused(
    hub,
    returned.map(({ kept }) => kept),
  );
  await emit(hub, ...[...byText.keys()].map((message) => ({ what: "edit", message }) as const));
}

/** Those who keep something of the thread as it was, and read it again. */
async function keepingReaders(
  hub: Hub,
  owner: Channel,
  top: Item,
): Promise<{ kept: number; text: number; uid: number }[]> {
  return (
    keptOf(hub, owner.channel_id)
      .innerJoin("item", "item.message_id", "kept.id")
      .innerJoin("channel", "channel.channel_id", "item.uid")
      .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
      .select(["kept.id as kept", "text.id as text", "item.uid"])
      .where("wall.parent", "=", top.id)
      .where("item.item_deleted", "=", no)
      .where(stillReads(hub, owner, top))
      // Whoever has taken it from the wall besides has it already.
      .where((x) =>
        x.not(
          x.exists(
            x
              .selectFrom("item as other")
              .select("other.id")
              .whereRef("other.message_id", "=", "text.id")
              .whereRef("other.uid", "=", "item.uid"),
          ),
        ),
      )
      .orderBy("kept.id")
      .orderBy("item.uid")
      .execute()
  );
}
