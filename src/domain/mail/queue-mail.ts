import { randomUUID } from "node:crypto";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { oneLine } from "./lay-out.ts";
import type { Mail } from "./mail.ts";

const lifetime = 3 * 24 * 3600 * 1000;

/** Can the hub send mails at all? */
export function sendsMail(hub: Pick<Hub, "config">): boolean {
  return hub.config.mail !== undefined;
}

/**
 * Has a mail sent once the transaction that this is part of has been committed; it is tried again while the mail server is away.
 * False, with nothing done, where the hub has no mail server. A mail may arrive twice only when the hub ends in the moment in which
 * the server takes it, and both have the same Message-ID.
 */
export async function queueMail(hub: Hub, mail: Mail): Promise<boolean> {
  if (!sendsMail(hub)) return false;
  await inTransaction(hub, async (hub) => {
    const { id } = await hub.db
      .insertInto("letter")
      .values({
        recipient: mail.to,
        site: oneLine(mail.site),
        subject: oneLine(mail.subject),
        parts: JSON.stringify(mail.parts),
        message_id: `<${randomUUID()}@${new URL(hub.config.baseUrl).hostname}>`,
        unsubscribe: mail.unsubscribe ?? "",
        created: now(hub),
        keep_until: mail.until ?? momentIn(hub, lifetime),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await addJob(hub, "send-letter", { letter: id });
  });
  return true;
}
