import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { inheritedScope } from "../items/audience.ts";
import type { Scope } from "../items/audience.ts";
import { prepareContent } from "../items/content.ts";
import { messageOf } from "../items/message.ts";
import { loadItem, saveItem, saveMessage } from "../items/save.ts";
import type { Draft } from "../items/types.ts";
import type { Wiki } from "./wiki-types.ts";

type Row = {
  draft: Draft;
  meta: Record<string, Record<string, string>>;
  scope: Scope;
  wiki: Pick<Wiki, "uid" | "aid" | "owner_id">;
  flags: { item_hidden?: number; item_unpublished?: number };
  revision?: number;
};

/** Stores one row of the wiki's channel: the wiki itself, or a version of a page. Answers its id. */
export async function saveWikiRow(hub: Hub, author: Channel, row: Row): Promise<number> {
  const { draft, meta, scope, wiki, flags, revision = 0 } = row;
  const content = await prepareContent(hub, author, draft);
  const entries = Object.entries(meta).flatMap(([cat, values]) =>
    Object.entries(values).map(([k, v]) => ({ cat, k, v, sharing: 0, uid: wiki.uid })),
  );
  const message = await messageOf(hub, author, draft, content, "wiki");
  const saved = await saveMessage(hub, { ...message, revision, version: revision }, content.terms, entries);
  const { uid, aid, owner_id } = wiki;
  const stored = await saveItem(hub, {
    ...scope,
    ...flags,
    uid,
    aid,
    owner_id,
    message_id: saved.id,
    author_id: author.xchan_id,
    created: now(hub),
    item_wall: 1,
    item_origin: 1,
  });
  return stored!.id;
}

export type NewVersion = { name: string; body: string; revision: number; mid?: string };

/** Stores a version of a page by `author`, seen by those who see the wiki. */
export async function addVersion(hub: Hub, author: Channel, wiki: Wiki, page: NewVersion): Promise<void> {
  const { name, body, revision, mid } = page;
  const draft: Draft = {
    title: name,
    body,
    mimetype: wiki.mimetype,
    verb: revision === 0 ? "create" : "update",
    objType: "wiki",
    resourceType: "nwikipage",
    resourceId: wiki.resource_id,
    allowEmpty: true,
    verbatim: true,
    ...(mid !== undefined && { mid }),
  };
  const scope = inheritedScope(await loadItem(hub, wiki.id));
  const meta = { nwikipage: { pagetitle: name } };
  await saveWikiRow(hub, author, { draft, meta, scope, wiki, flags: { item_unpublished: 1 }, revision });
}
