import { sql } from "kysely";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { ensureCopy } from "./copies.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { loadItem } from "../save.ts";
import type { Item } from "../types.ts";

/** Sets or clears the channel's private star on an item it may see; nobody else learns of it. Throws missing. */
export async function setStarred(hub: Hub, channel: Channel, ref: ItemRef, starred: boolean): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const seen = await findStatus(hub, channel, ref);
    if (!starred && seen.uid !== channel.channel_id) return seen;
    const own = await ensureCopy(hub, channel, seen);
    await hub.db
      .updateTable("item")
      .set({ item_starred: starred ? 1 : 0 })
      .where("id", "=", own.id)
      .execute();
    return loadItem(hub, own.id);
  });
}

/** Which of these messages the channel has starred; a star is on its own copy, whichever copy it looks at. */
export async function starredAmong(hub: Hub, uid: number, messages: readonly number[]): Promise<Set<number>> {
  if (messages.length === 0) return new Set();
  const rows = await compiled(hub, "starred among", { uid, messages }, (slots) =>
    hub.db
      .selectFrom("item")
      .select("message_id")
      .where("uid", "=", slots.uid)
      .where("item_starred", "=", sql.lit(1))
      .where(isOneOf(hub.engine, sql.ref("message_id"), slots.messages)),
  );
  return new Set(rows.map((row) => row.message_id));
}
