import { createHash } from "node:crypto";
import type { DeedOf } from "../../../deeds.ts";
import type { Hub } from "../../../hub.ts";
import { observerOf } from "../../../domain/identity/channels/observer.ts";
import { addressedElsewhere } from "../../../domain/items/delivery/elsewhere.ts";
import type { Interaction } from "../../../domain/items/approvals.ts";
import { findToSend } from "../../../domain/items/timelines/written-here.ts";
import { approvalId, itemId, objectId } from "../ids.ts";
import { activityOf } from "../present/activity.ts";
import { requestOf, revocationOf, verdictOf } from "../present/consent.ts";
import { renderSaid } from "../said.ts";
import { sendTo } from "./send-to.ts";

/** The author of elsewhere is asked whether a post may quote theirs. */
export function quote(hub: Hub, _channel: number, { message }: DeedOf<"quote">): Promise<void> {
  return request(hub, message, "quote");
}

/** The same of an answer, a like or a share. */
export function ask(hub: Hub, _channel: number, { message, kind }: DeedOf<"ask">): Promise<void> {
  return request(hub, message, kind);
}

async function request(hub: Hub, message: number, kind: Interaction): Promise<void> {
  const found = await findToSend(hub, message);
  if (!found) return;
  const { author, item } = found;
  const written = await found.written(await addressedElsewhere(hub, author, item));
  const target = kind === "quote" || kind === "share" ? written.shared : written.parent;
  const said = await renderSaid(hub, observerOf(author), written);
  const instrument = said?.([]) ?? activityOf(hub, [], written, undefined);
  if (!target || target.nick !== null || !instrument) return;
  const { uuid } = item;
  const about = objectId(hub, target);
  const deed = { deed: `${kind} ${uuid} ${about}`, objectId: itemId(hub, uuid) };
  const asked = { uuid, kind, about, stamp: digest(about) };
  await sendTo(hub, author.channel_id, target.author.xchan_hash, deed, (nick, { actor }) =>
    requestOf(hub, nick, asked, actor, instrument),
  );
}

/** Somebody of elsewhere hears whether they may quote something. */
export function quoted(hub: Hub, channel: number, answer: DeedOf<"quoted">): Promise<void> {
  const { quoting: act, approval } = answer;
  return tell(hub, channel, answer.person, { ...answer, kind: "quote", act, accepted: approval !== "" });
}

/** Somebody of elsewhere hears whether what they said or did may stand. */
export function answered(hub: Hub, channel: number, answer: DeedOf<"answered">): Promise<void> {
  return tell(hub, channel, answer.person, answer);
}

function tell(hub: Hub, channel: number, person: string, verdict: Parameters<typeof verdictOf>[2]): Promise<void> {
  const { request, act, accepted } = verdict;
  const about = request || act;
  const deed = { deed: `${accepted ? "accept" : "reject"} ${about}`, objectId: about };
  return sendTo(hub, channel, person, deed, (nick, { actor }) =>
    verdictOf(hub, nick, verdict, actor, digest(deed.deed)),
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
