import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import { approvalId, itemId, objectId } from "../ids.ts";
import { quoteAnswerOf, quoteRequestOf, revocationOf } from "../present/quotation.ts";
import { renderSaid } from "../said.ts";
import { sendTo } from "./send-to.ts";

/** The author of elsewhere is asked whether a post may quote theirs. */
export async function quote(hub: Hub, _channel: number, { message }: DeedOf<"quote">): Promise<void> {
  const found = await findToSend(hub, message);
  const shared = found?.written.shared;
  const said = found && (await renderSaid(hub, observerOf(found.author), found.written));
  if (!shared || !said || shared.nick !== null) return;
  const { uuid } = found.written.item;
  const quoted = objectId(hub, shared);
  const deed = { deed: `quote ${uuid} ${quoted}`, objectId: itemId(hub, uuid) };
  const asked = { uuid, quoted, stamp: digest(quoted) };
  await sendTo(hub, found.author.channel_id, shared.author.xchan_hash, deed, (nick, { actor }) =>
    quoteRequestOf(hub, nick, asked, actor, said([])),
  );
}

/** Somebody of elsewhere hears whether they may quote something. */
export function quoted(hub: Hub, channel: number, answer: DeedOf<"quoted">): Promise<void> {
  const { request, approval, person } = answer;
  const deed = { deed: `${approval === "" ? "reject" : "accept"} ${request}`, objectId: request };
  return sendTo(hub, channel, person, deed, (nick, { actor }) =>
    quoteAnswerOf(hub, nick, answer, actor, digest(deed.deed)),
  );
}

/** They hear that they may not any more. */
export function unquoted(hub: Hub, channel: number, { approval, person }: DeedOf<"unquoted">): Promise<void> {
  const deed = { deed: `delete ${approval}`, objectId: approvalId(hub, approval), stage: "last" } as const;
  return sendTo(hub, channel, person, deed, (nick, { actor }) => revocationOf(hub, nick, approval, actor));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
