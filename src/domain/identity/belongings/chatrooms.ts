import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { ChatroomTable } from "../../../storage/tables/records.ts";
import type { Channel } from "../channels/channel.ts";
import { dateIn, hasValues, listsIn, numberIn, textIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";
import type { Listed } from "../records/name-successor.ts";

/** A chatroom; who may enter it is told in domain/messages/rooms.ts. */
export type Chatroom = Selectable<ChatroomTable>;

const usualMinutes = 120;

/** The chatrooms of a channel by id. */
export async function listChatrooms(hub: Hub, uid: number): Promise<Chatroom[]> {
  return hub.db.selectFrom("chatroom").selectAll().where("cr_uid", "=", uid).orderBy("cr_id").execute();
}

/** Takes a chatroom over from an export; what was edited later here stays. Part of a transaction. */
export async function importChatroom(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const name = textIn(record, "cr_name");
  if (name === "") return "unreadable";
  const values = {
    cr_created: dateIn(record, "cr_created"),
    cr_edited: dateIn(record, "cr_edited"),
    cr_expire: "cr_expire" in record ? numberIn(record, "cr_expire") : usualMinutes,
    ...listsIn(record),
  };
  const known = await hub.db
    .selectFrom("chatroom")
    .selectAll()
    .where("cr_uid", "=", channel.channel_id)
    .where("cr_name", "=", name)
    .executeTakeFirst();
  if (known && (known.cr_edited > values.cr_edited || hasValues(known, values))) return "there";
  await hub.db
    .insertInto("chatroom")
    .values({ cr_aid: channel.channel_account_id, cr_uid: channel.channel_id, cr_name: name, ...values })
    .onConflict((conflict) => conflict.columns(["cr_uid", "cr_name"]).doUpdateSet(values))
    .execute();
  return "imported";
}

/** Who may enter them. */
export const listedChatrooms: Listed = { table: "chatroom", id: "cr_id", uid: "cr_uid" };
