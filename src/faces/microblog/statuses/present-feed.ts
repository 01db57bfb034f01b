import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { feedEntryId, newestOf } from "../../../http/feed.ts";
import type { Feed, FeedEntry } from "../../../http/feed.ts";
import type { RenderOptions } from "../present/render-options.ts";
import { presentStatuses } from "./present-status.ts";

/** What a feed is called: its words, and whose or what it is about. */
export type FeedTitle = { words: string; of: "caller" | "author" | "query" };

/** A page of statuses as a feed. */
export async function presentFeed(
  page: StatusPage,
  options: RenderOptions,
  exchange: Exchange,
  title: FeedTitle,
): Promise<Feed> {
  const host = new URL(exchange.baseUrl).host;
  const entries = (await presentStatuses(page, options)).map(({ fields, people }, at): FeedEntry => {
    const { created } = page.items[at]!;
    const author = people.user ?? people.svc_author;
    return {
      id: feedEntryId(host, created, fields.id),
      title: fields.svc_summary ?? fields.text,
      summary: fields.svc_summary ?? "",
      text: fields.text,
      html: fields.statusnet_html,
      published: created,
      updated: created,
      link: fields.external_url,
      author: {
        nick: author.screen_name,
        name: author.name,
        url: author.statusnet_profile_url,
        avatar: author.profile_image_url,
      },
    };
  });
  const about = aboutOf(entries, options, exchange, title);
  return {
    self: exchange.self,
    page: about.url,
    title: `${title.words}: ${about.name}`,
    description: `${title.words}: ${about.name} on ${host}`,
    image: about.photo,
    updated: newestOf(entries.map((entry) => entry.updated)),
    entries,
  };
}

type About = { name: string; url: string; photo: string };

function aboutOf(entries: readonly FeedEntry[], options: RenderOptions, exchange: Exchange, { of }: FeedTitle): About {
  const caller: About = options.viewer ?? { name: "", url: exchange.baseUrl, photo: "" };
  if (of === "query") return { ...caller, name: new URL(exchange.self).searchParams.get("q") ?? "" };
  const author = of === "author" ? entries[0]?.author : undefined;
  return author ? { name: author.name, url: author.url, photo: author.avatar } : caller;
}
