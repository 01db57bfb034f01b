import { unhide } from "../items/change-message.ts";
import { randomBytes } from "node:crypto";
import { refusal } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { bodyMimetypes } from "../bodies/mimetypes.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { checkAudience, defaultAudience, scopeOf, scopeWord } from "../items/audience.ts";
import { postSettingsOf } from "../items/post-settings.ts";
import { reachOf } from "../items/delivery/recipients.ts";
import { publish } from "../items/posting/post.ts";
import { loadItem } from "../items/save.ts";
import { countStatus } from "../items/status-count.ts";
import type { Audience } from "../items/types.ts";
import { requireWriteWiki } from "./may-write.ts";
import { wikiName } from "./wiki-name.ts";
import { addVersion, saveWikiRow } from "./wiki-rows.ts";
import { home } from "./wiki-types.ts";
import type { Wiki } from "./wiki-types.ts";
import { findWiki, listWikis } from "./wikis.ts";
import { withoutBrackets } from "../bodies/escape.ts";

export type WikiDraft = {
  name: string;
  /** Content type of its pages. */
  mimetype: string;
  audience?: Audience;
  /** Post about it to its audience; otherwise only those who look for it find it. */
  posted: boolean;
};

/** Makes a wiki of the channel with an empty page Home. Throws denied, invalid, conflict for a name it has already. */
export async function createWiki(hub: Hub, channel: Channel, draft: WikiDraft): Promise<Wiki> {
  return inTransaction(hub, async (hub) => {
    await requireWriteWiki(hub, channel, channel);
    if (!bodyMimetypes.includes(draft.mimetype)) throw refusal("content_type_unknown");
    const name = wikiName(draft.name, "name");
    await refuseTakenWikiName(hub, channel, name);
    await saveWiki(hub, channel, { ...draft, name });
    const wiki = await findWiki(hub, observerOf(channel), channel, name);
    await addVersion(hub, channel, wiki, { name: home, body: "", revision: 0 });
    if (draft.posted) await postWiki(hub, channel, wiki);
    return findWiki(hub, observerOf(channel), channel, name);
  });
}

async function saveWiki(hub: Hub, channel: Channel, { name, mimetype, audience }: WikiDraft): Promise<void> {
  const limits = await postSettingsOf(hub, channel.channel_id);
  const lists = audience ? await checkAudience(hub, channel, audience) : defaultAudience(channel);
  await saveWikiRow(hub, channel, {
    draft: {
      title: name,
      body: `[zrl=${wikiUrl(hub, channel, name)}]${withoutBrackets(name)}[/zrl]`,
      verb: "create",
      objType: "wiki",
      resourceType: "nwiki",
      resourceId: randomBytes(32).toString("hex"),
    },
    meta: { wiki: { rawName: name, mimeType: mimetype } },
    scope: scopeOf(lists, "public", scopeWord(hub, limits.post_comments)),
    wiki: { uid: channel.channel_id, aid: channel.channel_account_id, owner_id: channel.xchan_id },
    flags: { item_hidden: 1 },
  });
}

/** Makes a wiki part of the streams: its audience gets it as a post. */
export async function postWiki(hub: Hub, owner: Channel, wiki: Wiki): Promise<void> {
  await unhide(hub, wiki.id);
  const item = await loadItem(hub, wiki.id);
  await countStatus(hub, item, 1);
  await publish(hub, owner, item, await reachOf(hub, item));
}

/** A name that the channel's other wikis do not have. Throws conflict. */
export async function refuseTakenWikiName(hub: Hub, channel: Channel, name: string, own = 0): Promise<void> {
  await lockChannels(hub, [channel.channel_id]);
  const taken = (await listWikis(hub, observerOf(channel), channel)).find((wiki) => wiki.name === name);
  if (taken && taken.id !== own) throw refusal("wiki_name_taken");
}

function wikiUrl(hub: Hub, channel: Channel, name: string): string {
  return `${hub.config.baseUrl}/wiki/${channel.channel_address}/${encodeURIComponent(name)}`;
}
