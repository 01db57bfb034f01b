import type { Term } from "../items/types.ts";

/** What a term marks, and whose copy of it that is. */
export type Marked = { aid: number; uid: number; oid: number };

/** The record of a term. */
export function termRecord(term: Term, { aid, uid, oid }: Marked): object {
  return {
    tid: String(term.tid),
    aid: String(aid),
    uid: String(uid),
    oid: String(oid),
    otype: String(term.otype),
    ttype: String(term.ttype),
    term: term.term,
    url: term.url,
    imgurl: term.imgurl,
    term_hash: term.term_hash,
    parent_hash: term.parent_hash,
  };
}
