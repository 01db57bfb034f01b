import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import type { Chatroom } from "../identity/belongings/chatrooms.ts";
import { emit } from "../live/emit.ts";
import { may } from "../permissions/may.ts";
import { listsAdmit } from "../permissions/visible.ts";
import { cutPage } from "../../storage/key-page.ts";

type Owner = Pick<Channel, "channel_id">;

/** What somebody said in a room. */
export type ChatLine = { id: number; author_id: number; body: string; created: string };

const longestLine = 4000;
/** Rooms whose lines never expire keep so many. */
const mostLines = 10_000;

/** The channel's rooms that the observer may enter, by name: permission `chat` and the room's lists. */
export async function listRooms(hub: Hub, observer: Observer, channel: Owner): Promise<Chatroom[]> {
  if (!(await may(hub, observer, "chat", channel.channel_id))) return [];
  return visibleRooms(hub, observer, channel).orderBy("cr_name").limit(mostRooms).execute();
}

/** A channel has no more rooms than these. */
export const mostRooms = 200;

/** How many rooms the channel has. */
export async function roomsOf(hub: Hub, { channel_id }: Owner): Promise<number> {
  const row = await hub.db
    .selectFrom("chatroom")
    .select((x) => x.fn.countAll().as("count"))
    .where("cr_uid", "=", channel_id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** A room of the channel. Throws missing, alike for unknown and for closed ones. */
export async function findRoom(hub: Hub, observer: Observer, channel: Owner, id: number): Promise<Chatroom> {
  const room = await visibleRooms(hub, observer, channel).where("cr_id", "=", id).executeTakeFirst();
  if (!room || !(await may(hub, observer, "chat", channel.channel_id))) throw missing("Chatroom");
  return room;
}

/** May the observer enter the room with this id, whosesoever it is? */
export async function mayEnter(hub: Hub, observer: Observer, id: number): Promise<boolean> {
  const room = await hub.db.selectFrom("chatroom").select("cr_uid").where("cr_id", "=", id).executeTakeFirst();
  if (!room || !(await may(hub, observer, "chat", room.cr_uid))) return false;
  const owner = { channel_id: room.cr_uid };
  return (await visibleRooms(hub, observer, owner).where("cr_id", "=", id).executeTakeFirst()) !== undefined;
}

function visibleRooms(hub: Hub, observer: Observer, { channel_id }: Owner) {
  return hub.db
    .selectFrom("chatroom")
    .selectAll()
    .where("cr_uid", "=", channel_id)
    .where(listsAdmit(hub, observer, { table: "chatroom", uid: channel_id }));
}

/** The lines of a room that have not expired, newest first; `before` is the last page's `next`. */
export async function listLines(
  hub: Hub,
  room: Chatroom,
  { before, count }: { before?: number; count: number },
): Promise<{ lines: ChatLine[]; next: number | undefined }> {
  let query = hub.db
    .selectFrom("chat_line")
    .select(["id", "author_id", "body", "created"])
    .where("room_id", "=", room.cr_id)
    .where("created", ">", expiry(hub, room));
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(count + 1)
    .execute();
  const { page: lines, next } = cutPage(rows, count, (row) => row.id);
  return { lines, next };
}

/** Says something in a room. Throws missing for one that the author may not enter, invalid, too-large. */
export async function say(hub: Hub, author: Channel, owner: Owner, roomId: number, text: string): Promise<void> {
  const body = text.trim();
  if (body === "") throw refusal("line_empty");
  if ([...body].length > longestLine) throw refusal("line_too_long", { most: longestLine });
  await inTransaction(hub, async (hub) => {
    const room = await findRoom(hub, observerOf(author), owner, roomId);
    const { id } = await hub.db
      .insertInto("chat_line")
      .values({ room_id: room.cr_id, author_id: author.xchan_id, body, created: now(hub) })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (id % 100 === 0) await trimLines(hub, room);
    await emit(hub, { what: "room", room: room.cr_id });
  });
}

/** What nobody is shown any more goes. */
async function trimLines(hub: Hub, room: Chatroom): Promise<void> {
  const lines = hub.db.deleteFrom("chat_line").where("room_id", "=", room.cr_id);
  await lines.where("created", "<=", expiry(hub, room)).execute();
  const last = hub.db
    .selectFrom("chat_line")
    .select("id")
    .where("room_id", "=", room.cr_id)
    .orderBy("id", "desc")
    .limit(1)
    .offset(sql.lit(mostLines));
  await lines.where("id", "<=", last).execute();
}

/** Lines of this moment and older ones have expired; 0 minutes: none has. */
function expiry(hub: Hub, { cr_expire: minutes }: Chatroom): string {
  return minutes > 0 ? momentIn(hub, -minutes * 60_000) : "";
}
