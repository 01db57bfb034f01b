import { inTransaction } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { rewriteTags } from "../../bodies/tags.ts";
import type { FoundMention, FoundTags } from "../../bodies/tags.ts";
import { layOut, tagsOf } from "../../bodies/texts.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { sign } from "../../identity/xchans/signing.ts";
import { emit } from "../../live/emit.ts";
import { isElsewhere, lookElsewhere } from "../../people/look-elsewhere.ts";
import { refreshWords } from "../../search/index-words.ts";
import { resolveMentions } from "../mentions.ts";
import type { Mentioned } from "../mentions.ts";
import { lockThread } from "../queries.ts";
import { loadItem, saveTerms, loadTop } from "../save.ts";
import { signAgain } from "../sign-again.ts";
import { touchAll } from "../thread-dates.ts";
import type { Item } from "../types.ts";
import { termTypes } from "../vocabulary.ts";

/** So many people of one text are looked up. */
const most = 5;

/**
 * Looks up whom a public text mentions by an address (`@nick@host`) that nobody here knows, before it goes out: it leads to them then,
 * and goes to them as to everybody whom it mentions. That is no edit. What is for some is for those whatever it mentions, so nobody
 * is asked for its sake. Answers whether anybody was found.
 */
export async function meetMentioned(
  hub: Hub,
  author: Channel,
  item: Item,
  lookUp: (address: string) => Promise<unknown>,
): Promise<boolean> {
  if (item.item_private !== 0 || item.item_type !== 0 || item.author_id !== author.xchan_id) return false;
  const strangers = await strangersIn(hub, author, item);
  if (strangers.mentions.length === 0) return false;
  const addresses = new Set(strangers.mentions.map(({ name }) => name));
  await Promise.all([...addresses].slice(0, most).map(lookUp));
  return inTransaction(hub, async (hub) => {
    const top = await loadTop(hub, item);
    await lockThread(hub, top.message_id);
    // It may have been changed or deleted meanwhile; those who are in it now are looked up with that change.
    const current = await loadItem(hub, item.id);
    if (current.body !== item.body || current.item_deleted === 1) return false;
    const met = await resolveMentions(hub, author, strangers.mentions);
    if (met.size > 0) await leadTo(hub, author, current, strangers, met);
    return met.size > 0;
  });
}

/**
 * The same for a direct post, before it is written: whom it names is all whom it is for, so its author waits for them. Throws too-many
 * (people/look-elsewhere.ts).
 */
export async function meetAddressed(hub: Hub, author: Channel, text: Pick<Item, "body" | "mimetype">): Promise<void> {
  const { mentions } = await strangersIn(hub, author, text);
  const addresses = new Set(mentions.map(({ name }) => name));
  await Promise.all([...addresses].slice(0, most).map((address) => lookElsewhere(hub, author, address)));
}

/** The tags of the text, and of the mentions those that mean nobody who is known here. */
async function strangersIn(
  hub: Hub,
  author: Channel,
  { body, mimetype }: Pick<Item, "body" | "mimetype">,
): Promise<FoundTags> {
  if (!/@[^\s@]+@/.test(body)) return { mentions: [], hashtags: [], bookmarks: [] };
  const found = await tagsOf(hub, body, mimetype);
  const addressed = found.mentions.filter(({ name }) => isElsewhere(hub, name));
  const known = await resolveMentions(hub, author, addressed);
  return { ...found, mentions: addressed.filter((mention) => !known.has(mention)) };
}

async function leadTo(
  hub: Hub,
  author: Channel,
  item: Item,
  found: FoundTags,
  met: ReadonlyMap<FoundMention, Mentioned>,
): Promise<void> {
  const { message_id, mimetype } = item;
  const body = rewriteTags(item.body, mimetype, found, (mention) => met.get(mention), hub.config.baseUrl);
  const { html, plain } = await layOut(hub, body, mimetype);
  const signature = signAgain(item, await sign(hub, author.channel_id, body));
  await hub.db
    .updateTable("message")
    .set({ body, html, plain, ...signature })
    .where("id", "=", message_id)
    .execute();
  const people = new Map([...met.values()].map(({ name, url }) => [url, name]));
  await saveTerms(
    hub,
    message_id,
    [...people].map(([url, term]) => ({ ttype: termTypes.mention, term, url })),
  );
  await refreshWords(hub, [message_id]);
  await touchAll(hub, message_id);
  await emit(hub, { what: "edit", message: message_id });
}
