import { randomBytes } from "node:crypto";
import { HubError } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channel.ts";
import type { Channel } from "../identity/channel.ts";
import { defaultAudience, checkAudience, inheritedScope, scopeOf, scopeWord } from "../items/audience.ts";
import type { Scope } from "../items/audience.ts";
import { prepareContent } from "../items/content.ts";
import { limitsOf } from "../items/limits.ts";
import { messageOf } from "../items/message.ts";
import { announce } from "../items/post.ts";
import { loadItem, saveItem, saveMessage } from "../items/save.ts";
import { countStatus } from "../items/status-count.ts";
import type { Audience, Draft } from "../items/types.ts";
import { bodyMimetypes } from "../bodies/mimetypes.ts";
import { mayWriteWiki } from "./may-write.ts";
import { lockWiki } from "./queries.ts";
import { findWiki, listWikis, wikiPage } from "./wikis.ts";
import { home } from "./wiki-types.ts";
import type { Wiki, WikiVersion } from "./wiki-types.ts";
import { wikiName } from "./wiki-name.ts";

export type WikiDraft = {
  name: string;
  /** Content type of its pages. */
  mimetype: string;
  audience?: Audience;
  /** Tell the connections about it; otherwise only those who look for it find it. */
  announced: boolean;
};

/** Makes a wiki of the channel with an empty page Home. Throws denied, invalid, conflict for a name it has already. */
export async function createWiki(hub: Hub, channel: Channel, draft: WikiDraft): Promise<Wiki> {
  return inTransaction(hub, async (hub) => {
    if (!(await mayWriteWiki(hub, channel, channel))) throw denied();
    if (!bodyMimetypes.includes(draft.mimetype))
      throw new HubError("invalid", "Unknown content type.", { field: "mimetype" });
    const name = wikiName(draft.name, "name");
    await refuseTakenWikiName(hub, channel, name);
    const limits = await limitsOf(hub, channel.channel_id);
    const audience = draft.audience ? await checkAudience(hub, channel, draft.audience) : defaultAudience(channel);
    const scope = scopeOf(audience, "public", scopeWord(hub, limits.post_comments));
    const resourceId = randomBytes(32).toString("hex");
    const body = `[zrl=${wikiUrl(hub, channel, name)}]${name.replace(/[[\]]/g, "")}[/zrl]`;
    const item = await loadItem(
      hub,
      await saveRow(hub, channel, {
        draft: { title: name, body, verb: "create", objType: "wiki", resourceType: "nwiki", resourceId },
        meta: { wiki: { rawName: name, mimeType: draft.mimetype } },
        scope,
        wiki: { uid: channel.channel_id, aid: channel.channel_account_id, owner_id: channel.xchan_id },
        flags: { item_hidden: draft.announced ? 0 : 1 },
      }),
    );
    if (draft.announced) {
      await countStatus(hub, item, 1);
      await announce(hub, channel, item);
    }
    const wiki = await findWiki(hub, observerOf(channel), channel, name);
    await addVersion(hub, channel, wiki, { name: home, body: "", revision: 0 });
    return wiki;
  });
}

/** A name that the channel's other wikis do not have. Throws conflict. */
export async function refuseTakenWikiName(hub: Hub, channel: Channel, name: string, own = 0): Promise<void> {
  const taken = (await listWikis(hub, observerOf(channel), channel)).find((wiki) => wiki.name === name);
  if (taken && taken.id !== own)
    throw new HubError("conflict", "There is a wiki of that name already.", { field: "name" });
}

export type WikiEdit = {
  name: string;
  body: string;
  /** The revision that the author had read; undefined for a page that did not exist. */
  base: number | undefined;
};

/**
 * Saves a page of a wiki as a new version by `author`. Throws denied without `write_wiki`, missing when the author may not
 * see the wiki, conflict (reason `changed_meanwhile`) when somebody else saved it since `base`, invalid.
 */
