import { cache } from "../../caches.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { revive } from "../peers/circuits.ts";
import { findPeer, recordPeer } from "../peers/peers.ts";
import { recordScheme } from "../peers/schemes.ts";
import { wakeAfterCommit } from "./bells.ts";
import { release } from "./hosts.ts";

/** When a host was heard from last, by its way of signing, in milliseconds. */
const heard = cache<string, number>(20_000);
const pause = 60_000;

/** The way that a host has to be seen to sign before anybody signs so towards it (federation contract 8). */
const rarer = "rfc9421";

/**
 * A request from this host had a signature that holds: it is there, whatever was thought of it, and knows this way of signing.
 * Cheap enough for every such request.
 */
export async function heardFrom(hub: Hub, host: string, scheme: string): Promise<void> {
  const name = `${scheme} ${host}`;
  const moment = hub.clock().getTime();
  if ((heard(hub).get(name) ?? -Infinity) + pause > moment) return;
  heard(hub).set(name, moment);
  const peer = await findPeer(hub, host);
  const signsOtherwise = scheme === rarer && peer?.scheme !== rarer;
  if (peer && peer.circuit === "" && !signsOtherwise) return;
  await inTransaction(hub, async (hub) => {
    await recordPeer(hub, host);
    if (signsOtherwise) await recordScheme(hub, host, scheme);
    if (!(await revive(hub, host))) return;
    await release(hub, host);
    wakeAfterCommit(hub, "outgoing");
  });
}
