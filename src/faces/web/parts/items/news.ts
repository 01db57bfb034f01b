import { currentAnnouncements } from "../../../../domain/announcements/announcements.ts";
import type { Announcement } from "../../../../domain/announcements/announcements.ts";
import { countRequests } from "../../../../domain/connections/connections.ts";
import { countUnseenMessages } from "../../../../domain/messages/messages.ts";
import { countUnseen } from "../../../../domain/notifications/notices.ts";
import type { Hub } from "../../../../hub.ts";
import type { PageContext } from "../../page.ts";

/** What waits for the member; `messages` are direct threads, too. */
export type News = { notices: number; requests: number; messages: number; announcements: readonly Announcement[] };

/** Counts what waits for the member; nothing does for visitors. */
export async function loadNews({ hub, member }: PageContext): Promise<News> {
  return member ? countNews(hub, member.channel.channel_id) : noNews;
}

/** The same for a channel of which no more is known. */
export async function countNews(hub: Hub, channel_id: number): Promise<News> {
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
