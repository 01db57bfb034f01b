import type { Notice } from "../notifications/stored.ts";
import { noticeWords } from "./notice-sentence.ts";

/**
 * The record of a notice with what outlives the ids of this hub: its kind, the hash of who did it, how often, and the mid
 * of what it is about.
 */
export function noticeRecord(notice: Notice, aid: number, baseUrl: string, mid: string): Record<string, string> {
  const { xname, url, photo, msg, link, parent, ntype, verb, otype } = noticeWords(baseUrl, notice);
  return {
    id: String(notice.id),
    hash: notice.hash,
    xname,
    url,
    photo,
    created: notice.created,
    msg,
    aid: String(aid),
    uid: String(notice.uid),
    link,
    parent,
    seen: String(notice.seen),
    ntype: String(ntype),
    verb,
    otype,
    message_id: mid,
    ...(notice.kind !== "worded" && { kind: notice.kind, actor: notice.actor.hash, count: String(notice.count) }),
  };
}
