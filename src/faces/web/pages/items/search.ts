import { isFollowedTag } from "../../../../domain/items/followed-tags.ts";
import { dropSearch, listSavedSearches, saveSearch } from "../../../../domain/items/timelines/saved-searches.ts";
import type { SavedSearch } from "../../../../domain/items/timelines/saved-searches.ts";
import { bestItems, searchItems, taggedStatuses } from "../../../../domain/items/timelines/search.ts";
import type { Item } from "../../../../domain/items/types.ts";
import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { isElsewhere, lookElsewhere } from "../../../../domain/people/look-elsewhere.ts";
import type { Looked } from "../../../../domain/peers/scout.ts";
import { findByProfile } from "../../../../domain/people/find-person.ts";
import { redirect, show } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { lookingPage, lookUpMessage } from "../../look-up.ts";
import { withParameter } from "../../local-path.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { aboutsFor, personRow } from "../../parts/channels/person.ts";
import { buttonForm } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { beforeOf, pager } from "../../parts/pager.ts";
import { statusCard } from "../../parts/items/status.ts";
import { tagButton } from "../../parts/items/tag-button.ts";

const perPage = 20;

/** Posts with the words or the hashtag that the visitor may see: public ones, and for members those of their stream. */
export const searchPages: Page[] = [
  { path: "/search", access: "anybody", mayBeStale: true, get: page },
  { path: "/tags/:name", access: "anybody", mayBeStale: true, get: tagged },
  { path: "/search/save", access: "member", post: save },
  { path: "/search/forget", access: "member", post: forget },
];

/** The address of a hashtag that applications know (mastodon contract 2.1). */
function tagged(context: PageContext): Response {
  return redirect(context, `/search?tag=${encodeURIComponent(context.params["name"] ?? "")}`);
}

/** What is looked for: exactly a tag, or what somebody typed. */
type Sought = { tag: string; text: string };

