import { html } from "hono/html";
import { dropSearch, listSavedSearches, saveSearch } from "../../../../domain/items/timelines/saved-searches.ts";
import type { SavedSearch } from "../../../../domain/items/timelines/saved-searches.ts";
import { bestItems, searchItems, taggedStatuses } from "../../../../domain/items/timelines/search.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { withParameter } from "../../local-path.ts";
import type { Html, MemberVisit, Page, Visit } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { buttonForm } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { statusCard } from "../../parts/items/status.ts";

const perPage = 20;

/** Posts with the words or the hashtag that the visitor may see: public ones, and for members those of their stream. */
export const searchPages: Page[] = [
  { path: "/search", access: "anybody", get: page },
  { path: "/search/save", access: "member", post: save },
  { path: "/search/forget", access: "member", post: forget },
];

/** What is looked for: exactly a tag, or what somebody typed. */
type Sought = { tag: string; text: string };

function soughtOf({ query }: Visit): Sought {
  const tag = query.word("tag").replace(/^#+/, "");
  return tag === "" ? { tag: "", text: query.word("search") } : { tag, text: `#${tag}` };
}

async function save(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { query } = await saveSearch(visit.hub, visit.member.channel, typed.word("query"));
  return redirect(visit, pathOf(query), "saved");
}

async function forget(visit: MemberVisit, typed: Fields): Promise<Response> {
  await dropSearch(visit.hub, visit.member.channel, idOf(typed.text("id")));
  return redirect(visit, "/search", "removed");
}

function pathOf(query: string): string {
  return `/search?search=${encodeURIComponent(query)}`;
}

type Found = { items: Item[]; next: number | undefined };

async function find(visit: Visit, { tag, text }: Sought): Promise<Found> {
  const { hub, observer, query } = visit;
  const channel = visit.member?.channel;
  if (text === "") return { items: [], next: undefined };
  if (isByFit(visit))
    return bestItems(hub, observer, channel, text, { page: query.number("page") || 1, count: perPage });
  const place = { ...beforeOf(visit), count: perPage };
  return tag === "" ? searchItems(hub, observer, channel, text, place) : taggedStatuses(hub, observer, tag, place);
}

function isByFit({ query }: Visit): boolean {
  return query.word("order") === "best";
}

async function page(visit: Visit): Promise<Response> {
  const sought = soughtOf(visit);
  const { text } = sought;
  const heading = text === "" ? "Search" : `Posts with “${text}”`;
  const found = await find(visit, sought);
  const saved = visit.member ? await listSavedSearches(visit.hub, visit.member.channel) : [];
  const feed = await loadFeed(visit, found.items);
  const main = html`<h1>${heading}</h1>
    <form class="card search-form" action="/search" role="search">
      <label for="search">${visit.member ? "Public posts and your stream" : "Public posts"}</label>
      <div class="row">
        <input
          id="search"
          name="search"
          value="${text}"
          type="search"
          autocapitalize="none"
          placeholder="Words or a #hashtag"
          aria-describedby="search-ways"
        />${isByFit(visit) ? html`<input type="hidden" name="order" value="best" />` : ""}<button
          class="button primary"
        >
          Search
        </button>
      </div>
      ${ways(visit)}
    </form>
    ${visit.member ? savedList(visit, saved, text) : ""} ${text === "" ? "" : orders(visit)}
    ${found.items.map((item) => html`<section class="thread">${statusCard(visit, feed, item)}</section>`)}
    ${text !== "" && found.items.length === 0 ? nothing(visit, sought) : ""} ${further(visit, found.next)}`;
  return show(visit, { title: heading, main });
}

/** What may stand in a search besides words. */
function ways({ member }: Visit): Html {
  const way = (example: string, meaning: string): Html =>
    html`<div>
      <dt><code>${example}</code></dt>
      <dd>${meaning}</dd>
    </div>`;
  return html`<details class="search-ways" id="search-ways">
    <summary>What you can look for</summary>
    <dl>
      ${way("rye bread", "Both words, anywhere in a post; capitals and accents do not matter.")}
      ${way('"rye bread"', "These words in this order.")} ${way("bake*", "Words that begin so.")}
      ${way("-rye", "Not with this; a minus goes before anything else, too.")} ${way("#garden", "This hashtag.")}
      ${way("from:ann", `What Ann wrote; also from:ann@hub.example${member ? ", and from:me" : ""}.`)}
      ${way("since:2026-01-31", "From this day on.")} ${way("until:2026-02-28", "Up to the end of this day.")}
      ${way("https://…", "The post with this address.")}
    </dl>
  </details>`;
}

/** By time or by how well posts fit. */
function orders(visit: Visit): Html {
  const start = ["before", "page", "done"].reduce((here, name) => withParameter(here, name, ""), visit.here);
  const chip = (order: string, label: string, here: boolean): Html =>
    html`<li>
      <a href="${withParameter(start, "order", order)}" ${here ? html`aria-current="true"` : ""}>${label}</a>
    </li>`;
  return html`<nav class="chips" aria-label="Order of the posts">
    <ul>
      ${chip("", "Newest", !isByFit(visit))} ${chip("best", "Best match", isByFit(visit))}
    </ul>
  </nav>`;
}

function nothing({ member, here, query }: Visit, { tag, text }: Sought): Html {
  if (query.has("before") || query.has("page")) return html`<p class="empty">No more posts.</p>`;
  const what =
    tag !== "" || /^#\S+$/.test(text)
      ? "No posts with this hashtag that you may see."
      : "No posts with this that you may see.";
  const more = member
    ? ""
    : html`<p><a href="/login?next=${encodeURIComponent(here)}">Log in</a> to look in your stream, too.</p>`;
  return html`<div class="empty">
    <p>${what}</p>
    <p>Fewer or other words may find more; “What you can look for” above says which there are.</p>
    ${more}
  </div>`;
}

function further(visit: Visit, next: number | undefined): Html {
  if (next === undefined || !isByFit(visit)) return pager(visit, next);
  const here = withParameter(visit.here, "done", "");
  return html`<nav class="pager" aria-label="Pages">
    <a class="button" rel="next" href="${withParameter(here, "page", String(next))}">More</a>
  </nav>`;
}

/** The member's saved searches, and a way to save this one. */
function savedList(visit: Visit, saved: SavedSearch[], text: string): Html {
  const isSaved = saved.some(({ query }) => query.toLowerCase() === text.toLowerCase());
  if (saved.length === 0 && text === "") return html``;
  return html`<section class="saved-searches" aria-label="Saved searches">
    ${text !== "" && !isSaved ? buttonForm(visit, "/search/save", html`${icon("star")} Save this search`, { kind: "quiet", fields: { query: text } }) : ""}
    <ul class="saved-list">
      ${saved.map(
        ({ id, query }) =>
          html`<li>
            <a href="${pathOf(query)}" ${query === text ? html`aria-current="true"` : ""}>${query}</a>
            ${buttonForm(visit, "/search/forget", html`${icon("cross")}<span class="unseen">Forget ${query}</span>`, { kind: "quiet", fields: { id } })}
          </li>`,
      )}
    </ul>
  </section>`;
}
