import type { z } from "zod";
import { personalise } from "../../../domain/bodies/personalise.ts";
import { channelSettings } from "../../../domain/identity/channels/channel-settings.ts";
import { pollOf } from "../../../domain/items/poll.ts";
import type { Item } from "../../../domain/items/types.ts";
import { storedMoment } from "../../../http/dates.ts";
import type { ScheduledStatus } from "../entities/status.ts";
import { datetime } from "./dates.ts";
import { languageCode } from "./language.ts";
import { presentMedia } from "./media.ts";
import { quotePolicies } from "./own-account.ts";
import { isQuote } from "./quote.ts";
import type { Sheet } from "./sheet.ts";
import { visibilityOf } from "./visibility.ts";

/** Posts that wait, with their words as they were typed. */
export type Waiting = {
  items: readonly Item[];
  sheet: Sheet;
  texts: ReadonlyMap<number, string>;
  applicationId: number;
};

/** Mastodon contract 11.12. */
export function presentScheduled(
  { sheet, texts, applicationId }: Waiting,
  item: Item,
): z.infer<typeof ScheduledStatus> {
  const { hub, page, channelId } = sheet;
  const details = page.details.get(item.id)!;
  const media = presentMedia(hub, page.media, item, personalise(item.html, undefined), channelId);
  const poll = pollOf(details);
  const quoted = isQuote(item) ? page.originals.get(item.shared_id) : undefined;
  return {
    id: String(item.id),
    scheduled_at: datetime(item.created),
    params: {
      text: texts.get(item.id) ?? "",
      poll: poll
        ? {
            options: poll.options.map(({ name }) => name),
            multiple: poll.several,
            hide_totals: null,
            expires_in: poll.ends === undefined ? null : Math.max(0, secondsBetween(item.created, poll.ends)),
          }
        : null,
      media_ids: media.length > 0 ? media.map(({ id }) => id) : null,
      sensitive: item.item_nsfw === 1,
      spoiler_text: item.summary,
      visibility: visibilityOf(sheet, item, details),
      in_reply_to_id: null,
      language: languageCode(item.lang),
      application_id: applicationId,
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
      quoted_status_id: quoted ? String(quoted.id) : null,
      quote_approval_policy:
        details.quoters === undefined ? null : quotePolicies[channelSettings.quoters.read(details.quoters)],
    },
    media_attachments: media,
  };
}

function secondsBetween(start: string, end: string): number {
  return (storedMoment(end).getTime() - storedMoment(start).getTime()) / 1000;
}
