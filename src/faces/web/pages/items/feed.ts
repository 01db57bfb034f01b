import { personalise } from "../../../../domain/bodies/personalise.ts";
import { nobody } from "../../../../domain/identity/channels/observer.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../../../domain/identity/channels/channels.ts";
import { wall } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import type { User } from "../../../../domain/people/users.ts";
import { may } from "../../../../domain/permissions/may.ts";
import { missing } from "../../../../errors.ts";
import { atomType, writeAtom } from "../../../../http/atom.ts";
import { feedEntryId, newestOf } from "../../../../http/feed.ts";
import type { Feed, FeedEntry } from "../../../../http/feed.ts";
import { inTurns } from "../../../../http/in-turns.ts";
import { rssType, writeRss } from "../../../../http/rss.ts";
import { published } from "../../answers.ts";
import type { Page, PageContext } from "../../page.ts";
import { beforeOf } from "../../parts/pager.ts";

/** The public posts of a channel for feed readers: `/feed/nick` is Atom, `/feed/nick.rss` RSS. */
export const feedPages: Page[] = [{ path: "/feed/:name", access: "anybody", mayBeStale: true, get: answer }];

const perPage = 20;
const longestTitle = 80;
/** Titles are made from no more than the first so many characters of a text. */
const longestRead = 1000;
const suffixes = /\.(atom|rss)$/;

async function answer(context: PageContext): Promise<Response> {
  const { hub, params, site } = context;
  const name = params["name"] ?? "";
  const channel = await findChannelByNick(hub, name.replace(suffixes, ""));
  // Feed readers are nobody, and what they fetch is kept by others: whoever asks gets what anybody may see.
  if (!channel || !(await may(hub, nobody(site), "view_stream", channel.channel_id))) throw missing("Channel");
  const feed = await channelFeed(context, channel);
  const [text, type] = name.endsWith(".rss") ? [await writeRss(feed), rssType] : [await writeAtom(feed), atomType];
  return published(context, { text, type, changed: feed.updated });
}

async function channelFeed(context: PageContext, channel: Channel): Promise<Feed> {
  const { hub, path } = context;
  const anybody = nobody(context.site);
  const before = beforeOf(context);
  const { items, next } = await wall(hub, anybody, channel, { ...before, count: perPage });
  const ids = [channel.xchan_id, ...items.map((item) => item.author_id)];
  const users = await loadUsers(hub, anybody, [...new Set(ids)]);
  const { baseUrl, host } = hub.config;
  const here = `${baseUrl}${path}`;
  const entries = await inTurns(items, (item) => entryOf(host, item, users.get(item.author_id)));
  return {
    self: before.before === undefined ? here : `${here}?before=${before.before}`,
    page: `${baseUrl}/channel/${channel.channel_address}`,
    title: channel.channel_name,
    description: `Public posts of ${channel.channel_address}@${host}`,
    image: users.get(channel.xchan_id)?.xchan_photo_m ?? "",
    updated: newestOf(entries.map((entry) => entry.updated)),
    next: next === undefined ? undefined : `${here}?before=${next}`,
    entries,
  };
}

function entryOf(host: string, item: Item, author: User | undefined): FeedEntry {
  const nick = author?.xchan_addr.split("@")[0] ?? "";
  return {
    id: feedEntryId(host, item.created, item.id),
    title: titleOf(item),
    summary: item.summary,
    text: item.plain,
    html: personalise(item.html, undefined),
    published: item.created,
    updated: item.edited > item.created ? item.edited : item.created,
    link: item.plink,
    author: {
      nick: nick || "unknown",
      name: author?.xchan_name || nick || "unknown",
      url: author?.xchan_url ?? "",
      avatar: author?.xchan_photo_s ?? "",
    },
  };
}

/** Readers list titles, so a post without one lends its warning or its first words. */
function titleOf({ title, summary, plain }: Item): string {
  const characters = [...(title || summary || plain).slice(0, longestRead).replace(/\s+/g, " ").trim()];
  if (characters.length === 0) return "Untitled";
  return characters.length > longestTitle ? `${characters.slice(0, longestTitle).join("")}…` : characters.join("");
}
