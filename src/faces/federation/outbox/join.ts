import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { joinAnswerOf } from "../present/join.ts";
import { sendTo } from "./send-to.ts";

/** Somebody of elsewhere hears whether they may come to an event. */
export function joined(hub: Hub, channel: number, answer: DeedOf<"joined">): Promise<void> {
  const deed = { deed: `${answer.accepted ? "accept" : "reject"} ${answer.join}`, objectId: answer.join };
  const digest = createHash("sha256").update(deed.deed).digest("base64url").slice(0, 22);
  return sendTo(hub, channel, answer.person, deed, (nick, { actor }) => joinAnswerOf(hub, nick, answer, actor, digest));
}
