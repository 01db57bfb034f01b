import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { mayWriteWiki } from "../../../../domain/pages/may-write.ts";
import type { ListedWikiPage, Wiki } from "../../../../domain/pages/wiki-types.ts";
import { home } from "../../../../domain/pages/wiki-types.ts";
import { findWiki, listWikiPages } from "../../../../domain/pages/wikis.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { icon } from "../icons.ts";
import { loadOwner } from "./page-owner.ts";
import { wikiPath } from "./page-paths.ts";

/** A wiki as one visitor may see it. */
export type WikiView = {
  owner: Channel;
  own: boolean;
  writes: boolean;
  wiki: Wiki;
  pages: ListedWikiPage[];
  /** The page that the address names. */
  name: string;
};

/** The wiki that the address names. Throws missing, alike for unknown and for unseen ones. */
export async function loadWiki(context: PageContext): Promise<WikiView> {
  const { hub, observer, member, params } = context;
  const owner = await loadOwner(context);
  const wiki = await findWiki(hub, observer, owner, params["wiki"] ?? "");
  const [writes, pages] = await Promise.all([
    member?.channel.channel_moved === "" && mayWriteWiki(hub, observer, owner),
    listWikiPages(hub, observer, wiki),
  ]);
  const own = writes && member?.channel.channel_id === owner.channel_id;
  return { owner, own, writes, wiki, pages, name: params["page"] ?? home };
}

/** The address of a page of this wiki, or of something that is done with it. */
export function pageOf({ owner, wiki }: WikiView, name: string, show = ""): string {
  return wikiPath(owner.channel_address, wiki.name, name) + (show && `?show=${show}`);
}

/** Where one is, and what can be done there; `at` is what the page shows now. */
export function wikiHead({ say }: PageContext, view: WikiView, title: string, at: string, written = true): Html {
  const { owner, own, writes, wiki, name } = view;
  const nick = owner.channel_address;
  const entries = [
    ["", "read", true],
    ["edit", "edit", writes],
    ["history", "history", written],
    ["rename", "rename", own && written && name !== home],
    ["delete", "delete", own && written && name !== home],
  ] as const;
  return html`<p class="crumbs">
      <a href="/channel/${nick}">${owner.channel_name}</a> <a href="/wiki/${nick}">${say("pages.wikis")}</a>
      <a href="${wikiPath(nick, wiki.name)}">${wiki.name}</a>
      ${wiki.item_private === 1 ? html`<span class="visibility private">${icon("lock")} ${say("pages.not-public")}</span>` : ""}
    </p>
    <h1>${title}</h1>
    <nav class="tabs" aria-label="${say("pages.this-page")}">
      ${entries.map(([show, tab, shown]) => (shown ? html`<a href="${pageOf(view, name, show)}" ${show === at ? html`aria-current="page"` : ""}>${say(`pages.tab-${tab}`)}</a>` : ""))}
    </nav>`;
}

/** All pages of the wiki, and the way to a new one. */
export function wikiContents({ say }: PageContext, view: WikiView): Html {
  const { owner, own, writes, wiki, pages } = view;
  const path = wikiPath(owner.channel_address, wiki.name);
  return html`<section class="card wiki-contents">
    <h2>${say("pages.wiki-pages")}</h2>
    <ul class="wiki-pages">
      ${pages.map((page) => html`<li><a href="${pageOf(view, page.name)}">${page.name}</a></li>`)}
    </ul>
    ${
      writes
        ? html`<form class="row" action="${path}">
            <input
              name="page"
              aria-label="${say("pages.new-page-name")}"
              placeholder="${say("pages.new-page-name")}"
              maxlength="191"
              required
            />
            <button class="button">${say("pages.write-it")}</button>
          </form>`
        : ""
    }
    ${own ? html`<p class="submit"><a class="quiet-link" href="${path}?show=settings">${icon("sliders")} ${say("pages.settings-of-this-wiki")}</a></p>` : ""}
  </section>`;
}
