import type { FullItem, StreamItem } from "../items/columns.ts";
import type { ItemPage, Meta, Term } from "../items/types.ts";
import { zeroDate } from "../../storage/sql.ts";
import { displayUrl } from "../items/links.ts";
import { shortXchan } from "./xchan.ts";

/** Names of the term types that leave the hub; the full form has the owner's own as well. */
const shared: Readonly<Record<number, string>> = {
  0: "unknown",
  1: "hashtag",
  2: "mention",
  3: "category",
  8: "bookmark",
  10: "communitytag",
  11: "forum",
};
const all: Readonly<Record<number, string>> = { ...shared, 4: "private_category", 5: "file" };

type Form = "short" | "full";

/**
 * The items in the short portable form, in their order, as a JSON array: most of it are their people, so each is
 * written once.
 */
export function shortItems(page: ItemPage<StreamItem>, baseUrl: string): string {
  const people = new Map<number, string>();
  for (const [id, xchan] of page.xchans) people.set(id, JSON.stringify(shortXchan(xchan)));
  const items = page.items.map((item) => {
    const persons = `"owner":${people.get(item.owner_id)},"author":${people.get(item.author_id)}`;
    const [before, after] = [JSON.stringify(content(item)), JSON.stringify(about(item, page, baseUrl, "short"))];
    return `${before.slice(0, -1)},${persons},${after.slice(1)}`;
  });
  return `[${items.join(",")}]`;
}

/** The items in the full portable form, in their order. */
export function fullItems(page: ItemPage<FullItem>, baseUrl: string): object[] {
  const person = (id: number): object => shortXchan(page.xchans.get(id)!);
  return page.items.map((item) => ({
    ...content(item),
    owner: person(item.owner_id),
    author: person(item.author_id),
    ...about(item, page, baseUrl, "full"),
    ...fullFields(item),
  }));
}

/** The fields before the people. */
function content(item: StreamItem): object {
  return {
    type: "activity",
    encoding: "zot",
    message_id: item.mid,
    message_top: item.parent_mid,
    message_parent: item.thr_parent,
    created: item.created,
    edited: item.edited,
    expires: item.expires === zeroDate ? "0000-00-00 00:00:00" : item.expires,
    commented: item.commented,
    mimetype: item.mimetype,
    title: item.title,
    ...(item.summary !== "" && { summary: item.summary }),
    body: item.body,
    app: item.app,
    verb: item.verb,
    object_type: item.obj_type,
    target_type: item.tgt_type,
    permalink: item.plink,
    location: item.location,
    longlat: item.coord,
    signature: item.sig,
    route: item.route,
  };
}

/** The fields after them. */
function about(item: StreamItem, page: Pick<ItemPage, "terms" | "meta">, baseUrl: string, form: Form): object {
  const flags = flagsOf(item);
  const tags = tagsOf(page.terms.get(item.message_id), form);
  const meta = metaOf(page.meta.get(item.message_id), form);
  const object = parsed(item.obj);
  const target = parsed(item.target);
  const attach = parsed(item.attach);
  return {
    ...(object !== undefined && { object }),
    ...(target !== undefined && { target }),
    ...(attach !== undefined && { attach }),
    ...(flags.length > 0 && { flags }),
    ...(item.comments_closed !== zeroDate && { comments_closed: item.comments_closed }),
    public_scope: item.public_policy === "" ? "public" : item.public_policy,
    comment_scope: item.item_nocomment === 1 ? "none" : item.comment_policy,
    ...(tags.length > 0 && { tags }),
    ...(meta.length > 0 && { meta }),
    ...(item.fed_meta !== "" && { fed_meta: item.fed_meta }),
    id: String(item.id),
    parent: String(item.parent),
    uid: String(item.uid),
    llink: displayUrl(baseUrl, item.mid),
    item_unseen: String(item.item_unseen),
    item_starred: String(item.item_starred),
    item_mentionsme: String(item.item_mentionsme),
    resource_type: item.resource_type,
    resource_id: item.resource_id,
  };
}

/** What the full form has besides the short one. */
function fullFields(item: FullItem): object {
  return {
    allow_cid: item.allow_cid,
    allow_gid: item.allow_gid,
    deny_cid: item.deny_cid,
    deny_gid: item.deny_gid,
    revision: String(item.revision),
    layout_mid: item.layout_mid,
    postopts: item.postopts,
    item_origin: String(item.item_origin),
    item_uplink: String(item.item_uplink),
    item_consensus: String(item.item_consensus),
    item_wall: String(item.item_wall),
    item_thread_top: String(item.item_thread_top),
    item_notshown: String(item.item_notshown),
    item_nsfw: String(item.item_nsfw),
    item_relay: String(item.item_relay),
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
}

function flagsOf(item: StreamItem): string[] {
  const flags: string[] = [];
  if (item.item_deleted !== 0) flags.push("deleted");
  if (item.item_hidden !== 0) flags.push("hidden");
  if (item.item_notshown !== 0) flags.push("notshown");
  if (item.item_thread_top !== 0) flags.push("thread_parent");
  if (item.item_nsfw !== 0) flags.push("nsfw");
  if (item.item_consensus !== 0) flags.push("consensus");
  if (item.item_private !== 0) flags.push("private");
  return flags;
}

function tagsOf(terms: readonly Term[] | undefined, form: Form): object[] {
  if (!terms) return [];
  const names = form === "full" ? all : shared;
  return terms
    .filter((term) => names[term.ttype])
    .map((term) => ({ tag: term.term, url: term.url, type: names[term.ttype] }));
}

function metaOf(entries: readonly Meta[] | undefined, form: Form): object[] {
  if (!entries) return [];
  const shown = form === "full" ? entries : entries.filter((entry) => entry.sharing !== 0);
  return shown.map((entry) => ({ family: entry.cat, key: entry.k, value: entry.v, sharing: entry.sharing }));
}

/** Stored JSON; what cannot be read is as good as unset. */
function parsed(json: string): unknown {
  if (json === "") return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
