import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { compiled } from "../../../storage/compiled-query.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { comparableId, isSameOrigin } from "../../identity/xchans/foreign-ids.ts";

/** A message that is here, named by an id from outside. */
export type KnownMessage = {
  id: number;
  mid: string;
  uuid: string;
  parent_mid: string;
  edited: string;
  verb: string;
  item_verified: number;
  html: string;
  title: string;
  obj: string;
  location: string;
  coord: string;
  item_nsfw: number;
  author_id: number;
  /** The author's identity. */
  author: string;
  /** The author's channel, where that is here. */
  nick: string | null;
};

/**
 * The message with this id (federation contract 3.1): of this hub by its uuid, where its author lives here, else by its mid, where
 * its author is of the id's origin. What an import brought under the name of somebody elsewhere may be it as well.
 */
export async function findKnownMessage(hub: Hub, id: string): Promise<KnownMessage | undefined> {
  if (isSameOrigin(id, hub.config.baseUrl)) return findOwn(hub, id);
  const rows = await compiled(hub, "messages by ids of elsewhere", { ids: [id, comparableId(id)] }, (slots) =>
    select(hub)
      .where(isOneOf(hub.engine, sql.ref("message.mid"), slots.ids, "text"))
      .where("message.version", "=", sql.lit(0))
      .orderBy("message.item_verified", "desc")
      .orderBy("message.id"),
  );
  return rows.find((row) => isSameOrigin(row.author, id));
}

function findOwn(hub: Hub, id: string): Promise<KnownMessage | undefined> {
  return select(hub)
    .where("message.uuid", "=", uuidIn(id))
    .where("message.version", "=", 0)
    .where("channel.channel_id", "is not", null)
    .executeTakeFirst();
}

/** The page of an item names it as its id does, with any question or place after it; an activity's id is that alone. */
function uuidIn(id: string): string {
  const ids = /^[^?#]*\/(?:(?:item|display)\/([\w.-]{1,100})(?:[?#].*)?|activity\/([\w.-]{1,100}))$/;
  const [, item, activity] = ids.exec(id) ?? [];
  return item ?? activity ?? "";
}

function select(hub: Hub) {
  return hub.db
    .selectFrom("message")
    .innerJoin("xchan", "xchan.xchan_id", "message.author_id")
    .leftJoin("channel", "channel.channel_hash", "xchan.xchan_hash")
    .select(["message.id", "message.mid", "message.uuid", "message.parent_mid", "message.edited", "message.verb"])
    .select(["message.item_verified", "message.author_id", "message.html", "message.title", "message.obj"])
    .select(["message.location", "message.coord", "message.item_nsfw"])
    .select(["xchan.xchan_hash as author", "channel.channel_address as nick"]);
}
