import { getConfig, getConfigs, removeConfig, setConfig } from "../domain/identity/channels/channel-config.ts";
import type { Channel as Row } from "../domain/identity/channels/channel.ts";
import { findChannelByNick } from "../domain/identity/channels/channels.ts";
import { refuseMoved } from "../domain/identity/channels/moved.ts";
import { actorIdOf, isGuest, isNobody, nobodyHere, observerOf } from "../domain/identity/channels/observer.ts";
import type { Observer } from "../domain/identity/channels/observer.ts";
import {
  extensionSetting,
  extensionSettings,
  removeExtensionSetting,
  setExtensionSetting,
} from "../domain/identity/site/extension-settings.ts";
import { nobody as nobodyNamed } from "../domain/items/audience.ts";
import { postItem } from "../domain/items/posting/post.ts";
import { wall } from "../domain/items/timelines/thread.ts";
import type { Audience, Item } from "../domain/items/types.ts";
import { inTransaction } from "../hub.ts";
import type { Hub } from "../hub.ts";
import { addExtensionJob } from "../jobs/queue.ts";
import { fromSqlDate, sqlDate } from "../storage/sql.ts";
import type { Channel, Extension, NewPost, Post, Reader, Settings, Tools } from "./extension.ts";
import { extensionJobName } from "./names.ts";

/** What extensions can do with the hub: a few verbs of the domain, which decide who may see and do what. */

/** What stands behind the values that extensions hold; they do not see it, and can make no such values themselves. */
const source = Symbol("source");

function sourced<T extends object>(value: T, behind: object): T {
  return Object.freeze(Object.defineProperty(value, source, { value: behind }));
}

function behind(value: object): unknown {
  const found: unknown = Reflect.get(value, source);
  if (found === undefined) throw new TypeError("This comes from no tool of the hub");
  return found;
}

/** The tools of an extension; inside of a unit of work those that belong to it. */
export function toolsOf(hub: Hub, extension: Extension): Tools {
  const { log, config } = hub;
  const line =
    (level: "debug" | "info" | "warning" | "error") =>
    (message: string, values: Record<string, unknown> = {}): void =>
      log[level](`${extension.name}: ${message}`, values);
  return {
    baseUrl: config.baseUrl,
    now: () => hub.clock(),
    log: { debug: line("debug"), info: line("info"), warning: line("warning"), error: line("error") },
    fetch: (url, { method, headers, body, signal } = {}) =>
      hub.fetch(url, {
        ...(method && { method }),
        ...(headers && { headers }),
        ...(body && { body }),
        ...(signal && { signal }),
      }),
    settings: settingsOfSite(hub, extension.name),
    settingsOf: (channel) => settingsOfChannel(hub, extension.name, rowOf(channel).channel_id),
    async channel(nick) {
      const row = await findChannelByNick(hub, nick);
      return row && channelOf(hub, row);
    },
    readerOf: (channel) => readerOf(hub, observerOf(rowOf(channel)), rowOf(channel)),
    stranger: async () => readerOf(hub, await nobodyHere(hub), undefined),
    posts: (reader, of, range) => postsSeen(hub, reader, of, range),
    post: (channel, post) => write(hub, channel, post),
    async addJob(name, payload = null, { at, key } = {}) {
      if (!extension.jobs?.some((job) => job.name === name))
        throw new TypeError(`${extension.name} has no job ${name}`);
      const full = extensionJobName(extension, name);
      await addExtensionJob(hub, full, payload, {
        ...(at && { at: sqlDate(at) }),
        ...(key !== undefined && { key: `${full} ${key}` }),
      });
    },
    together: (work) => inTransaction(hub, (inside) => work(toolsOf(inside, extension))),
  };
}

function settingsOfSite(hub: Hub, name: string): Settings {
  return {
    get: (key) => extensionSetting(hub, name, checked(key)),
    all: () => extensionSettings(hub, name),
    set: (key, value) => setExtensionSetting(hub, name, checked(key), value),
    remove: (key) => removeExtensionSetting(hub, name, checked(key)),
  };
}

function settingsOfChannel(hub: Hub, name: string, uid: number): Settings {
  const cat = `x/${name}`;
  return {
    get: (key) => getConfig(hub, uid, cat, checked(key)),
    all: () => getConfigs(hub, uid, cat),
    set: (key, value) => setConfig(hub, uid, cat, checked(key), value),
    remove: (key) => removeConfig(hub, uid, cat, checked(key)),
  };
}

function checked(key: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new TypeError("A key has 1 to 200 letters, digits and signs");
  return key;
}

/** A channel as extensions see it. */
export function channelOf({ config }: Hub, row: Row): Channel {
  const { channel_address: nick, channel_name: name, channel_timezone: timezone } = row;
  return sourced(
    { nick, name, timezone, address: `${nick}@${config.host}`, url: `${config.baseUrl}/channel/${nick}` },
    row,
  );
}

function rowOf(channel: Channel): Row {
  return behind(channel) as Row;
}

/** Whoever looks as extensions see them. */
export function readerOf(hub: Hub, observer: Observer, channel: Row | undefined): Reader {
  return sourced({ kind: kindOf(observer, channel), channel: channel && channelOf(hub, channel) }, observer);
}

function kindOf(observer: Observer, channel: Row | undefined): Reader["kind"] {
  if (channel) return "member";
  if (isGuest(observer)) return "guest";
  return isNobody(observer) || actorIdOf(observer) === undefined ? "stranger" : "elsewhere";
}

/** The items of posts that extensions have got from the hub. */
export function itemOf(post: Post): Item {
  return behind(post) as Item;
}

const mostPosts = 200;

async function postsSeen(
  hub: Hub,
  reader: Reader,
  of: Channel,
  { since, until, count = 20 }: { since?: Date; until?: Date; count?: number } = {},
): Promise<Post[]> {
  const { items } = await wall(hub, behind(reader) as Observer, rowOf(of), {
    ...(since && { since: sqlDate(since) }),
    ...(until && { until: sqlDate(until) }),
    count: Math.min(Math.max(Math.floor(count), 1), mostPosts),
  });
  return items.map((item) => postOf(hub, item));
}

function postOf({ config }: Hub, item: Item): Post {
  return sourced(
    {
      id: item.uuid,
      url: `${config.baseUrl}/display/${item.uuid}`,
      title: item.title,
      text: item.plain,
      written: fromSqlDate(item.created),
      isPrivate: item.item_private !== 0,
    },
    item,
  );
}

async function write(hub: Hub, channel: Channel, { text, title, for: whom }: NewPost): Promise<Post> {
  const row = rowOf(channel);
  refuseMoved(row);
  const audience = audienceOf(row, whom);
  const item = await postItem(hub, row, {
    body: text,
    mimetype: "text/markdown",
    ...(title !== undefined && { title }),
    ...(audience && { audience }),
  });
  return postOf(hub, item);
}

function audienceOf(row: Row, whom: NewPost["for"]): Audience | undefined {
  if (whom === "usual") return undefined;
  return whom === "everybody" ? { ...nobodyNamed } : { ...nobodyNamed, allow_cid: [row.channel_hash] };
}
