import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { dropNoticesOf, noticeTypes, notify } from "../notifications/notices.ts";
import type { Notice } from "../notifications/notices.ts";
import { personLink } from "../items/links.ts";

const verb = "http://activitystrea.ms/schema/1.0/post";

/** Tells the recipient about a message; what it says is not in the notice. */
export async function notifyMessage(hub: Hub, from: Channel, to: Channel, id: number): Promise<void> {
  const sender = (await findXchan(hub, { id: from.xchan_id }))!;
  await notify(hub, {
    to,
    from: sender,
    type: noticeTypes.mail,
    link: noticeLink(hub, id),
    verb,
    otype: "mail",
    msg: `${personLink(sender)} sent you a message`,
  });
}

/** Whoever has a message no more needs no notice of it. */
export async function forgetNotices(hub: Hub, uid: number, ids: readonly number[]): Promise<void> {
  await dropNoticesOf(
    hub,
    uid,
    ids.map((id) => noticeLink(hub, id)),
  );
}

/** The id of the message that a notice is about; 0 when it is about something else. */
export function mailOf(hub: Hub, { link, otype }: Pick<Notice, "link" | "otype">): number {
  const start = noticeLink(hub, "");
  return otype === "mail" && link.startsWith(start) ? Number(link.slice(start.length)) : 0;
}

/** Where a notice of a message leads. */
export function noticeLink(hub: Hub, id: number | ""): string {
  return `${hub.config.baseUrl}/mail/${id}`;
}
