import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import type { ForeignActor } from "../identity/xchans/foreign-actor.ts";
import { recordActor } from "../identity/xchans/record-actor.ts";
import { limitActor } from "../identity/xchans/actors.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { recordPeer } from "./peers.ts";
import { treatmentOf } from "./site-blocks.ts";

/**
 * Takes over what an actor's document says, which whoever calls has read from the actor's own address. This is the only way in
 * which people of the network `activitypub` become more than names (federation contract 1.4). Throws invalid; denied where the
 * site has nothing to do with their hub.
 */
export async function meetActor(hub: Hub, described: ForeignActor): Promise<Xchan> {
  return inTransaction(hub, async (hub) => {
    const xchan = await recordActor(hub, described);
    const { host } = new URL(xchan.xchan_hash);
    const { level } = await treatmentOf(hub, host);
    if (level === "suspend") throw refusal("host_suspended");
    if (level === "limit") await limitActor(hub, xchan.xchan_id);
    await recordPeer(hub, host);
    return xchan;
  });
}

/** What is known of this actor may be out of date: a job asks for their document again. */
export async function meetLater(hub: Hub, id: string): Promise<void> {
  await addJob(hub, "meet-actor", { actor: id }, { key: `meet ${id}` });
}
