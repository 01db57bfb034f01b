import { findConnection } from "../../domain/connections/connections.ts";
import type { Connection } from "../../domain/connections/connections.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { findKnown } from "../../domain/people/known-person.ts";
import { missing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { oneNeeded } from "./one-needed.ts";

type Naming = { hash: string | undefined; guid: string | undefined; address: string | undefined };

/** The identity that a request names; of several names the first of this order decides. */
export async function knownXchan(hub: Hub, uid: number, { hash, guid, address }: Naming): Promise<Xchan> {
  const xchan = await findKnown(
    hub,
    uid,
    hash ? { hash } : guid ? { guid } : { address: oneNeeded(address, "hash", "guid", "address") },
  );
  if (!xchan) throw missing("Identity");
  return xchan;
}

/** The identity of one of the channel's connections. */
export async function xchanOfConnection(hub: Hub, uid: number, abookId: number): Promise<Connection> {
  const connection = await findConnection(hub, uid, abookId);
  if (!connection) throw missing("Connection");
  return connection;
}
