import { randomUUID } from "node:crypto";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { emit } from "../../live/emit.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { Quoters } from "../../identity/channels/channel-settings.ts";
import { changeElsewhere } from "../changed.ts";
import { findOwnWriting } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { insertMeta, publicMarks, quotersMark } from "../save.ts";
import { touchAll } from "../thread-dates.ts";

/**
 * Says who may quote something that the channel has written from now on; whoever has it elsewhere hears of that. What not everybody sees
 * nobody may quote anyway. Throws missing for what is not the channel's.
 */
export async function setQuoters(hub: Hub, channel: Channel, ref: ItemRef, quoters: Quoters): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const item = await findOwnWriting(hub, channel, ref);
    if (item.item_private !== 0) return;
    const { cat, k, uid } = quotersMark;
    await hub.db
      .deleteFrom("iconfig")
      .where("message_id", "=", item.message_id)
      .where("uid", "=", uid)
      .where("cat", "=", cat)
      .where("k", "=", k)
      .execute();
    await insertMeta(hub, item.message_id, publicMarks({ quoters }));
    await touchAll(hub, item.message_id);
    await emit(hub, { what: "edit", message: item.message_id });
    await changeElsewhere(hub, item, { stamp: `quoters ${randomUUID()}` });
  });
}
