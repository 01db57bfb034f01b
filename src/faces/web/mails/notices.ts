import { mailNotices } from "../../../domain/items/timelines/mail-notices.ts";
import type { MailedNotices } from "../../../domain/items/timelines/mail-notices.ts";
import type { NoticeGroup } from "../../../domain/items/timelines/notice-groups.ts";
import type { Mail, Part } from "../../../domain/mail/mail.ts";
import type { MailWay } from "../../../domain/notifications/mail-times.ts";
import { noticeWords } from "../../../domain/portable/notice-sentence.ts";
import type { Hub } from "../../../hub.ts";
import { chooseLanguage } from "../languages/choose-language.ts";
import type { Say } from "../languages/say.ts";
import { plainNoticeSentence, quotedWords } from "../parts/items/notice-sentence.ts";

/** Where a mail about notices is ended. */
export const unsubscribePath = "/unsubscribe";

/** Mails somebody what they wait to be told; a job. */
export async function mailNoticesInWords(hub: Hub, uid: number, way: MailWay): Promise<void> {
  await mailNotices(hub, uid, way, (told) => mailOf(hub, told));
}

function mailOf(hub: Hub, told: MailedNotices): Pick<Mail, "subject" | "parts" | "unsubscribe"> {
  const { baseUrl } = hub.config;
  const { site, channel, language, groups, more, token } = told;
  const { say } = chooseLanguage(hub, language, "");
  const unsubscribe = `${baseUrl}${unsubscribePath}/${token}`;
  return {
    subject: subjectOf(say, told),
    unsubscribe,
    parts: [
      say("mails.news", { name: channel.channel_name, site }),
      ...groups.flatMap((group) => partsOf(say, baseUrl, group, channel.xchan_id)),
      { button: say(more ? "mails.news-all" : "mails.news-on-hub"), href: `${baseUrl}/notifications` },
      { entry: say("mails.news-choose"), href: `${baseUrl}/settings/notices` },
      { entry: say("mails.news-no-more"), href: unsubscribe },
    ],
  };
}

function subjectOf(say: Say, { groups: [first, ...others], way, site, channel }: MailedNotices): string {
  if (way === "digest" || !first) return say("mails.news-subject", { site });
  const sentence = plainNoticeSentence(say, first, channel.xchan_id);
  return others.length === 0 ? sentence : say("mails.news-and-more", { sentence, count: others.length });
}

function partsOf(say: Say, baseUrl: string, group: NoticeGroup, me: number): Part[] {
  const { newest, first, said, about } = group;
  // What no list shows cannot be marked as seen, so its link goes straight to its place.
  const href = group.unseen > 0 ? `${baseUrl}/notify/view/${first}` : noticeWords(baseUrl, newest).link;
  const quotes = [quotedWords(said), quotedWords(about)].filter((words) => words !== "");
  return [{ entry: plainNoticeSentence(say, group, me), href }, ...quotes.slice(0, 1).map((quote) => ({ quote }))];
}
