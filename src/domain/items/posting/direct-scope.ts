import { sql } from "kysely";
import { refusal } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { blockedAmong } from "../../connections/connections.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { observerOf } from "../../identity/channels/observer.ts";
import { allowed } from "../../permissions/allowed.ts";
import { nobody, scopeOf } from "../audience.ts";
import type { Scope } from "../audience.ts";
import type { Content } from "../content.ts";
import { no } from "../queries.ts";

/**
 * The people whom a direct post names and its author, and nobody else. Throws denied for somebody whom the author blocks, and invalid for
 * one who takes no messages of people without a connection: they would never hear of it.
 */
export async function directScope(
  hub: Hub,
  author: Channel,
  { mentions }: Content,
  others: readonly string[],
): Promise<Scope> {
  const people = [author.channel_hash, ...mentions.flatMap(({ hash, group }) => (group ? [] : [hash])), ...others];
  if ((await blockedAmong(hub, author.channel_id, people)).size > 0) throw refusal("blocked_by_you");
  const name = await closedTo(hub, author, people);
  if (name !== undefined) throw refusal("takes_no_messages", { name });
  return scopeOf({ ...nobody, allow_cid: [...new Set(people)] }, "self", "specific");
}

/**
 * The address of a channel of this hub among these people that is not connected with the author, and lets no stranger write to it. What
 * it thinks of this author says nothing here: nobody learns who blocks them.
 */
async function closedTo(hub: Hub, author: Channel, people: readonly string[]): Promise<string | undefined> {
  const stranger = { ...observerOf(author), xchanId: 0, hash: "somebody of this hub" };
  const row = await hub.db
    .selectFrom("channel")
    .innerJoin("xchan", "xchan.xchan_hash", "channel.channel_hash")
    .select("xchan_addr")
    .where(isOneOf(hub.engine, sql.ref("channel.channel_hash"), people, "text"))
    .where("channel.channel_id", "<>", author.channel_id)
    .where("channel.channel_removed", "=", no)
    .where((eb) => eb.not(allowed(stranger, "post_mail", sql.ref<number>("channel.channel_id"))))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("abook")
            .select("abook_id")
            .where("abook_channel", "=", author.channel_id)
            .whereRef("abook_xchan", "=", "channel.channel_hash")
            .where("abook_unconnected", "=", no)
            .where("follow_out", "=", "accepted"),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.xchan_addr;
}
