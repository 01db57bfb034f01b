import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { changeChannelSettings } from "../identity/channels/channel-settings.ts";

const mostSites = 20;

/** Sites whose pages may name the channel as their author take the place of those before. Throws invalid. */
export async function nameAuthorSites(hub: Hub, uid: number, sites: readonly string[]): Promise<void> {
  const named = [...new Set(sites.map((site) => site.trim().toLowerCase()).filter((site) => site !== ""))];
  if (named.length > mostSites || !named.every((site) => /^[^\s/@:.]+(\.[^\s/@:.]+)+$/.test(site)))
    throw refusal("author_site_wrong");
  await changeChannelSettings(hub, uid, { authorSites: named });
}
