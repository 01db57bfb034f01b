import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import type { Xchan } from "../identity/xchans/xchans.ts";
import { markSeenFrom, noticeTypes, notify } from "../notifications/notices.ts";
import { findRow } from "./rows.ts";

const verb = "http://activitystrea.ms/schema/1.0/make-friend";

/** Tells `to` that `from` asks for a connection. */
export async function notifyIntroduction(hub: Hub, to: Channel, from: Channel): Promise<void> {
  await tell(hub, to, from, noticeTypes.introduction, requestsLink(hub), "would like to connect with you");
}

/** The request of that identity does not wait any more: what told `uid` of it counts as seen. */
export async function settleIntroduction(hub: Hub, uid: number, hash: string): Promise<void> {
  await markSeenFrom(hub, uid, hash, requestsLink(hub));
}

function requestsLink({ config }: Hub): string {
  return `${config.baseUrl}/connections/ifpending`;
}

/** Tells `to`, who approves everybody, that `from` is a new connection. */
export async function notifyNewFollower(hub: Hub, to: Channel, from: Channel): Promise<void> {
  await tell(hub, to, from, noticeTypes.introduction, await linkTo(hub, to, from), "has connected with you");
}

/** Tells `to` that `by` has accepted the connection. */
export async function notifyConfirmed(hub: Hub, to: Channel, by: Channel): Promise<void> {
  await tell(hub, to, by, noticeTypes.confirmed, await linkTo(hub, to, by), "has confirmed the connection with you");
}

async function tell(hub: Hub, to: Channel, by: Channel, type: number, link: string, words: string): Promise<void> {
  const from = (await findXchan(hub, { id: by.xchan_id }))!;
  await notify(hub, { to, from, type, link, verb, otype: "intro", msg: `${person(from)} ${words}` });
}

async function linkTo(hub: Hub, owner: Channel, other: Channel): Promise<string> {
  const row = await findRow(hub, owner.channel_id, other.channel_hash);
  return `${hub.config.baseUrl}/connedit/${row!.abook_id}`;
}

function person(xchan: Xchan): string {
  return `[zrl=${xchan.xchan_url}]${xchan.xchan_name.replace(/[[\]]/g, "")}[/zrl]`;
}
