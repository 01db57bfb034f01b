import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";
import type { Channel } from "../channels/channel.ts";
import { importedValue } from "../records/composite.ts";
import { readLimit } from "../channels/permission-limits.ts";
import { dateIn, textIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";
import { isPermissionName } from "../channels/roles.ts";
import { families } from "../channels/channel-settings.ts";

/**
 * Takes a setting over from an export and replaces what is here (native contract 7.5, step 2). `there`: it was set to that
 * already; `unreadable`: it names or means nothing.
 */
export async function importConfig(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const [cat, k] = [textIn(record, "cat"), textIn(record, "k")];
  const v = valueOf(cat, k, textIn(record, "v"));
  if (cat === "" || k === "" || v === undefined) return "unreadable";
  const given = dateIn(record, "updated");
  const updated = given === zeroDate ? now(hub) : given;
  const changed = await hub.db
    .insertInto("config")
    .values({ uid: channel.channel_id, cat, k, v, updated })
    .onConflict((conflict) =>
      conflict.columns(["uid", "cat", "k"]).doUpdateSet({ v, updated }).where("config.v", "<>", v),
    )
    .returning("id")
    .executeTakeFirst();
  return changed ? "imported" : "there";
}

/** A limit that means nothing here must not open anything. */
function valueOf(cat: string, k: string, text: string): string | undefined {
  if (cat !== families.limits) return importedValue(text);
  return isPermissionName(k) ? String(readLimit(k, Number(text))) : undefined;
}
