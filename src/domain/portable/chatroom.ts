import type { Selectable } from "kysely";
import type { ChatroomTable } from "../../storage/tables/records.ts";

/** A chatroom. */
export function chatroomRecord(room: Selectable<ChatroomTable>): Record<string, string> {
  return {
    cr_id: String(room.cr_id),
    cr_aid: String(room.cr_aid),
    cr_uid: String(room.cr_uid),
    cr_name: room.cr_name,
    cr_created: room.cr_created,
    cr_edited: room.cr_edited,
    cr_expire: String(room.cr_expire),
    allow_cid: room.allow_cid,
    allow_gid: room.allow_gid,
    deny_cid: room.deny_cid,
    deny_gid: room.deny_gid,
  };
}
