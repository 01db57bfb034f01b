import { inTransaction, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { dateIn, recordOf, textIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../../identity/records/portable-fields.ts";
import { findSketch, keepSketch, wasPosted } from "./sketches.ts";

/**
 * Takes a draft over from an export, unless the channel has it, or has posted it here. Its files have other numbers here, and are to
 * be chosen anew.
 */
export async function importSketch(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const [name, place] = [textIn(record, "name"), textIn(record, "place")];
  const given = Array.isArray(record["fields"]) ? record["fields"].map((field) => recordOf(field)) : [];
  const fields = given
    .map((field) => [textIn(field, "name"), textIn(field, "value")] as const)
    .filter(([field]) => field !== "" && field !== "media_id");
  if (!isPath(place) || fields.length === 0) return "unreadable";
  return inTransaction(hub, async (hub) => {
    if ((await findSketch(hub, channel, name)) ?? (await wasPosted(hub, channel, name))) return "there";
    await keepSketch(hub, channel, { name, place, fields }, dateIn(record, "changed", now(hub)));
    return "imported";
  });
}

/** A page of this hub, and no address that browsers take for one of another. */
function isPath(text: string): boolean {
  return text.length <= 2000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(text);
}