export async function saveWikiPage(
  hub: Hub,
  author: Channel,
  owner: Channel,
  wikiNamed: string,
  edit: WikiEdit,
): Promise<WikiVersion> {
  return inTransaction(hub, async (hub) => {
    const observer = observerOf(author);
    const wiki = await findWiki(hub, observer, owner, wikiNamed);
    if (!(await mayWriteWiki(hub, author, owner))) throw denied();
    await lockWiki(hub, wiki.id);
    const current = await currentPage(hub, author, wiki, edit.name);
    if (current?.revision !== edit.base)
      throw new HubError("conflict", "Somebody else has saved this page since you opened it.", {
        reason: "changed_meanwhile",
        field: "body",
      });
    const name = current?.name ?? wikiName(edit.name, "page");
    const revision = (current?.revision ?? -1) + 1;
    await addVersion(hub, author, wiki, { name, body: edit.body, revision, ...(current && { mid: current.mid }) });
    return (await wikiPage(hub, observer, wiki, name))!;
  });
}

/** Saves a page of a wiki as it was at an earlier revision, as a new version. Throws as saveWikiPage does. */
export async function revertWikiPage(
  hub: Hub,
  author: Channel,
  owner: Channel,
  wikiNamed: string,
  { name, revision, base }: { name: string; revision: number; base: number },
): Promise<WikiVersion> {
  return inTransaction(hub, async (hub) => {
    const wiki = await findWiki(hub, observerOf(author), owner, wikiNamed);
    const former = await wikiPage(hub, observerOf(author), wiki, name, revision);
    return saveWikiPage(hub, author, owner, wikiNamed, { name, body: former!.body, base });
  });
}

async function currentPage(hub: Hub, author: Channel, wiki: Wiki, name: string): Promise<WikiVersion | undefined> {
  try {
    return await wikiPage(hub, observerOf(author), wiki, name);
  } catch (error) {
    if (error instanceof HubError && error.kind === "missing") return undefined;
    throw error;
  }
}

type Version = { name: string; body: string; revision: number; mid?: string };

async function addVersion(hub: Hub, author: Channel, wiki: Wiki, page: Version): Promise<void> {
  const { name, body, revision, mid } = page;
  await saveRow(hub, author, {
    draft: {
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
    },
    meta: { nwikipage: { pagetitle: name } },
    scope: inheritedScope(await loadItem(hub, wiki.id)),
    wiki,
    flags: { item_unpublished: 1 },
    revision,
  });
}

type Row = {
  draft: Draft;
  meta: Record<string, Record<string, string>>;
  scope: Scope;
  wiki: Pick<Wiki, "uid" | "aid" | "owner_id">;
  flags: { item_hidden?: number; item_unpublished?: number };
  revision?: number;
};

/** One row of the wiki's channel: the wiki itself, or a version of a page. */
async function saveRow(hub: Hub, author: Channel, row: Row): Promise<number> {
  const { draft, meta, scope, wiki, flags, revision = 0 } = row;
  const content = await prepareContent(hub, author, draft);
  const entries = Object.entries(meta).flatMap(([cat, values]) =>
    Object.entries(values).map(([k, v]) => ({ cat, k, v, sharing: 0, uid: wiki.uid })),
  );
  const message = await messageOf(hub, author, draft, content, "wiki");
  const saved = await saveMessage(hub, { ...message, revision, version: revision }, content.terms, entries);
  const { uid, aid, owner_id } = wiki;
  const id = await saveItem(hub, {
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
  return id!;
}

/** The address of a wiki (native contract 8.1). */
export function wikiUrl(hub: Hub, channel: Pick<Channel, "channel_address">, name: string): string {
  return `${hub.config.baseUrl}/wiki/${channel.channel_address}/${encodeURIComponent(name)}`;
}

function denied(): HubError {
  return new HubError("denied", "permission denied");
}
