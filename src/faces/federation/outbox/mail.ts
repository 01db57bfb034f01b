import type { DeedOf } from "../../../deeds.ts";
import { answeredFor, idFor, recipientsOf } from "../../../domain/messages/messages.ts";
import { findSentMail } from "../../../domain/messages/sent-mail.ts";
import type { Hub } from "../../../hub.ts";
import { recallOf, writingOf } from "../present/mail.ts";
import { sendTo } from "./send-to.ts";

/** A direct message goes to each of elsewhere whom it is for as a note of its own. */
export async function write(hub: Hub, channel: number, { mail: id, answers }: DeedOf<"write">): Promise<void> {
  const found = await findSentMail(hub, id, answers);
  if (!found) return;
  const { mail, answered } = found;
  for (const hash of recipientsOf(mail)) {
    const note = idFor(mail, hash);
    const deed = { deed: `create ${note}`, objectId: note, stage: "first" } as const;
    await sendTo(hub, channel, hash, deed, (nick, { actor, address }) =>
      writingOf(hub, {
        nick,
        mail,
        note,
        person: actor,
        address,
        answers: answered ? answeredFor(hub, answered, hash) : answers,
      }),
    );
  }
}

/** They hear that it was taken back, if it ever went to them. */
export async function recall(hub: Hub, channel: number, { mid, person }: DeedOf<"recall">): Promise<void> {
  const deed = { deed: `delete ${mid}`, objectId: mid, stage: "last" } as const;
  await sendTo(hub, channel, person, deed, (nick, { actor }) => recallOf(hub, nick, mid, actor));
}
