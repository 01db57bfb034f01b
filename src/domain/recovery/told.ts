import type { Hub } from "../../hub.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import type { Mail } from "../mail/mail.ts";
import { queueMail } from "../mail/queue-mail.ts";

/** What a mail of this area says, for a site of this name; faces have the words. */
export type Words = (site: string) => Pick<Mail, "subject" | "parts">;

/** Tells somebody about their account by mail; part of the transaction of the cause. Nothing happens where the hub sends no mail. */
export async function tell(hub: Hub, to: string, words: Words, until?: string): Promise<void> {
  const site = await getSetting(hub, "name");
  await queueMail(hub, { to, site, until, ...words(site) });
}
