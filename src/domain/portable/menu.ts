import { zeroDate } from "../../storage/sql.ts";
import type { Hub } from "../../hub.ts";
import type { Channel } from "../identity/channels/channel.ts";
import type { Taken } from "../identity/records/portable-fields.ts";
import { portableLink } from "../pages/menu-links.ts";
import { entryFlags, menuFlags } from "../pages/menu-types.ts";
import type { Menu } from "../pages/menu-types.ts";
import { putMenu } from "../pages/menus.ts";

/** The portable form of a menu; flags are left out when there are none. */
export type PortableMenu = {
  type: "menu";
  pagetitle: string;
  desc: string;
  created: string;
  edited: string;
  baseurl: string;
  flags?: string[];
  items: PortableMenuEntry[];
};

export type PortableMenuEntry = { link: string; desc: string; order: string; flags?: string[] };

/** A menu of the channel as exports carry it: its own addresses are placeholders. */
export function menuPortable(hub: Hub, channel: Channel, menu: Menu): PortableMenu {
  return {
    type: "menu",
    pagetitle: menu.name,
    desc: menu.title,
    created: menu.created,
    edited: menu.edited,
    baseurl: hub.config.baseUrl,
    ...flagsOf(menuFlags, menu.flags),
    items: menu.entries.map((entry) => ({
      link: portableLink(hub, channel, entry.link),
      desc: entry.label,
      order: String(entry.order),
      ...flagsOf(entryFlags, entry.flags),
    })),
  };
}

/** A menu as another hub wrote it: numbers may be text, and anything may be absent. */
export type ForeignMenu = {
  pagetitle?: string;
  desc?: string;
  created?: string;
  edited?: string;
  flags?: readonly string[];
  items?: readonly { link?: string; desc?: string; order?: string | number; flags?: readonly string[] }[];
};

/** Gives the channel that menu, in place of one of the same name; one without a name is unreadable. */
export async function importMenu(hub: Hub, channel: Channel, portable: ForeignMenu): Promise<Taken> {
  const name = portable.pagetitle?.trim() ?? "";
  if (name === "") return "unreadable";
  return putMenu(hub, channel, {
    name,
    title: portable.desc ?? "",
    flags: bitsOf(menuFlags, portable.flags),
    created: portable.created ?? zeroDate,
    edited: portable.edited ?? zeroDate,
    entries: (portable.items ?? []).map((entry) => ({
      link: entry.link ?? "",
      label: entry.desc ?? "",
      order: Math.trunc(Number(entry.order ?? 0)) || 0,
      flags: bitsOf(entryFlags, entry.flags),
    })),
  });
}

function flagsOf(names: Readonly<Record<string, number>>, bits: number): { flags?: string[] } {
  const set = Object.entries(names).flatMap(([name, bit]) => (bits & bit ? [name] : []));
  return set.length > 0 ? { flags: set } : {};
}

function bitsOf(names: Readonly<Record<string, number>>, flags: readonly string[] = []): number {
  return Object.entries(names).reduce((bits, [name, bit]) => (flags.includes(name) ? bits | bit : bits), 0);
}
