import { displayUrl } from "../items/links.ts";
import type { Item, ItemPage, Meta } from "../items/types.ts";
import { termRecord } from "./term.ts";

/** The item record of native contract 2.8: its 73 fields in the order of the table, and `summary`, `term` and `iconfig` where there are any. */
export function itemRecord(item: Item, page: ItemPage, baseUrl: string): object {
  const terms = page.terms.get(item.message_id);
  const meta = page.meta.get(item.message_id);
  const record = {
    id: String(item.id),
    mid: item.mid,
    aid: String(item.aid),
    uid: String(item.uid),
    parent: String(item.parent),
    parent_mid: item.parent_mid,
    thr_parent: item.thr_parent,
    created: item.created,
    edited: item.edited,
    expires: item.expires,
    commented: item.commented,
    received: item.received,
    changed: item.changed,
    comments_closed: item.comments_closed,
    owner_xchan: hashOf(page, item.owner_id),
    author_xchan: hashOf(page, item.author_id),
    source_xchan: hashOf(page, item.source_id),
    mimetype: item.mimetype,
    title: item.title,
    ...(item.summary !== "" && { summary: item.summary }),
    body: item.body,
    html: item.html,
    app: item.app,
    lang: item.lang,
    revision: String(item.revision),
    verb: item.verb,
    obj_type: item.obj_type,
    obj: item.obj,
    tgt_type: item.tgt_type,
    target: item.target,
    layout_mid: item.layout_mid,
    postopts: item.postopts,
    route: item.route,
    llink: displayUrl(baseUrl, item.mid),
    plink: item.plink,
    resource_id: item.resource_id,
    resource_type: item.resource_type,
    attach: item.attach,
    sig: item.sig,
    fed_meta: item.fed_meta,
    location: item.location,
    coord: item.coord,
    public_policy: item.public_policy,
    comment_policy: item.comment_policy,
    allow_cid: item.allow_cid,
    allow_gid: item.allow_gid,
    deny_cid: item.deny_cid,
    deny_gid: item.deny_gid,
    item_restrict: "0",
    item_flags: "0",
    item_private: String(item.item_private),
    item_origin: String(item.item_origin),
    item_unseen: String(item.item_unseen),
    item_starred: String(item.item_starred),
    item_uplink: String(item.item_uplink),
    item_consensus: String(item.item_consensus),
    item_wall: String(item.item_wall),
    item_thread_top: String(item.item_thread_top),
    item_notshown: String(item.item_notshown),
    item_nsfw: String(item.item_nsfw),
    item_relay: String(item.item_relay),
    item_mentionsme: String(item.item_mentionsme),
    item_nocomment: String(item.item_nocomment),
    item_obscured: "0",
    item_verified: String(item.item_verified),
    item_retained: String(item.item_retained),
    item_rss: String(item.item_rss),
    item_deleted: String(item.item_deleted),
    item_type: String(item.item_kind || item.item_type),
    item_hidden: String(item.item_hidden),
    item_unpublished: String(item.item_unpublished),
    item_delayed: String(item.item_delayed),
    item_pending_remove: String(item.item_pending_remove),
    item_blocked: String(item.item_blocked),
  };
  return {
    ...record,
    ...(terms && { term: terms.map((term) => termRecord(term, { aid: item.aid, uid: item.uid, oid: item.id })) }),
    ...(meta && { iconfig: meta.map((entry) => metaRecord(entry, item)) }),
  };
}

function hashOf(page: ItemPage, xchanId: number): string {
  return page.xchans.get(xchanId)?.xchan_hash ?? "";
}

/** Native contract 2.11. */
function metaRecord(entry: Meta, item: Item): object {
  return {
    id: String(entry.id),
    iid: String(item.id),
    cat: entry.cat,
    k: entry.k,
    v: entry.v,
    sharing: String(entry.sharing),
  };
}
