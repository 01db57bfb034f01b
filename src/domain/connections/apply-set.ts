import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findPermissionSet } from "../identity/channels/permission-sets.ts";
import { grantRecord } from "../identity/channels/roles.ts";
import { shareChange } from "./abconfig.ts";
import { writeGrantRows } from "./grants.ts";
import { rowById } from "./rows.ts";

/** Grants a connection exactly what the named set holds; the other side is told. */
export async function applyPermissionSet(hub: Hub, channel: Channel, abookId: number, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const uid = channel.channel_id;
    const row = await rowById(hub, uid, abookId);
    const set = await findPermissionSet(hub, uid, name);
    if (!set) throw refusal("no_such_set", { field: "permcat" });
    await writeGrantRows(hub, uid, row.abook_xchan, grantRecord(set.granted));
    await shareChange(hub, channel, row);
  });
}
