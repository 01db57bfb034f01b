import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";

/**
 * Drops what is nobody's but the channel's, where its archives go, and what it said in chatrooms of others; part of the transaction
 * that removes the channel. Of letters that is its own copies: others keep theirs.
 */
export async function dropBelongings(hub: Hub, { channel_id: uid, xchan_id: author }: Channel): Promise<void> {
  const { db } = hub;
  const rooms = db.selectFrom("chatroom").select("cr_id").where("cr_uid", "=", uid);
  const statements = [
    db.deleteFrom("profile").where("uid", "=", uid),
    db.deleteFrom("conv").where("uid", "=", uid),
    db.deleteFrom("mail").where("channel_id", "=", uid),
    db.deleteFrom("chat_line").where((x) => x.or([x("author_id", "=", author), x("room_id", "in", rooms)])),
    db.deleteFrom("chatroom").where("cr_uid", "=", uid),
    db.deleteFrom("notify").where("uid", "=", uid),
    db.deleteFrom("event").where("uid", "=", uid),
    db.deleteFrom("sketch").where("uid", "=", uid),
    db.deleteFrom("posted_sketch").where("uid", "=", uid),
    db.deleteFrom("filter").where("uid", "=", uid),
    db.deleteFrom("filter_status").where("uid", "=", uid),
    db.deleteFrom("word_filter").where("uid", "=", uid),
    db.deleteFrom("followed_tag").where("uid", "=", uid),
    db.deleteFrom("first_contact").where("uid", "=", uid),
    db.deleteFrom("invitation").where("uid", "=", uid),
    db.deleteFrom("atoken").where("atoken_uid", "=", uid),
    db.deleteFrom("menu_item").where("mitem_channel_id", "=", uid),
    db.deleteFrom("menu").where("menu_channel_id", "=", uid),
    db.deleteFrom("app").where("app_channel", "=", uid),
    db.deleteFrom("obj").where("obj_channel", "=", uid),
    db.deleteFrom("likes").where("channel_id", "=", uid),
    db.deleteFrom("archive_place").where("uid", "=", uid),
  ];
  for (const statement of statements) await statement.execute();
}
