import type { Hub } from "../../hub.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import type { Mail } from "./types.ts";

/**
 * A message as its sender has it, on its way to people of elsewhere, with the sender's copy of the one with the id `answers`; undefined once
 * it was removed or taken back.
 */
export async function findSentMail(
  hub: Hub,
  id: number,
  answers: string,
): Promise<{ mail: Mail; answered: Mail | undefined } | undefined> {
  const mails = hub.db.selectFrom("mail").selectAll();
  const mail = await mails
    .where("id", "=", id)
    .where("mail_deleted", "=", 0)
    .where("mail_recalled", "=", 0)
    .executeTakeFirst();
  const sender = mail && (await findChannelById(hub, mail.channel_id));
  if (!sender || mail.from_xchan !== sender.channel_hash) return undefined;
  const answered = mails.where("channel_id", "=", sender.channel_id).where("mid", "=", answers);
  return { mail, answered: answers === "" ? undefined : await answered.executeTakeFirst() };
}
