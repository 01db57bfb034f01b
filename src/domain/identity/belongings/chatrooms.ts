import type { Selectable, Updateable } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { ChatroomTable } from "../../../storage/tables/records.ts";
import type { Channel } from "../channels/channel.ts";
import { dateIn, listsIn, numberIn, textIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";
import type { Listed } from "../records/name-successor.ts";

/** A chatroom; who may enter it is told in domain/messages/rooms.ts. */
export type Chatroom = Selectable<ChatroomTable>;

const usualMinutes = 120;

/** The chatrooms of a channel by id. */
export async function listChatrooms(hub: Hub, uid: number): Promise<Chatroom[]> {
  return hub.db.selectFrom("chatroom").selectAll().where("cr_uid", "=", uid).orderBy("cr_id").execute();
}

/** The channel's room of this name. */
export async function findChatroomByName(hub: Hub, uid: number, name: string): Promise<Chatroom | undefined> {
  return hub.db
    .selectFrom("chatroom")
    .selectAll()
    .where("cr_uid", "=", uid)
    .where("cr_name", "=", name)
    .executeTakeFirst();
}

type RoomValues = Omit<Chatroom, "cr_id" | "cr_aid" | "cr_uid" | "cr_created">;

/** Adds a chatroom of the channel; its name is free. */
export async function insertChatroom(hub: Hub, channel: Channel, values: RoomValues): Promise<Chatroom> {
  const { channel_account_id: cr_aid, channel_id: cr_uid } = channel;
  return hub.db
    .insertInto("chatroom")
    .values({ cr_aid, cr_uid, cr_created: now(hub), ...values })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a chatroom. */
export async function updateChatroom(hub: Hub, id: number, values: Updateable<ChatroomTable>): Promise<void> {
  await hub.db.updateTable("chatroom").set(values).where("cr_id", "=", id).execute();
}

/** Removes a chatroom; what was said in it is not the concern of this. */
export async function deleteChatroom(hub: Hub, id: number): Promise<void> {
  await hub.db.deleteFrom("chatroom").where("cr_id", "=", id).execute();
}

/** Takes a chatroom over from an export; what is no older here stays, with whom its lists have got since. Part of a transaction. */
export async function importChatroom(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const name = textIn(record, "cr_name");
  if (name === "") return "unreadable";
  const values = {
    cr_created: dateIn(record, "cr_created"),
    cr_edited: dateIn(record, "cr_edited"),
    cr_expire: "cr_expire" in record ? numberIn(record, "cr_expire") : usualMinutes,
    ...listsIn(record),
  };
  const known = await findChatroomByName(hub, channel.channel_id, name);
  if (known && known.cr_edited >= values.cr_edited) return "there";
  await hub.db
    .insertInto("chatroom")
    .values({ cr_aid: channel.channel_account_id, cr_uid: channel.channel_id, cr_name: name, ...values })
    .onConflict((conflict) => conflict.columns(["cr_uid", "cr_name"]).doUpdateSet(values))
    .execute();
  return "imported";
}

/** Who may enter them. */
export const listedChatrooms: Listed = { table: "chatroom", id: "cr_id", uid: "cr_uid" };
