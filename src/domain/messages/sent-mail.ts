import type { Hub } from "../../hub.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Mail } from "./types.ts";

/** A message as its sender has it, on its way to somebody of elsewhere; undefined once it was removed or taken back. */
export async function findSentMail(hub: Hub, id: number): Promise<{ sender: Channel; mail: Mail } | undefined> {
  const mail = await hub.db
    .selectFrom("mail")
    .selectAll()
    .where("id", "=", id)
    .where("mail_deleted", "=", 0)
    .where("mail_recalled", "=", 0)
    .executeTakeFirst();
  const sender = mail && (await findChannelById(hub, mail.channel_id));
  return sender && mail.from_xchan === sender.channel_hash ? { sender, mail } : undefined;
}
