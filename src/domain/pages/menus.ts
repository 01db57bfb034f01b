import { sql } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf, zeroDate } from "../../storage/sql.ts";
import { plainLine } from "../bodies/names.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { lockChannels } from "../identity/channels/lock-channels.ts";
import { hasValues } from "../identity/records/portable-fields.ts";
import { pageName } from "../items/metadata.ts";
import type { Menu, MenuEntry } from "./menu-types.ts";
import { requireWritePages } from "./may-write.ts";

export type MenuDraft = Pick<Menu, "name" | "title"> & { flags?: number; entries: MenuEntry[] };

/** More entries than anybody reads. */
const mostEntries = 200;

/** All menus of the channel with their entries, by name: one query for the menus, one for what is in them. */
export async function listMenus(hub: Hub, channel: Pick<Channel, "channel_id">): Promise<Menu[]> {
  return menusWhere(hub, channel.channel_id);
}

/** Those of the channel's menus that have these names. */
export async function menusNamed(hub: Hub, uid: number, names: readonly string[]): Promise<Menu[]> {
  return names.length === 0 ? [] : menusWhere(hub, uid, names);
}

/** A menu of the channel. Throws missing. */
export async function findMenu(hub: Hub, channel: Pick<Channel, "channel_id">, id: number): Promise<Menu> {
  const menu = (await listMenus(hub, channel)).find((one) => one.id === id);
  if (!menu) throw missing("Menu");
  return menu;
}

/**
 * Makes a menu of `owner`, or changes the one with that id; entries without a link are left out. Throws denied without
 * `write_pages`, missing, conflict for a name that another menu has, invalid.
 */
export async function saveMenu(hub: Hub, actor: Channel, owner: Channel, draft: MenuDraft, id?: number): Promise<Menu> {
  return inTransaction(hub, async (hub) => {
    await requireWritePages(hub, actor, owner);
    await lockChannels(hub, [owner.channel_id]);
    const known = id === undefined ? undefined : await findMenu(hub, owner, id);
    const name = pageName(draft.name);
    if (name === "") throw refusal("menu_name_needed");
    const [taken] = await menusNamed(hub, owner.channel_id, [name]);
    if (taken && taken.id !== known?.id) throw refusal("menu_name_taken");
    const dates = { created: known?.created ?? now(hub), edited: now(hub) };
    const row = { ...dates, name, title: draft.title, flags: draft.flags ?? known?.flags ?? 0, entries: draft.entries };
    const saved = known ? await replaceMenu(hub, owner, known.id, row) : await addMenu(hub, owner, row);
    return findMenu(hub, owner, saved);
  });
}

/** Stores a menu of an export as it is, in place of one of the same name unless that was edited later. */
export async function putMenu(hub: Hub, owner: Channel, menu: Omit<Menu, "id">): Promise<"imported" | "there"> {
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [owner.channel_id]);
    const [known] = await menusNamed(hub, owner.channel_id, [menu.name]);
    if (known && (known.edited > menu.edited || isSame(known, menu))) return "there";
    if (known) await replaceMenu(hub, owner, known.id, menu);
    else await addMenu(hub, owner, menu);
    return "imported";
  });
}

async function addMenu(hub: Hub, owner: Channel, menu: Omit<Menu, "id">): Promise<number> {
  const { menu_id } = await hub.db
    .insertInto("menu")
    .values({ menu_channel_id: owner.channel_id, ...columnsOf(hub, menu) })
    .returning("menu_id")
    .executeTakeFirstOrThrow();
  await insertEntries(hub, owner, menu_id, menu.entries);
  return menu_id;
}

function isSame(known: Menu, { title, flags, created, edited, entries }: Omit<Menu, "id">): boolean {
  const rows = readEntries(entries).toSorted((one, other) => one.order - other.order);
  const columns = { title: plainLine(title, 255), flags, created, edited };
  if (!hasValues(known, columns) || rows.length !== known.entries.length) return false;
  return rows.every((row, place) => hasValues(known.entries[place]!, row));
}

/** Deletes a menu; pages that show it show nothing there. Throws denied, missing. */
export async function deleteMenu(hub: Hub, actor: Channel, owner: Channel, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await requireWritePages(hub, actor, owner);
    const menu = await findMenu(hub, owner, id);
    await hub.db.deleteFrom("menu_item").where("mitem_menu_id", "=", menu.id).execute();
    await hub.db.deleteFrom("menu").where("menu_id", "=", menu.id).execute();
  });
}

async function replaceMenu(hub: Hub, owner: Channel, id: number, menu: Omit<Menu, "id">): Promise<number> {
  await hub.db.updateTable("menu").set(columnsOf(hub, menu)).where("menu_id", "=", id).execute();
  await hub.db.deleteFrom("menu_item").where("mitem_menu_id", "=", id).execute();
  await insertEntries(hub, owner, id, menu.entries);
  return id;
}

function columnsOf(hub: Hub, menu: Omit<Menu, "id">) {
  const orNow = (date: string): string => (date === zeroDate ? now(hub) : date);
  return {
    menu_name: plainLine(menu.name, 191),
    menu_desc: plainLine(menu.title, 255),
    menu_flags: menu.flags,
    menu_created: orNow(menu.created),
    menu_edited: orNow(menu.edited),
  };
}

async function insertEntries(hub: Hub, owner: Channel, menuId: number, entries: readonly MenuEntry[]): Promise<void> {
  const rows = readEntries(entries).map(({ link, label, order, flags }) => ({
    mitem_menu_id: menuId,
    mitem_channel_id: owner.channel_id,
    mitem_link: link,
    mitem_desc: label,
    mitem_order: order,
    mitem_flags: flags,
  }));
  if (rows.length > 0) await hub.db.insertInto("menu_item").values(rows).execute();
}

/** The entries as they are stored; those without a link are none. */
function readEntries(entries: readonly MenuEntry[]): MenuEntry[] {
  return entries
    .map(({ link, label, order, flags }) => ({
      link: link.trim().slice(0, 2048),
      label: plainLine(label, 255),
      order: Math.max(-1_000_000, Math.min(1_000_000, order)),
      flags,
    }))
    .filter(({ link }) => link !== "")
    .slice(0, mostEntries);
}

async function menusWhere(hub: Hub, uid: number, names?: readonly string[]): Promise<Menu[]> {
  let query = hub.db.selectFrom("menu").selectAll().where("menu_channel_id", "=", uid).orderBy("menu_name");
  if (names) query = query.where(isOneOf(hub.engine, sql.ref("menu_name"), names));
  const menus = await query.execute();
  if (menus.length === 0) return [];
  const ids = menus.map((menu) => menu.menu_id);
  const entries = await hub.db
    .selectFrom("menu_item")
    .selectAll()
    .where(isOneOf(hub.engine, sql.ref("mitem_menu_id"), ids))
    .orderBy("mitem_menu_id")
    .orderBy("mitem_order")
    .orderBy("mitem_id")
    .execute();
  return menus.map((menu) => ({
    id: menu.menu_id,
    name: menu.menu_name,
    title: menu.menu_desc,
    flags: menu.menu_flags,
    created: menu.menu_created,
    edited: menu.menu_edited,
    entries: entries
      .filter((entry) => entry.mitem_menu_id === menu.menu_id)
      .map((entry) => ({
        link: entry.mitem_link,
        label: entry.mitem_desc,
        order: entry.mitem_order,
        flags: entry.mitem_flags,
      })),
  }));
}
