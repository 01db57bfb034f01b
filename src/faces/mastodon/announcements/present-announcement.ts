import type { z } from "zod";
import type { ReadAnnouncement } from "../../../domain/announcements/announcements.ts";
import type { Announcement } from "../entities/announcement.ts";
import { datetime, datetimeOrNull } from "../present/dates.ts";

/** Mastodon contract 11.33. */
export function presentAnnouncement(one: ReadAnnouncement): z.infer<typeof Announcement> {
  return {
    id: String(one.id),
    content: one.html,
    starts_at: null,
    ends_at: datetimeOrNull(one.ends),
    all_day: false,
    published_at: datetime(one.published),
    updated_at: datetime(one.updated),
    read: one.dismissed,
    mentions: [],
    statuses: [],
    tags: [],
    emojis: [],
    reactions: one.reactions.map(({ name, count, me }) => ({ name, count, me })),
  };
}
