import { currentAnnouncements } from "../../../../domain/announcements/announcements.ts";
import type { Announcement } from "../../../../domain/announcements/announcements.ts";
import { countRequests } from "../../../../domain/connections/connections.ts";
import { countUnseenMessages } from "../../../../domain/messages/messages.ts";
import { countUnseen } from "../../../../domain/notifications/notices.ts";
import type { PageContext } from "../../page.ts";

/** What waits for the member; `messages` are direct threads, too. */
export type News = { notices: number; requests: number; messages: number; announcements: readonly Announcement[] };

/** Counts what waits for the member; nothing does for visitors. */
export async function loadNews({ hub, member }: PageContext): Promise<News> {
  if (!member) return noNews;
  const { channel_id } = member.channel;
  const [notices, requests, messages, announcements] = await Promise.all([
    countUnseen(hub, channel_id),
    countRequests(hub, channel_id),
    countUnseenMessages(hub, channel_id),
    currentAnnouncements(hub, channel_id),
  ]);
  return { notices, requests, messages, announcements };
}

/** For pages that nobody waits on. */
export const noNews: News = { notices: 0, requests: 0, messages: 0, announcements: [] };
