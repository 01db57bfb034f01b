import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { answerOf, followOf, unfollowOf } from "../present/follow.ts";
import { sendTo } from "./send-to.ts";

/** Whom channels follow elsewhere, and who may follow them (federation contract 1.5). */

export function follow(hub: Hub, channel: number, { follow, person, stamp }: DeedOf<"follow">): Promise<void> {
  const deed = { deed: named("follow", follow, stamp), objectId: follow, ...(!stamp && { stage: "first" as const }) };
  return sendTo(hub, channel, person, deed, (nick, { actor }) => followOf(hub, { nick, follow, person: actor }));
}

export function unfollow(hub: Hub, channel: number, { follow, person, stamp }: DeedOf<"unfollow">): Promise<void> {
  const deed = { deed: named("undo", follow, stamp), objectId: follow, ...(!stamp && { stage: "last" as const }) };
  return sendTo(hub, channel, person, deed, (nick, { actor }) => unfollowOf(hub, { nick, follow, person: actor }));
}

function named(name: string, follow: string, stamp?: string): string {
  return [name, follow, ...(stamp === undefined ? [] : [stamp])].join(" ");
}

export function accept(hub: Hub, channel: number, { follow, person, stamp, post }: DeedOf<"accept">): Promise<void> {
  return answer(hub, channel, "Accept", { follow, person, stamp, post });
}

export function reject(hub: Hub, channel: number, { follow, person, stamp }: DeedOf<"reject">): Promise<void> {
  return answer(hub, channel, "Reject", { follow, person, stamp });
}

type Answer = { follow: string; person: string; stamp: string; post?: string | undefined };

/** A follow may come again with the same id, and wants an answer again. */
function answer(
  hub: Hub,
  channel: number,
  type: "Accept" | "Reject",
  { follow, person, stamp, post }: Answer,
): Promise<void> {
  const deed = { deed: `${type.toLowerCase()} ${follow} ${stamp}`, objectId: follow };
  const digest = createHash("sha256").update(deed.deed).digest("base64url").slice(0, 22);
  return sendTo(hub, channel, person, deed, (nick, { actor }) =>
    answerOf(hub, type, { nick, follow, person: actor, post }, digest),
  );
}
