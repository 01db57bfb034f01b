import { refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { formatList } from "../groups/lists.ts";
import {
  deleteChatroom,
  findChatroomByName,
  insertChatroom,
  updateChatroom,
} from "../identity/belongings/chatrooms.ts";
import type { Chatroom } from "../identity/belongings/chatrooms.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { checkAudience } from "../items/audience.ts";
import type { Audience } from "../items/types.ts";
import { emit } from "../live/emit.ts";
import { findRoom, mostRooms, roomsOf } from "./rooms.ts";

/** What a channel does with its own chatrooms. */

/** `minutes`: for how long what is said stays; 0 is for good. */
export type RoomDraft = { name: string; minutes: number; audience: Audience };

const longestName = 100;
const mostMinutes = 366 * 24 * 60;

/** Opens a room. Throws invalid, too-large, conflict for a name that another room has, denied for one room too many. */
export async function createRoom(hub: Hub, owner: Channel, draft: RoomDraft): Promise<Chatroom> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [owner.channel_id]);
    const values = await valuesOf(hub, owner, draft);
    if ((await roomsOf(hub, owner)) >= mostRooms) throw refusal("rooms_too_many", { most: mostRooms });
    return insertChatroom(hub, owner, values);
  });
}

/** Gives a room another name, audience or time. Throws missing, and as `createRoom` does. */
export async function changeRoom(hub: Hub, owner: Channel, id: number, draft: RoomDraft): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockChannels(hub, [owner.channel_id]);
    const room = await findRoom(hub, observerOf(owner), owner, id);
    await updateChatroom(hub, room.cr_id, await valuesOf(hub, owner, draft, room));
    await emit(hub, { what: "room", room: room.cr_id });
  });
}

/** Closes a room for good, with all that was said in it. Throws missing. */
export async function deleteRoom(hub: Hub, owner: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const room = await findRoom(hub, observerOf(owner), owner, id);
    await deleteChatroom(hub, room.cr_id);
    await hub.db.deleteFrom("chat_line").where("room_id", "=", room.cr_id).execute();
  });
}

async function valuesOf(hub: Hub, owner: Channel, { name: typed, minutes, audience }: RoomDraft, own?: Chatroom) {
  const name = typed.trim();
  if (name === "") throw refusal("room_needs_name");
  if ([...name].length > longestName) throw refusal("room_name_too_long", { most: longestName });
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > mostMinutes) throw refusal("room_time_wrong");
  const taken = await findChatroomByName(hub, owner.channel_id, name);
  if (taken && taken.cr_id !== own?.cr_id) throw refusal("room_name_taken");
  const { allow_cid, allow_gid, deny_cid, deny_gid } = await checkAudience(hub, owner, audience);
  return {
    cr_name: name,
    cr_expire: minutes,
    cr_edited: now(hub),
    allow_cid: formatList(allow_cid),
    allow_gid: formatList(allow_gid),
    deny_cid: formatList(deny_cid),
    deny_gid: formatList(deny_gid),
  };
}
