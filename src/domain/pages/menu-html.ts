import type { Hub } from "../../hub.ts";
import { attribute, escapeHtml } from "../bodies/escape.ts";
import { leavesSite, safeUrl } from "../bodies/safe-url.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { expandLink } from "./menu-links.ts";
import { entryFlags } from "./menu-types.ts";
import type { Menu, MenuEntry } from "./menu-types.ts";

/** A menu as HTML that needs no filter: texts are escaped, and only safe addresses become links. */
export function menuHtml(hub: Hub, channel: Pick<Channel, "channel_address">, menu: Menu): string {
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
