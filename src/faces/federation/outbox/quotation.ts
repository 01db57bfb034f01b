import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { approvalId } from "../ids.ts";
import { quoteAnswerOf, revocationOf } from "../present/quotation.ts";
import { sendTo } from "./send-to.ts";

/** Somebody of elsewhere hears whether they may quote something. */
export function quoted(hub: Hub, channel: number, answer: DeedOf<"quoted">): Promise<void> {
  const { request, approval, person } = answer;
  const deed = { deed: `${approval === "" ? "reject" : "accept"} ${request}`, objectId: request };
  const digest = createHash("sha256").update(deed.deed).digest("base64url").slice(0, 22);
  return sendTo(hub, channel, person, deed, (nick, { actor }) => quoteAnswerOf(hub, nick, answer, actor, digest));
}

/** They hear that they may not any more. */
export function unquoted(hub: Hub, channel: number, { approval, person }: DeedOf<"unquoted">): Promise<void> {
  const deed = { deed: `delete ${approval}`, objectId: approvalId(hub, approval), stage: "last" } as const;
  return sendTo(hub, channel, person, deed, (nick, { actor }) => revocationOf(hub, nick, approval, actor));
}
