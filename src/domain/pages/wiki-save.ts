import { missing, refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { requireWriteWiki } from "./may-write.ts";
import { lockWiki } from "./queries.ts";
import { wikiName } from "./wiki-name.ts";
import { addVersion } from "./wiki-rows.ts";
import type { WikiVersion } from "./wiki-types.ts";
import { findWiki, wikiPage } from "./wikis.ts";

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
    await requireWriteWiki(hub, author, owner);
    await lockWiki(hub, wiki.id);
    const current = await wikiPage(hub, observerOf(author), wiki, edit.name);
    if (current?.revision !== edit.base) throw refusal("changed_meanwhile");
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
    if (!former) throw missing("Page");
    return saveWikiPage(hub, author, owner, wikiNamed, { name, body: former.body, base });
  });
}
