import type { Updateable } from "kysely";
import { certain, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { AbookTable } from "../../storage/tables/connections.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { countConnections } from "../identity/channels/connection-counts.ts";
import { profileByGuid } from "../identity/channels/profiles.ts";
import { permissionNames } from "../identity/channels/roles.ts";
import type { PermissionName } from "../identity/channels/roles.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { listAbconfig, setGrant } from "./abconfig.ts";
import { blockRow } from "./block.ts";
import { approve } from "./connect.ts";
import { findConnection } from "./list.ts";
import { changeRow, leaveStranger, rowById } from "./rows.ts";
import type { Connection } from "./types.ts";

/** What the owner may change about a connection; absent fields stay. */
export type ConnectionChanges = {
  closeness?: number | undefined;
  blocked?: boolean | undefined;
  ignored?: boolean | undefined;
  hidden?: boolean | undefined;
  archived?: boolean | undefined;
  /** Guid of an own profile. */
  profile?: string | undefined;
  incl?: string | undefined;
  excl?: string | undefined;
  /** False approves a request. */
  pending?: boolean | undefined;
  /** All that the connection may do. */
  granted?: readonly PermissionName[] | undefined;
};

/** Changes one connection and answers it as it is now. The channel's own row accepts only `profile`. */
export async function updateConnection(
  hub: Hub,
  channel: Channel,
  abookId: number,
  changes: ConnectionChanges,
): Promise<Connection> {
  return inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    const row = await rowById(hub, uid, abookId);
    if (row.abook_self === 1) refuseOnSelf(changes);
    if (changes.pending === true && row.abook_pending === 0) throw refusal("not_a_request_again");
    if (changes.profile !== undefined) await checkProfile(hub, uid, changes.profile);
    const values = columnsOf(changes);
    if (changes.pending === false) await approve(hub, channel, abookId);
    else await lockChannels(hub, [uid]);
    if (changes.blocked === true && row.abook_blocked === 0) await blockRow(hub, row);
    await changeRow(hub, uid, row.abook_xchan, values);
    if (changes.granted) await setGrants(hub, channel, abookId, changes.granted);
    await countConnections(hub, [uid]);
    const changed = certain(await findConnection(hub, uid, abookId), "connection");
    // Where there was nothing but a block or mute, nothing is left.
    await leaveStranger(hub, uid, row.abook_xchan);
    return changed;
  });
}

async function setGrants(
  hub: Hub,
  channel: Channel,
  abookId: number,
  granted: readonly PermissionName[],
): Promise<void> {
  const rows = await listAbconfig(hub, channel.channel_id, { abookId, cat: "my_perms" });
  const before = new Set(rows.filter((row) => row.v === "1").map((row) => row.k));
  for (const name of permissionNames) {
    const on = granted.includes(name);
    if (on !== before.has(name)) await setGrant(hub, channel, abookId, name, on);
  }
}

function columnsOf(changes: ConnectionChanges): Updateable<AbookTable> {
  const flag = (change: boolean | undefined): 0 | 1 => (change ? 1 : 0);
  return {
    ...(changes.blocked !== undefined && { abook_blocked: flag(changes.blocked) }),
    ...(changes.ignored !== undefined && { abook_ignored: flag(changes.ignored), mute_ends: zeroDate }),
    ...(changes.hidden !== undefined && { abook_hidden: flag(changes.hidden) }),
    ...(changes.archived !== undefined && { abook_archived: flag(changes.archived) }),
    ...(changes.closeness !== undefined && { abook_closeness: readCloseness(changes.closeness) }),
    ...(changes.profile !== undefined && { abook_profile: changes.profile }),
    ...(changes.incl !== undefined && { abook_incl: readRules("incl", changes.incl) }),
    ...(changes.excl !== undefined && { abook_excl: readRules("excl", changes.excl) }),
  };
}

function refuseOnSelf(changes: ConnectionChanges): void {
  const { profile: _, ...others } = changes;
  const [field] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (field) throw refusal("not_of_itself", { field });
}

function readCloseness(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 99) throw refusal("closeness_wrong");
  return value;
}

function readRules(field: string, text: string): string {
  if (text.length > 65_535) throw refusal("rules_too_long", { field });
  return text;
}

async function checkProfile(hub: Hub, uid: number, guid: string): Promise<void> {
  if (!(await profileByGuid(hub, uid, guid))) throw refusal("not_own_profile");
}
