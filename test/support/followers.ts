import { receiveFollow } from "../../src/domain/connections/connections.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { comparableId } from "../../src/domain/identity/xchans/foreign-ids.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import { inTransaction } from "../../src/hub.ts";
import type { Hub } from "../../src/hub.ts";
import { inPieces } from "../../src/storage/sql.ts";
import { actorOf } from "./actors.ts";

/**
 * So many people of other hubs, evenly at these origins, follow a channel, with copies of the rows of one more, who is met and
 * asks to follow as people do.
 */
export async function writeFollowers(
  hub: Hub,
  channel: Channel,
  origins: readonly string[],
  followers: number,
): Promise<void> {
  const met = await meetActor(hub, actorOf("ann", { manuallyApproves: false }));
  await receiveFollow(hub, channel, met, "https://far.example/follow/1");
  await inTransaction(hub, async (hub) => {
    const { db } = hub;
    const { id: _, ...actor } = await db
      .selectFrom("actor")
      .selectAll()
      .where("xchan_id", "=", met.xchan_id)
      .executeTakeFirstOrThrow();
    const { xchan_id: __, ...xchan } = met;
    const { abook_id: ___, ...abook } = await db
      .selectFrom("abook")
      .selectAll()
      .where("abook_channel", "=", channel.channel_id)
      .where("abook_xchan", "=", met.xchan_hash)
      .executeTakeFirstOrThrow();
    const nicks = Array.from(
      { length: followers },
      (_, n) => `${origins[n % origins.length]!}/users/f${n}-${channel.channel_id}`,
    );
    for (const piece of inPieces(nicks)) {
      const people = piece.map((id) => ({
        ...xchan,
        xchan_hash: id,
        xchan_guid: id,
        xchan_url: id,
        xchan_addr: `${id.split("/").at(-1)}@${new URL(id).host}`,
      }));
      const written = await db.insertInto("xchan").values(people).returning(["xchan_id", "xchan_hash"]).execute();
      const rows = written.map(({ xchan_id, xchan_hash }) => {
        const { host, origin } = new URL(xchan_hash);
        const ids = { actor_id: xchan_hash, compared: comparableId(xchan_hash), xchan_id };
        return { ...actor, ...ids, host, inbox: `${xchan_hash}/inbox`, shared_inbox: `${origin}/inbox` };
      });
      await db.insertInto("actor").values(rows).execute();
      const accepted = { ...abook, abook_pending: 0, follow_in: "accepted" };
      const follows = written.map(({ xchan_hash: abook_xchan }) => ({ ...accepted, abook_xchan }));
      await db.insertInto("abook").values(follows).execute();
    }
  });
}
