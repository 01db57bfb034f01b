import { escapeHtml, withoutBrackets } from "../../../domain/bodies/escape.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import type { LaidOut } from "../../../domain/bodies/texts.ts";
import type { Notice } from "../../../domain/notifications/stored.ts";
import { tellingOf, noticeWords } from "../../../domain/portable/notice-sentence.ts";
import { storedMoment } from "../../../http/dates.ts";
import { noticeText } from "./notice-text.ts";
import { ago } from "./present-ago.ts";

export type NoticeAnswers = {
  notices: Notice[];
  /** The sentences of those that are nothing else, by their ids. */
  worded: ReadonlyMap<number, LaidOut>;
  /** The top of the thread of each item that is still there, by the item's id. */
  threads: ReadonlyMap<number, number>;
  now: Date;
  baseUrl: string;
};

export type NoticeRecord = Record<string, string | number>;

/** Microblog contract 7.7. */
export function presentNotices(shown: NoticeAnswers): NoticeRecord[] {
  return shown.notices.map((notice) => presentNotice(notice, shown));
}

function presentNotice(notice: Notice, { worded, threads, now, baseUrl }: NoticeAnswers): NoticeRecord {
  const words = noticeWords(baseUrl, notice);
  const { html, plain } =
    notice.kind === "worded"
      ? worded.get(notice.id)!
      : noticeText(baseUrl, notice.actor, tellingOf(notice), words.link);
  const thread = threads.get(notice.item_id);
  const moment = storedMoment(notice.created).getTime();
  return {
    id: notice.id,
    type: words.ntype,
    name: words.xname,
    url: words.url,
    photo: words.photo,
    date: notice.created,
    timestamp: moment / 1000,
    date_rel: ago((now.getTime() - moment) / 1000),
    msg: words.msg,
    msg_html: personalise(html, undefined),
    msg_plain: plain.replace(/\n[^]*$/, ""),
    link: words.link,
    seen: notice.seen,
    iid: thread === undefined ? 0 : notice.item_id,
    parent: thread ?? 0,
    otype: words.otype,
    verb: words.verb,
    uid: notice.uid,
    name_cache: escapeHtml(words.xname),
    msg_cache: withoutName(plain, words.xname),
    hash: notice.hash,
  };
}

/** The sentence with `{0}` in the name's place; names stand in sentences without their brackets. */
function withoutName(sentence: string, name: string): string {
  const written = withoutBrackets(name);
  // A function, because a name may hold what means something in a replacement.
  return written === "" ? sentence : sentence.replace(written, () => "{0}");
}
