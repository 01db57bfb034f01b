import type { Hub } from "../../hub.ts";
import type { Channel } from "./channel.ts";
import { createClient, findClient } from "./oauth-clients.ts";
import { textIn } from "./portable-fields.ts";
import type { PortableRecord } from "./portable-fields.ts";

/**
 * Takes an application that the channel has registered over from an export. Its tokens do not come along: people gave them
 * at another address. Answers false for a record that names none. Throws conflict where somebody else has its key, invalid.
 */
export async function importClient(hub: Hub, channel: Channel, record: PortableRecord): Promise<"there" | boolean> {
  const [name, key] = [textIn(record, "name"), textIn(record, "client_key")];
  if (name === "" || key === "") return false;
  if ((await findClient(hub, key))?.uid === channel.channel_id) return "there";
  const [secret, redirect, icon] = [textIn(record, "secret"), textIn(record, "redirect"), textIn(record, "icon")];
  await createClient(hub, channel.channel_id, { name, key, secret, redirect, icon });
  return true;
}
