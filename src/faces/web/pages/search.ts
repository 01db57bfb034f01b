import { html } from "hono/html";
import { taggedStatuses } from "../../../domain/items/timelines.ts";
import { show } from "../answers.ts";
import type { Page, Visit } from "../page.ts";
import { loadFeed } from "../parts/feed.ts";
import { beforeOf, pager } from "../parts/pager.ts";
import { statusCard } from "../parts/status.ts";

const perPage = 20;

/** Posts with a hashtag that the visitor may see. */
export const searchPages: Page[] = [{ path: "/search", access: "anybody", get: page }];

async function page(visit: Visit): Promise<Response> {
  const tag = visit.query.word("tag").replace(/^#/, "");
  const found =
    tag === ""
      ? { items: [], next: undefined }
      : await taggedStatuses(visit.hub, visit.observer, tag, { ...beforeOf(visit), count: perPage });
  const feed = await loadFeed(visit, found.items);
  const main = html`<h1>${tag === "" ? "Search" : `#${tag}`}</h1>
    <form class="card search-form" action="/search" role="search">
      <label for="tag">Hashtag</label>
      <div class="row">
        <input id="tag" name="tag" value="${tag}" autocapitalize="none" /><button class="button primary">Search</button>
      </div>
    </form>
    ${found.items.map((item) => html`<section class="thread">${statusCard(visit, feed, item)}</section>`)}
    ${tag !== "" && found.items.length === 0 ? html`<p class="empty">No posts with this hashtag that you may see.</p>` : ""}
    ${pager(visit, found.next)}`;
  return show(visit, { title: tag === "" ? "Search" : `#${tag}`, main });
}
