import type { z } from "zod";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { formerPoll } from "../../../domain/items/history.ts";
import type { FormerVersion } from "../../../domain/items/history.ts";
import { pollOf } from "../../../domain/items/poll.ts";
import type { KnownMedia } from "../../../domain/items/timelines/known-media.ts";
import type { StatusEdit } from "../entities/status.ts";
import { presentAccount } from "./account.ts";
import { datetime } from "./dates.ts";
import { emojiIn } from "./emoji.ts";
import { presentMedia } from "./media.ts";
import { contentOf, quoteOf } from "./status.ts";
import type { Sheet } from "./sheet.ts";

/** What a status said before an edit, and its files; what they show is said by its own text. */
export type Former = FormerVersion & { media: KnownMedia };

/** Mastodon contract 11.10: what the status of the sheet said, or without a former version what it says. */
export function presentEdit(sheet: Sheet, former?: Former): z.infer<typeof StatusEdit> {
  const [now] = sheet.page.items as [Sheet["page"]["items"][number]];
  const details = sheet.page.details.get(now.id)!;
  const item = former ? { ...now, ...former } : now;
  const html = personalise(item.html, undefined);
  const poll = former ? formerPoll(former, details) : pollOf(details);
  return {
    content: contentOf(sheet, item, html),
    spoiler_text: item.summary,
    sensitive: item.item_nsfw === 1,
    created_at: datetime(former ? former.written : details.edited),
    account: presentAccount(sheet.accounts, now.author_id),
    ...(poll && { poll: { options: poll.options.map(({ name }) => ({ title: name })) } }),
    media_attachments: presentMedia(sheet.hub, former?.media ?? sheet.page.media, item, html, sheet.channelId),
    emojis: emojiIn(html),
    ...(!former && { quote: quoteOf(sheet, now) }),
  };
}
