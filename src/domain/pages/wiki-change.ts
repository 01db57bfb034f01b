import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { checkAudience, scopeOf } from "../items/audience.ts";
import { renameMessages, setScope } from "../items/change-message.ts";
import { tombstoneMessages } from "../items/tombstones.ts";
import type { Audience } from "../items/types.ts";
import { versionsOf } from "../items/versions.ts";
import { requireWriteWiki } from "./may-write.ts";
import { lockWiki } from "./queries.ts";
import { postWiki, refuseTakenWikiName } from "./wiki-create.ts";
import { wikiName } from "./wiki-name.ts";
import { home } from "./wiki-types.ts";
import type { Wiki } from "./wiki-types.ts";
import { findWiki, listWikiPages, wikiPage } from "./wikis.ts";

export type WikiChanges = { name?: string; audience?: Audience; post?: boolean };

/**
 * Changes a wiki of the channel: its name, who may see it with all its pages and their old versions, and whether there
 * is a post about it, which cannot be taken back. Throws missing, conflict, invalid.
 */
export async function changeWiki(hub: Hub, owner: Channel, name: string, changes: WikiChanges): Promise<Wiki> {
  return inTransaction(hub, async (hub) => {
    const wiki = await ownWiki(hub, owner, name);
    const named = changes.name === undefined ? wiki.name : wikiName(changes.name, "name");
    if (named !== wiki.name) {
      await refuseTakenWikiName(hub, owner, named, wiki.id);
      await renameMessages(hub, wiki.uid, [wiki.message_id], { cat: "wiki", k: "rawName" }, named);
    }
    if (changes.audience) await changeScope(hub, owner, wiki, changes.audience);
    if (changes.post && wiki.item_hidden === 1) await postWiki(hub, owner, wiki);
    return findWiki(hub, observerOf(owner), owner, named);
  });
}

async function changeScope(hub: Hub, owner: Channel, wiki: Wiki, audience: Audience): Promise<void> {
  const scope = scopeOf(await checkAudience(hub, owner, audience), "public", wiki.comment_policy);
  await setScope(hub, wiki.uid, await messagesOf(hub, wiki), scope);
}

/** Gives a page of a wiki of the channel another name, old versions included. Home keeps its name. */
export async function renameWikiPage(
  hub: Hub,
  owner: Channel,
  wikiNamed: string,
  name: string,
  newName: string,
): Promise<string> {
  return inTransaction(hub, async (hub) => {
    const wiki = await ownWiki(hub, owner, wikiNamed);
    const page = await ownPage(hub, owner, wiki, name, "home_keeps_name");
    const named = wikiName(newName, "name");
    const others = await listWikiPages(hub, observerOf(owner), wiki);
    if (others.some((other) => other.name === named && other.mid !== page.mid))
      throw refusal("page_name_taken", { field: "name" });
    const messages = await messagesOf(hub, wiki, page.mid);
    await renameMessages(hub, wiki.uid, messages, { cat: "nwikipage", k: "pagetitle" }, named);
    return named;
  });
}

/** Deletes a page with all its versions. Home cannot be deleted. */
export async function deleteWikiPage(hub: Hub, owner: Channel, wikiNamed: string, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const wiki = await ownWiki(hub, owner, wikiNamed);
    const page = await ownPage(hub, owner, wiki, name, "home_stays");
    await tombstoneMessages(hub, await messagesOf(hub, wiki, page.mid));
  });
}

/** Deletes a wiki with all its pages, and what connections got of it. */
export async function deleteWiki(hub: Hub, owner: Channel, name: string): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await tombstoneMessages(hub, await messagesOf(hub, await ownWiki(hub, owner, name)));
  });
}

async function ownWiki(hub: Hub, owner: Channel, name: string): Promise<Wiki> {
  await requireWriteWiki(hub, owner, owner);
  const wiki = await findWiki(hub, observerOf(owner), owner, name);
  await lockWiki(hub, wiki.id);
  return wiki;
}

async function ownPage(hub: Hub, owner: Channel, wiki: Wiki, name: string, ofHome: "home_keeps_name" | "home_stays") {
  if (name === home) throw refusal(ofHome);
  // Only Home can be there without ever having been written.
  return (await wikiPage(hub, observerOf(owner), wiki, name))!;
}

/** The messages of a wiki with all its pages, or of all versions of one page. */
function messagesOf(hub: Hub, wiki: Wiki, mid?: string): Promise<number[]> {
  const resource_type = mid === undefined ? "nwiki" : "nwikipage";
  return versionsOf(hub, { uid: wiki.uid, mid: mid ?? wiki.mid, resource_type, resource_id: wiki.resource_id });
}