function soughtOf({ query }: PageContext): Sought {
  const tag = query.word("tag").replace(/^#+/, "");
  return tag === "" ? { tag: "", text: query.word("search") } : { tag, text: `#${tag}` };
}

async function save(context: MemberContext, typed: Fields): Promise<Response> {
  const { query } = await saveSearch(context.hub, context.member.channel, typed.word("query"));
  return redirect(context, pathOf(query), "saved");
}

async function forget(context: MemberContext, typed: Fields): Promise<Response> {
  await dropSearch(context.hub, context.member.channel, idOf(typed.text("id")));
  return redirect(context, "/search", "removed");
}

function pathOf(query: string): string {
  return `/search?search=${encodeURIComponent(query)}`;
}

type Found = { items: Item[]; next: number | undefined };

async function find(context: PageContext, { tag, text }: Sought): Promise<Found> {
  const { hub, observer, query } = context;
  if (text === "") return { items: [], next: undefined };
  if (isByFit(context)) return bestItems(hub, observer, text, { page: query.number("page") || 1, count: perPage });
  const place = { ...beforeOf(context), count: perPage };
  return tag === "" ? searchItems(hub, observer, text, place) : taggedStatuses(hub, observer, tag, place);
}

function isByFit({ query }: PageContext): boolean {
  return query.word("order") === "best";
}

async function page(context: PageContext): Promise<Response> {
  const sought = soughtOf(context);
  const { text } = sought;
  const { say } = context;
  const heading = text === "" ? say("items.search") : say("items.search-for", { words: text });
  const first = await find(context, sought);
  const isAddress = first.items.length === 0 && mayLookUp(context, sought);
  const known = isAddress ? await personCalled(context, text) : undefined;
  const looking = isAddress ? await lookingPage(context, text, known) : undefined;
  if (looking) return looking;
  const looked = isAddress ? await lookedUp(context, text, known) : undefined;
  const found = looked && "post" in looked ? await find(context, sought) : first;
  const saved = context.member ? await listSavedSearches(context.hub, context.member.channel) : [];
  const feed = await loadFeed(context, found.items);
  const heads = await followHead(context, text);
  const main = html`<h1>${heading}</h1>
    ${heads}
    <form class="card search-form" action="/search" role="search">
      <label for="search">${say(context.member ? "items.search-public-and-yours" : "items.search-public")}</label>
      <div class="row">
        <input
          id="search"
          name="search"
          value="${text}"
          type="search"
          autocapitalize="none"
          placeholder="${say("items.search-placeholder")}"
          aria-describedby="search-ways"
        />${isByFit(context) ? html`<input type="hidden" name="order" value="best" />` : ""}<button
          class="button primary"
        >
          ${say("items.search")}
        </button>
      </div>
      ${ways(context)}
    </form>
    ${context.member ? savedList(context, saved, text) : ""} ${text === "" ? "" : orders(context)}
    ${found.items.map((item) => html`<section class="thread">${statusCard(context, feed, item)}</section>`)}
    ${text !== "" && found.items.length === 0 ? await nothing(context, sought, looked) : ""}
    ${further(context, found.next)}`;
  return show(context, { title: heading, main });
}

/** What may stand in a search besides words. */
function ways({ member, say }: PageContext): Html {
  const way = (example: string, meaning: string): Html =>
    html`<div>
      <dt><code>${example}</code></dt>
      <dd>${meaning}</dd>
    </div>`;
  return html`<details class="search-ways" id="search-ways">
    <summary>${say("items.search-ways")}</summary>
    <dl>
      ${way(say("items.example-words"), say("items.way-words"))}
      ${way(`"${say("items.example-words")}"`, say("items.way-order"))}
      ${way(`${say("items.example-begin")}*`, say("items.way-begin"))}
      ${way(`-${say("items.example-without")}`, say("items.way-without"))}
      ${way(`#${say("items.example-tag")}`, say("items.way-tag"))}
      ${way("from:ann", say(member ? "items.way-from-me" : "items.way-from"))}
      ${way("since:2026-01-31", say("items.way-since"))} ${way("until:2026-02-28", say("items.way-until"))}
      ${way("https://…", say(member ? "items.way-address-elsewhere" : "items.way-address"))}
      ${member ? way("ann@other.example", say("items.way-person")) : ""}
    </dl>
  </details>`;
}

/** Of a single hashtag: the button with which a member follows it. */
async function followHead(context: PageContext, text: string): Promise<Html> {
  const tag = /^#([^\s#"]+)$/.exec(text)?.[1];
  const channel = context.member?.channel;
  if (tag === undefined || !channel) return html``;
  const isFollowed = await isFollowedTag(context.hub, channel.channel_id, tag);
  return html`<div class="tag-head">
    <p>${context.say(isFollowed ? "items.tag-followed" : "items.tag-follow-it")}</p>
    ${tagButton(context, tag, isFollowed)}
  </div>`;
}

/** By time or by how well posts fit. */
function orders(context: PageContext): Html {
  const start = ["before", "page", "done"].reduce((here, name) => withParameter(here, name, ""), context.here);
  const chip = (order: string, label: string, here: boolean): Html =>
    html`<li>
      <a href="${withParameter(start, "order", order)}" ${here ? html`aria-current="true"` : ""}>${label}</a>
    </li>`;
  return html`<nav class="chips" aria-label="${context.say("items.search-order")}">
    <ul>
      ${chip("", context.say("items.newest"), !isByFit(context))}
      ${chip("best", context.say("items.best-match"), isByFit(context))}
    </ul>
  </nav>`;
}

/** Members may look for a person or post of elsewhere, by the address. */
function mayLookUp({ hub, member, query }: PageContext, { tag, text }: Sought): boolean {
  return member !== undefined && tag === "" && !query.has("before") && !query.has("page") && isElsewhere(hub, text);
}

async function personCalled({ hub }: PageContext, text: string): Promise<Xchan | undefined> {
  const person = await findByProfile(hub, text);
  return person?.xchan_deleted === 0 ? person : undefined;
}

async function lookedUp(
  { hub, member }: PageContext,
  text: string,
  known: Xchan | undefined,
): Promise<Looked | undefined> {
  if (known) return { person: known };
  return member && lookElsewhere(hub, member.channel, text);
}

async function nothing(context: PageContext, { tag, text }: Sought, looked: Looked | undefined): Promise<Html> {
  const { member, here, query, say } = context;
  if (looked && "person" in looked)
    return html`<ul class="card people" aria-label="${say("items.found")}">
      ${personRow(context, looked.person, { about: (await aboutsFor(context, [looked.person])).get(looked.person.xchan_id) ?? "" })}
    </ul>`;
  if (looked) return html`<p class="empty" role="status">${lookUpMessage(say, looked, text)}</p>`;
  if (query.has("before") || query.has("page")) return html`<p class="empty">${say("items.no-more-posts")}</p>`;
  const what = say(tag !== "" || /^#\S+$/.test(text) ? "items.none-with-tag" : "items.none-with-words");
  const more = member
    ? ""
    : html`<p>${say.html("items.log-in-to-search", { in: linkTo(`/login?next=${encodeURIComponent(here)}`) })}</p>`;
  return html`<div class="empty">
    <p>${what}</p>
    <p>${say("items.search-hint")}</p>
    ${more}
  </div>`;
}

function further(context: PageContext, next: number | undefined): Html {
  if (next === undefined || !isByFit(context)) return pager(context, next);
  const here = withParameter(context.here, "done", "");
  return html`<nav class="pager" aria-label="${context.say("items.pages")}">
    <a class="button" rel="next" href="${withParameter(here, "page", String(next))}">${context.say("items.more")}</a>
  </nav>`;
}

/** The member's saved searches, and a way to save this one. */
function savedList(context: PageContext, saved: SavedSearch[], text: string): Html {
  const isSaved = saved.some(({ query }) => query.toLowerCase() === text.toLowerCase());
  if (saved.length === 0 && text === "") return html``;
  return html`<section class="saved-searches" aria-label="${context.say("items.saved-searches")}">
    ${text !== "" && !isSaved ? buttonForm(context, "/search/save", html`${icon("star")} ${context.say("items.save-search")}`, { kind: "quiet", fields: { query: text } }) : ""}
    <ul class="saved-list">
      ${saved.map(
        ({ id, query }) =>
          html`<li>
            <a href="${pathOf(query)}" ${query === text ? html`aria-current="true"` : ""}>${query}</a>
            ${buttonForm(context, "/search/forget", html`${icon("cross")}<span class="unseen">${context.say("items.forget-search", { words: query })}</span>`, { kind: "quiet", fields: { id } })}
          </li>`,
      )}
    </ul>
  </section>`;
}
