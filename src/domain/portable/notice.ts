import type { Notice } from "../notifications/notices.ts";

/** The record of a notice with the mid of what it is about, which outlives its link. */
export function noticeRecord(notice: Notice, mid: string): Record<string, string> {
  return {
    id: String(notice.id),
    hash: notice.hash,
    xname: notice.xname,
    url: notice.url,
    photo: notice.photo,
    created: notice.created,
    msg: notice.msg,
    aid: String(notice.aid),
    uid: String(notice.uid),
    link: notice.link,
    parent: notice.parent,
    seen: String(notice.seen),
    ntype: String(notice.ntype),
    verb: notice.verb,
    otype: notice.otype,
    message_id: mid,
  };
}
