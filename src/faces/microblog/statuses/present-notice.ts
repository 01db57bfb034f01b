import { escapeHtml } from "../../../domain/bodies/escape.ts";
import { personalise } from "../../../domain/bodies/personalise.ts";
import type { LaidOutNotice } from "../../../domain/notifications/laid-out.ts";
import { storedMoment } from "../../../http/dates.ts";
import { ago } from "./present-ago.ts";

/** Notices with the top of the thread of each item that is still there, by the item's id. */
export type ShownNotices = { notices: LaidOutNotice[]; threads: ReadonlyMap<number, number>; now: Date };

export type NoticeRecord = Record<string, string | number>;

/** Microblog contract 7.7. */
export function presentNotices({ notices, threads, now }: ShownNotices): NoticeRecord[] {
  return notices.map((notice) => presentNotice(notice, threads.get(notice.item_id), now));
}

function presentNotice(notice: LaidOutNotice, thread: number | undefined, now: Date): NoticeRecord {
  const { plain } = notice;
  const moment = storedMoment(notice.created).getTime();
  return {
    id: notice.id,
    type: notice.ntype,
    name: notice.xname,
    url: notice.url,
    photo: notice.photo,
    date: notice.created,
    timestamp: moment / 1000,
    date_rel: ago((now.getTime() - moment) / 1000),
    msg: notice.msg,
    msg_html: personalise(notice.html, undefined),
    msg_plain: plain.split("\n", 1)[0]!,
    link: notice.link,
    seen: notice.seen,
    iid: thread === undefined ? 0 : notice.item_id,
    parent: thread ?? 0,
    otype: notice.otype,
    verb: notice.verb,
    uid: notice.uid,
    name_cache: escapeHtml(notice.xname),
    msg_cache: withoutName(plain, notice.xname),
    hash: notice.hash,
  };
}

/** The sentence with `{0}` in the name's place; names stand in sentences without their brackets. */
function withoutName(sentence: string, name: string): string {
  const written = name.replace(/[[\]]/g, "");
  // A function, because a name may hold what means something in a replacement.
  return written === "" ? sentence : sentence.replace(written, () => "{0}");
}
