import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { no } from "./queries.ts";

/** How much goes with a channel: what it wrote, its files and its connections. */
export type ChannelFigures = { posts: number; files: number; connections: number };

/** Counted for whoever is about to remove it. */
export async function channelFigures(hub: Hub, { channel_id: uid, xchan_id }: Channel): Promise<ChannelFigures> {
  const { db } = hub;
  const posts = db
    .selectFrom("item")
    .select((eb) => eb.fn.countAll<number>().as("posts"))
    .where("uid", "=", uid)
    .where("author_id", "=", xchan_id)
    .where("item_deleted", "=", no)
    .where("item_notshown", "=", no)
    .where("item_hidden", "=", no);
  const files = db
    .selectFrom("attach")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("uid", "=", uid)
    .where("is_dir", "=", 0);
  const connections = db
    .selectFrom("abook")
    .select((eb) => eb.fn.countAll<number>().as("connections"))
    .where("abook_channel", "=", uid)
    .where("abook_self", "=", 0);
  const row = await db
    .selectNoFrom([posts.as("posts"), files.as("files"), connections.as("connections")])
    .executeTakeFirstOrThrow();
  return { posts: Number(row.posts), files: Number(row.files), connections: Number(row.connections) };
}
