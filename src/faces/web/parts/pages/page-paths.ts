import type { ArticleKind, PageKind } from "../../../../domain/pages/kinds.ts";

/** Addresses of pages and wikis; names are encoded. */

/** Under which word each kind of page element is listed and edited. */
export const kindPaths: Record<PageKind, string> = { webpage: "webpages", block: "blocks", layout: "layouts" };

/** Where a webpage is read. */
export function pagePath(nick: string, name: string): string {
  return `/page/${nick}/${encodeURIComponent(name)}`;
}

/** Where a wiki, or one of its pages, is read. */
export function wikiPath(nick: string, wiki: string, page?: string): string {
  const path = `/wiki/${nick}/${encodeURIComponent(wiki)}`;
  return page === undefined ? path : `${path}/${encodeURIComponent(page)}`;
}

/** Under which word articles and cards are listed and read. */
export const articlePaths = { article: "articles", card: "cards" } as const;

/** Where an article or a card is read. */
export function articlePath(kind: ArticleKind, nick: string, name: string): string {
  return `/${articlePaths[kind]}/${nick}/${encodeURIComponent(name)}`;
}
