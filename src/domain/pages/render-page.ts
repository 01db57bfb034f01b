import type { Hub } from "../../hub.ts";
import { personalise } from "../bodies/personalise.ts";
import type { Viewer } from "../bodies/personalise.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { pageName } from "../items/metadata.ts";
import { findLayout, pagesNamed } from "./find.ts";
import type { WebPage } from "./columns.ts";
import { parseLayout } from "./layout.ts";
import { menusNamed } from "./menus.ts";
import { namesIn, renderLayout } from "./render-layout.ts";
import type { RenderedPage } from "./render-layout.ts";
import { attribute, escapeHtml } from "../bodies/escape.ts";
import { leavesSite, safeUrl } from "../bodies/safe-url.ts";
import { expandLink } from "./menu-links.ts";
import { entryFlags } from "./menu-types.ts";
import type { Menu, MenuEntry } from "./menu-types.ts";

/**
 * A page as the observer sees it, in its layout. Layouts and blocks that the observer may not see are left out, as if
 * they did not exist. A fixed number of queries, whatever the page calls.
 */
export async function renderPage(
  hub: Hub,
  observer: Observer,
  channel: Channel,
  page: Pick<WebPage, "html" | "layout_mid">,
  viewer: Viewer,
): Promise<RenderedPage> {
  const source = await findLayout(hub, observer, channel, page.layout_mid);
  const layout = source && parseLayout(source.body);
  const html = personalise(page.html, viewer);
  const called = namesIn(layout, [html]);
  const found = await pagesNamed(hub, observer, channel, "block", called.blocks);
  const blocks = new Map([...found].map(([name, block]) => [name, personalise(block.html, viewer)]));
  const { menus } = namesIn(layout, [html, ...blocks.values()]);
  return renderLayout(layout, html, { blocks, menus: await menusOf(hub, channel, menus) });
}

/** Menus by the names under which they were asked for. */
async function menusOf(hub: Hub, channel: Channel, names: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(names.flatMap((name) => [name, pageName(name)]))];
  const menus = await menusNamed(hub, channel.channel_id, wanted);
  const byName = new Map(menus.map((menu) => [menu.name, menuHtml(hub, channel, menu)]));
  return new Map(names.map((name) => [name, byName.get(name) ?? byName.get(pageName(name)) ?? ""]));
}

/** A menu as HTML that needs no filter: texts are escaped, and only safe addresses become links. */
function menuHtml(hub: Hub, channel: Pick<Channel, "channel_address">, menu: Menu): string {
  if (menu.entries.length === 0) return "";
  const title = menu.title === "" ? "" : `<strong>${escapeHtml(menu.title)}</strong>`;
  const items = menu.entries.map((entry) => `<li>${link(hub, channel, entry)}</li>`);
  return `<nav${attribute("title", menu.title)}>${title}<ul>${items.join("")}</ul></nav>`;
}

function link(hub: Hub, channel: Pick<Channel, "channel_address">, entry: MenuEntry): string {
  const { baseUrl } = hub.config;
  const label = escapeHtml(entry.label || entry.link);
  const url = safeUrl(expandLink(hub, channel, entry.link), "link", baseUrl);
  if (url === undefined) return label;
  const rel = attribute("rel", leavesSite(url, baseUrl) ? "nofollow noopener" : "");
  const target = entry.flags & entryFlags["new-window"] ? ' target="_blank"' : "";
  return `<a${attribute("href", url)}${rel}${target}>${label}</a>`;
}
