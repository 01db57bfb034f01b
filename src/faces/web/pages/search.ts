import { html } from "hono/html";
import { networkPage } from "../../../domain/items/network-page.ts";
import type { StreamCursor } from "../../../domain/items/network-page.ts";
import { dropSearch, listSavedSearches, saveSearch } from "../../../domain/items/saved-searches.ts";
import type { SavedSearch } from "../../../domain/items/saved-searches.ts";
import { taggedStatuses } from "../../../domain/items/timelines.ts";
import type { Item } from "../../../domain/items/types.ts";
import { redirect, show } from "../answers.ts";
import type { Fields } from "../fields.ts";
import type { Html, MemberVisit, Page, Visit } from "../page.ts";
import { idOf } from "../path-id.ts";
import { cursorOf, cursorText } from "../parts/cursor.ts";
import { loadFeed } from "../parts/feed.ts";
import { buttonForm } from "../parts/forms.ts";
import { icon } from "../parts/icons.ts";
import { beforeOf, pager } from "../parts/pager.ts";
import { statusCard } from "../parts/status.ts";

const perPage = 20;

/** Posts with a hashtag that the visitor may see; members find words in their own stream, too, and save searches. */
export const searchPages: Page[] = [
  { path: "/search", access: "anybody", get: page },
  { path: "/search/save", access: "member", post: save },
  { path: "/search/forget", access: "member", post: forget },
];

/** What is looked for: a tag, or words. */
type Sought = { tag: string; words: string };

function soughtOf({ query }: Visit): Sought {
  const words = query.word("search");
  if (query.has("tag") || words.startsWith("#"))
    return { tag: (query.word("tag") || words).replace(/^#+/, ""), words: "" };
  return { tag: "", words };
}

function textOf({ tag, words }: Sought): string {
  return tag === "" ? words : `#${tag}`;
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
  return query.startsWith("#")
    ? `/search?tag=${encodeURIComponent(query.slice(1))}`
    : `/search?search=${encodeURIComponent(query)}`;
}

type Found = { items: Item[]; next: number | string | undefined };

async function find(visit: Visit, { tag, words }: Sought): Promise<Found> {
  const { hub, member } = visit;
  if (tag !== "") return taggedStatuses(hub, visit.observer, tag, { ...beforeOf(visit), count: perPage });
  if (words === "" || !member) return { items: [], next: undefined };
  const before: StreamCursor | undefined = cursorOf(visit);
  const { tops, next } = await networkPage(hub, member.channel, { search: words }, { before, count: perPage });
  return { items: tops, next: cursorText(next) };
}

async function page(visit: Visit): Promise<Response> {
  const sought = soughtOf(visit);
  const text = textOf(sought);
  const found = await find(visit, sought);
  const saved = visit.member ? await listSavedSearches(visit.hub, visit.member.channel) : [];
  const feed = await loadFeed(visit, found.items);
  const main = html`<h1>${text === "" ? "Search" : text}</h1>
    <form class="card search-form" action="/search" role="search">
      <label for="search">${visit.member ? "Words in your stream, or a #hashtag" : "Hashtag"}</label>
      <div class="row">
        <input id="search" name="${visit.member ? "search" : "tag"}" value="${text}" autocapitalize="none" /><button
          class="button primary"
        >
          Search
        </button>
      </div>
    </form>
    ${visit.member ? savedList(visit, saved, text) : ""}
    ${found.items.map((item) => html`<section class="thread">${statusCard(visit, feed, item)}</section>`)}
    ${text !== "" && found.items.length === 0 ? html`<p class="empty">${nothing(visit, sought)}</p>` : ""}
    ${pager(visit, found.next)}`;
  return show(visit, { title: text === "" ? "Search" : text, main });
}

function nothing({ member, here }: Visit, { tag }: Sought): Html | string {
  if (tag !== "") return "No posts with this hashtag that you may see.";
  if (member) return "No posts in your stream with these words.";
  return html`<a href="/login?next=${encodeURIComponent(here)}">Log in</a> to look for words in your stream.`;
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
