import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import type { ChatroomTable } from "../../storage/tables/records.ts";
import type { Channel } from "./channel.ts";
import { dateIn, listsIn, numberIn, textIn } from "./portable-fields.ts";
import type { PortableRecord } from "./portable-fields.ts";

/** A chatroom (native contract 2.15); who may enter it is told in domain/messages/rooms.ts. */
export type Chatroom = Selectable<ChatroomTable>;

const usualMinutes = 120;

/** The chatrooms of a channel by id. */
export async function listChatrooms(hub: Hub, uid: number): Promise<Chatroom[]> {
  return hub.db.selectFrom("chatroom").selectAll().where("cr_uid", "=", uid).orderBy("cr_id").execute();
}

/** Takes a chatroom over from an export; repeating it changes nothing. Answers false for a record that names none. */
export async function importChatroom(hub: Hub, channel: Channel, record: PortableRecord): Promise<boolean> {
  const name = textIn(record, "cr_name");
  if (name === "") return false;
  const values = {
    cr_created: dateIn(record, "cr_created"),
    cr_edited: dateIn(record, "cr_edited"),
    cr_expire: "cr_expire" in record ? numberIn(record, "cr_expire") : usualMinutes,
    ...listsIn(record),
  };
  await hub.db
    .insertInto("chatroom")
    .values({ cr_aid: channel.channel_account_id, cr_uid: channel.channel_id, cr_name: name, ...values })
    .onConflict((conflict) => conflict.columns(["cr_uid", "cr_name"]).doUpdateSet(values))
    .execute();
  return true;
}
