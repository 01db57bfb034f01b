import { callerOfSession } from "../../../domain/identity/accounts/sessions.ts";
import { findUnseenStory } from "../../../domain/items/timelines/notice-groups.ts";
import { localLink } from "../../../domain/items/links.ts";
import { noticeWords } from "../../../domain/portable/notice-sentence.ts";
import type { ComposePush } from "../../../domain/push/deliver-push.ts";
import { chooseLanguage } from "../languages/choose-language.ts";
import { plainNoticeSentence, quotedWords } from "../parts/items/notice-sentence.ts";
import { shorten } from "../parts/shorten.ts";

const longestTitle = 160;
/** What somebody waits for more than for other things. */
const urgent: ReadonlySet<string> = new Set(["mention", "mail", "request"]);

/**
 * What a browser shows of a notice (assets/service-worker.js): the sentence and the words of the page, made with its conditions. Private
 * messages are not quoted, because it may be seen by whoever is near.
 */
export const composeForBrowser: ComposePush = async (hub, device, notice) => {
  const caller = await callerOfSession(hub, device.session);
  if (caller?.channel.channel_id !== device.uid) return undefined;
  const { account, channel } = caller;
  const group = await findUnseenStory(hub, channel, notice);
  if (!group) return undefined;
  const { say, tag: lang, direction: dir } = chooseLanguage(hub, account.account_language, device.language);
  const { newest, first, unseen, key, said, about } = group;
  const { link, parent } = noticeWords(hub.config.baseUrl, newest);
  const text = {
    title: shorten(plainNoticeSentence(say, group, channel.xchan_id), longestTitle),
    body: quotedWords(said) || quotedWords(about),
    lang,
    dir,
    tag: key,
    // A page that shows the whole thread shows what was said there, too.
    places: [link, ...(parent === "" ? [] : [localLink(hub, parent)])],
    // What no list shows cannot be marked as seen, so it is gone to straight.
    href: unseen > 0 ? `${hub.config.baseUrl}/notify/view/${first}` : link,
  };
  return { urgent: urgent.has(newest.kind), text: JSON.stringify(text) };
};
