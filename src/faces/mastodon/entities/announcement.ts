import { z } from "zod";
import { count, datetime, id, orNull, text, truth, words } from "./kinds.ts";

const none = (what: string) => z.array(z.never()).meta({ description: `Always empty: ${what}.`, examples: [[]] });

const AnnouncementReaction = z.strictObject({
  name: words("The emoji.", "🎉"),
  count: count("How many say it.", 3),
  me: truth("The caller says it."),
});

/** Mastodon contract 11.33. */
export const Announcement = z.strictObject({
  id: id("Id of the announcement."),
  content: text("What is said, as HTML."),
  starts_at: z.null().meta({ description: "Always null: it is about no span of time." }),
  ends_at: orNull(datetime("Date."), "Until when it is shown; null for good."),
  all_day: truth("Always false."),
  published_at: datetime("Since when it is shown."),
  updated_at: datetime("When it was changed last."),
  read: truth("The caller has dismissed it."),
  mentions: none("nobody is named"),
  statuses: none("no post is named"),
  tags: none("hashtags are words here"),
  emojis: none("emoji are characters"),
  reactions: z
    .array(AnnouncementReaction)
    .meta({ description: "What people say to it, the first first.", examples: [[]] }),
});
