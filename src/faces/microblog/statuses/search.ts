import { z } from "zod";
import { isWebUrl } from "../../../domain/identity/xchans/web-url.ts";
import { lookElsewhere } from "../../../domain/people/look-elsewhere.ts";
import { searchStatuses } from "../../../domain/items/timelines/search.ts";
import { HubError } from "../../../errors.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { JsonBytes } from "../../../http/json-text.ts";
import { cleanText } from "../../../http/text.ts";
import { bound, count, pageNumber, text } from "../parameters.ts";
import { exclude_replies, include_entities, max_id, since_id } from "../shared-input.ts";
import { show, statusFeed } from "./status-answers.ts";
import type { StatusAnswers } from "./status-answers.ts";

const mostOnPage = 200;

const input = z.object({
  q: text("Words, a hashtag with its sign, or the address of a post."),
  rpp: bound("The same as `count`, and wins over it."),
  count: count(15, mostOnPage),
  page: pageNumber(),
  since_id,
  max_id,
  exclude_replies,
  include_entities,
});

/** What was asked, as the search object of version 1.1 repeats it. */
type Asked = { query: string; size: number; sinceId: number; maxId: number; isLast: boolean };
type Found = StatusAnswers & { asked: Asked };

const feed = statusFeed("Search", "query");

/** Search; below 1.1 as microblog contract 12, trap 53 has it. */
export const searchRows = [
  endpoint({
    path: "search",
    aliases: ["search/tweets"],
    methods: "*",
    access: "channel",
    summary:
      "Public statuses and those of the caller's stream that have the words, the hashtag or the address; a post at an address of elsewhere is looked up there.",
    example: { q: "#tea" },
    input,
    async handle(hub, caller, input, exchange): Promise<Found> {
      const query = decodedOnceMore(input.q ?? "").trim();
      if (query === "") throw new HubError("invalid", "q parameter is required.", { field: "q" });
      const size = Math.min(input.rpp || input.count, mostOnPage);
      const { since_id: sinceId, max_id: maxId, exclude_replies: excludeReplies } = input;
      const place = { sinceId, maxId, excludeReplies, skip: (input.page - 1) * size, count: size + 1 };
      let items = await searchStatuses(hub, caller.observer, query, place);
      if (items.length === 0 && isWebUrl(query) && "post" in (await lookElsewhere(hub, caller.channel, query)))
        items = await searchStatuses(hub, caller.observer, query, place);
      const shown = await show(hub, caller, items.slice(0, size), input, exchange);
      return { ...shown, asked: { query, size, sinceId, maxId, isLast: items.length <= size } };
    },
    ...feed,
    answer: "Status[] | SearchResult",
    async present(found, exchange) {
      const statuses = await feed.present(found, exchange);
      return exchange.version11 && statuses instanceof JsonBytes ? searchObject(found, statuses) : statuses;
    },
  }),
];

/** Some clients encode twice; what cannot be decoded stays as it is. */
function decodedOnceMore(query: string): string {
  if (!/%[0-9a-f]{2}/i.test(query)) return query;
  try {
    return cleanText(decodeURIComponent(query));
  } catch {
    return query;
  }
}

function searchObject({ page, options, asked }: Found, statuses: JsonBytes): JsonBytes {
  const newest = page.items[0]?.id ?? asked.maxId;
  const oldest = page.items.at(-1)?.id;
  const metadata = {
    count: asked.size,
    max_id: newest,
    max_id_str: String(newest),
    since_id: asked.sinceId,
    since_id_str: String(asked.sinceId),
    query: asked.query,
    completed_in: 0,
    ...(!asked.isLast && oldest !== undefined && { next_results: nextResults(asked, oldest, options.entities) }),
  };
  const end = `,"search_metadata":${JSON.stringify(metadata)}}`;
  return new JsonBytes(Buffer.concat([Buffer.from('{"statuses":'), statuses.bytes, Buffer.from(end)]));
}

function nextResults({ query, size, sinceId }: Asked, oldest: number, entities: boolean): string {
  const next = new URLSearchParams({ max_id: String(oldest - 1), q: query, count: String(size) });
  if (sinceId > 0) next.set("since_id", String(sinceId));
  if (entities) next.set("include_entities", "1");
  return `?${next.toString()}`;
}
