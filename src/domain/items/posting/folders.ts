import { sql } from "kysely";
import { refusal } from "../../../errors.ts";
import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { line } from "../content.ts";
import { ensureCopy } from "./copies.ts";
import { findStatus } from "../find.ts";
import type { ItemRef } from "../find.ts";
import { saveTerms, termKey } from "../save.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** Folders that a channel saves items to: private terms, seen by the channel alone. */

export type Folder = { name: string; items: number };

const longestName = 191;

/** Saves an item to a folder of the channel; its thread is kept from then on. Throws missing, invalid. */
export async function fileItem(hub: Hub, channel: Channel, ref: ItemRef, folder: string): Promise<Item> {
  const name = line(folder, longestName);
  if (name === "") throw refusal("folder_name_needed");
  return inTransaction(hub, async (hub) => {
    const own = await ensureCopy(hub, channel, await findStatus(hub, channel, ref));
    if (!(await foldersOf(hub, channel, own)).some((known) => termKey(known) === termKey(name))) {
      const url = `${hub.config.baseUrl}/network?file=${encodeURIComponent(name)}`;
      await saveTerms(hub, own.message_id, [{ ttype: termTypes.file, term: name, url }], channel.channel_id);
    }
    await hub.db.updateTable("item").set({ item_retained: 1 }).where("id", "=", own.parent).execute();
    return own;
  });
}

/** Takes an item out of a folder; nothing happens when it is not in there. Throws missing for an item that is not seen. */
export async function unfileItem(hub: Hub, channel: Channel, ref: ItemRef, folder: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const item = await findStatus(hub, channel, ref);
    await hub.db
      .deleteFrom("term")
      .where("message_id", "=", item.message_id)
      .where("uid", "=", channel.channel_id)
      .where("ttype", "=", termTypes.file)
      .where("term_key", "=", termKey(line(folder, longestName)))
      .execute();
  });
}

/** The folders that an item is in, by name. */
export async function foldersOf(hub: Hub, channel: Channel, item: Pick<Item, "message_id">): Promise<string[]> {
  const rows = await hub.db
    .selectFrom("term")
    .select("term")
    .where("message_id", "=", item.message_id)
    .where("uid", "=", channel.channel_id)
    .where("ttype", "=", termTypes.file)
    .orderBy("term_key")
    .execute();
  return rows.map((row) => row.term);
}

/** All folders of the channel with the number of items that are in each, by name. */
export async function listFolders(hub: Hub, channel: Channel): Promise<Folder[]> {
  const rows = await hub.db
    .selectFrom("term")
    .innerJoin("item", "item.message_id", "term.message_id")
    .select((x) => [x.fn.min("term.term").as("name"), x.fn.countAll<number>().as("items")])
    .where("term.uid", "=", channel.channel_id)
    .where("term.uid", ">", sql.lit(0))
    .where("term.ttype", "=", sql.lit(termTypes.file))
    .where("item.uid", "=", channel.channel_id)
    .where("item.item_normal", "=", sql.lit(1))
    .groupBy("term.term_key")
    .orderBy("term.term_key")
    .execute();
  return rows.map((row) => ({ name: row.name, items: Number(row.items) }));
}
