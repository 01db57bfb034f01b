import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { channelSettings } from "../identity/channels/channel-settings.ts";
import type { Quoters } from "../identity/channels/channel-settings.ts";
import { quotersMark } from "./save.ts";
import type { Item } from "./types.ts";

/** Who may quote a post of this channel without being asked: as the post says, else as the channel does (federation contract 7). */
export async function quotersOf(hub: Hub, { message_id }: Pick<Item, "message_id">, author: number): Promise<Quoters> {
  const { cat, k, read } = channelSettings.quoters;
  const [row] = await compiled(hub, "who may quote", { message_id, author }, (slots) =>
    hub.db.selectNoFrom((x) => [
      x
        .selectFrom("iconfig")
        .select("v")
        .where("message_id", "=", slots.message_id)
        .where("uid", "=", sql.lit(quotersMark.uid))
        .where("cat", "=", sql.lit(quotersMark.cat))
        .where("k", "=", sql.lit(quotersMark.k))
        .limit(sql.lit(1))
        .as("own"),
      x
        .selectFrom("config")
        .select("v")
        .where("uid", "=", slots.author)
        .where("cat", "=", sql.lit(cat))
        .where("k", "=", sql.lit(k))
        .as("usual"),
    ]),
  );
  return read(row?.own ?? row?.usual ?? undefined);
}
