import { languageOf } from "../../../domain/identity/accounts/accounts.ts";
import type { Channel } from "../../../domain/identity/channels/channel.ts";
import type { Anybody } from "../../../domain/identity/accounts/caller.ts";
import { assembleStatuses } from "../../../domain/items/timelines/statuses.ts";
import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { missing } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import type { Format } from "../../../http/exchange.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Feed } from "../../../http/feed.ts";
import type { JsonBytes } from "../../../http/json-text.ts";
import type { XmlText } from "../../../http/xml.ts";
import { presentFeed } from "./present-feed.ts";
import type { FeedTitle } from "./present-feed.ts";
import type { RenderOptions } from "../present/render-options.ts";
import { presentStatuses } from "./present-status.ts";
import { statusesJson, statusJson } from "./present-status-json.ts";
import { statusesXml, statusXml } from "./present-status-xml.ts";

/** Statuses on their way to the presenter. */
export type StatusAnswers = { page: StatusPage; options: RenderOptions };

export type Wanted = { include_entities: boolean | undefined };

/** Loads what statuses are shown with. */
export async function show(
  hub: Hub,
  caller: Anybody,
  items: StatusItem[],
  wanted: Wanted & { fresh?: boolean },
  exchange: Exchange,
): Promise<StatusAnswers> {
  const options = optionsOf(hub, caller, wanted, exchange);
  const { fresh = false } = wanted;
  return { page: await assembleStatuses(hub, caller.observer, items, { media: true, fresh }), options };
}

/** How this call wants to see statuses; below `1.1` entities are there unless they are refused. */
function optionsOf(hub: Hub, caller: Anybody, { include_entities }: Wanted, exchange: Exchange): RenderOptions {
  return {
    uid: caller.observer.channelId,
    aliases: hub.config.aliasFields,
    entities: include_entities ?? exchange.version11,
    viewer: caller.channel && viewerOf(hub, caller.channel, languageOf(caller.account)),
    imagesApart: exchange.userAgent.includes("AndStatus"),
  };
}

function viewerOf({ config }: Hub, channel: Channel, language: string): NonNullable<RenderOptions["viewer"]> {
  const nick = channel.channel_address;
  return {
    name: channel.channel_name,
    address: `${nick}@${config.host}`,
    url: `${config.baseUrl}/channel/${nick}`,
    photo: `${config.baseUrl}/photo/profile/s/${channel.channel_id}`,
    language,
    local: true,
  };
}

/** The part of a row that answers several statuses. */
export const manyStatuses = {
  answer: "Status[]",
  async present({ page, options }: StatusAnswers, { format }: Exchange): Promise<JsonBytes | XmlText> {
    const statuses = await presentStatuses(page, options);
    return format === "xml" ? statusesXml(statuses) : statusesJson(statuses);
  },
} as const;

type StatusFeed = {
  answer: string;
  formats: readonly Format[];
  present(shown: StatusAnswers, exchange: Exchange): Promise<JsonBytes | XmlText | Feed>;
};

/** The part of a row that answers several statuses, also as a feed with this title. */
export function statusFeed(words: string, of: FeedTitle["of"] = "caller"): StatusFeed {
  return {
    answer: manyStatuses.answer,
    formats: ["json", "xml", "rss", "atom"],
    present(shown, exchange) {
      if (exchange.format === "json" || exchange.format === "xml") return manyStatuses.present(shown, exchange);
      return presentFeed(shown.page, shown.options, exchange, { words, of });
    },
  };
}

/** The part of a row that answers one status. */
export const oneStatus = {
  answer: "Status",
  async present({ page, options }: StatusAnswers, { format }: Exchange): Promise<JsonBytes | XmlText> {
    const [status] = await presentStatuses(page, options);
    if (!status) throw missing("Status");
    return format === "xml" ? statusXml(status) : statusJson(status);
  },
} as const;
