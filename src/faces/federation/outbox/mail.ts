import type { DeedOf } from "../../../deeds.ts";
import { findSentMail } from "../../../domain/messages/sent-mail.ts";
import type { Hub } from "../../../hub.ts";
import { recallOf, writingOf } from "../present/mail.ts";
import { sendTo } from "./send-to.ts";

/** A direct message goes to the one person whom it is for. */
export async function write(hub: Hub, channel: number, { mail: id, answers }: DeedOf<"write">): Promise<void> {
  const found = await findSentMail(hub, id);
  if (!found) return;
  const { mail } = found;
  const deed = { deed: `create ${mail.mid}`, objectId: mail.mid, stage: "first" } as const;
  await sendTo(hub, channel, mail.to_xchan, deed, (nick, { actor, address }) =>
    writingOf(hub, { nick, mail, person: actor, address, answers }),
  );
}

/** They hear that it was taken back, if it ever went to them. */
export async function recall(hub: Hub, channel: number, { mid, person }: DeedOf<"recall">): Promise<void> {
  const deed = { deed: `delete ${mid}`, objectId: mid, stage: "last" } as const;
  await sendTo(hub, channel, person, deed, (nick, { actor }) => recallOf(hub, nick, mid, actor));
}
